import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ask } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const clients = 8;
const program = fileURLToPath(new URL('programs/serve.ts', import.meta.url));

interface Running {
  child: ChildProcess;
  url: string;
  key: string;
}

async function start(stateDir: string): Promise<Running> {
  const child = spawn(process.execPath, [program, stateDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout!), 'line');
  return { child, ...(JSON.parse(line) as { url: string; key: string }) };
}

/** Every other order sells, so that a fast machine runs out of no margin. */
const placement = (account: string, name: string) => ({
  account_id: account,
  market_id: 'binance|BTCUSDT',
  side: /[02468]$/.test(name) ? 'buy' : 'sell',
  size: 0.001,
  leverage: 1,
  margin_mode: 'cross',
  client_order_id: name,
});

/** Sends an order with its name as the key; returns its id, or null without an answer. */
async function place({ url, key }: Running, account: string, name: string): Promise<string | null> {
  let answer: Awaited<ReturnType<typeof ask>>;
  try {
    answer = await ask(`${url}/v1/orders`, key, {
      method: 'POST',
      json: placement(account, name),
      headers: { 'idempotency-key': name },
    });
  } catch {
    return null;
  }
  assert.ok(answer.status === 201 || answer.status === 200, JSON.stringify(answer.body));
  return answer.body.data.id;
}

/** Kills a served simulation that is placing orders, this many times. */
export function killTrials(kills: number): void {
  test(`killed ${kills === 1 ? 'once' : `${kills} times`} while orders are placed, it has every acknowledged order exactly once, and a replay places no second one`, async (t) => {
    const stateDir = temporaryDirectory(t);
    const acknowledged = new Map<string, string>();
    let unanswered: string[] = [];
    let names = 0;
    let running = await start(stateDir);
    t.after(() => running.child.kill('SIGKILL'));
    const account = (await ask(`${running.url}/v1/accounts`, running.key)).body.data[0].id;
    await ask(`${running.url}/sim/policy`, running.key, {
      method: 'POST',
      json: { account_id: account, limits: { trades_per_minute: 1e9, trades_per_hour: 1e9, trades_per_day: 1e9 } },
    });

    for (let kill = 0; kill < kills; kill++) {
      const { child } = running;
      let isDead = false;
      const client = async () => {
        while (!isDead) {
          const name = `order ${names++}`;
          const id = await place(running, account, name);
          if (id === null) unanswered.push(name);
          else acknowledged.set(name, id);
        }
      };
      const all = Promise.all(Array.from({ length: clients }, client));
      // At another moment of its work each time.
      await delay(20 + ((kill * 37) % 100));
      child.kill('SIGKILL');
      await once(child, 'exit');
      isDead = true;
      await all;

      running = await start(stateDir);
      for (const name of unanswered) {
        const found = await ask(`${running.url}/v1/orders?client_order_id=${encodeURIComponent(name)}`, running.key);
        assert.ok(found.body.data.length <= 1);
        const id = await place(running, account, name);
        assert.ok(id !== null);
        if (found.body.data.length === 1)
          assert.equal(id, found.body.data[0].id, 'the replay shows the existing order');
        acknowledged.set(name, id);
      }
      unanswered = [];
    }

    assert.ok(acknowledged.size > kills, `${acknowledged.size} orders are too few for the test`);
    const listed = new Map<string, string>();
    let cursor = '';
    do {
      const { body } = await ask(`${running.url}/v1/orders?account_id=${account}&limit=100${cursor}`, running.key);
      for (const { id, client_order_id } of body.data) {
        assert.equal(listed.has(client_order_id), false, `${client_order_id} is there twice`);
        listed.set(client_order_id, id);
      }
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    assert.deepEqual(new Map([...listed].sort()), new Map([...acknowledged].sort()));
  });
}

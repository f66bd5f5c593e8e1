import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order } from '../../../src/wire/contract/orders.ts';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../../terminal/cli/built-perp.ts';

const kills = process.env.PERP_LONG === '1' ? 2_000 : 30;

const here = machine();
const rules = join(here.folder, 'rules.toml');
const program = join(here.folder, 'alert.sh');
const heard = join(here.folder, 'heard');
let served: Served;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  served = await servedWorld(here.variables);
  writeFileSync(program, `#!/bin/sh\ncat >> ${heard}\n`);
  chmodSync(program, 0o755);
  writeFileSync(heard, '');
});
after(async () => {
  await served.stop();
  here.remove();
});

const guard = (...more: string[]) =>
  new BuiltRun(['guard', '--once', '--rules', rules, '-o', 'ndjson', '--exec', program, ...more], here.variables);

const client = () => served.world.direct;

async function buy(): Promise<void> {
  await client().call('createOrder', { body: { ...served.world.terms, side: 'buy', size: 0.1 } });
}

async function open() {
  const { data } = await client().call('listOpenPositions', { query: { account_id: served.world.accountId } });
  return data;
}

const known = new Set<string>();

/** The orders with which a guard has closed positions since the last call. */
async function closings(): Promise<Order[]> {
  const { data } = await client().call('listFills', { query: { account_id: served.world.accountId, limit: 10 } });
  const fresh = data.filter(({ id, client_order_id: name }) => name?.startsWith('perp-guard-') && !known.has(id));
  for (const { id } of fresh) known.add(id);
  return fresh;
}

test(`a guard that is killed at any moment, ${kills} times, acts exactly once on each trigger`, async (t) => {
  let killed = 0;
  let whileActing = 0;
  // Duration of a complete run on this machine; kills are spread over it.
  writeFileSync(rules, '[fills]\n');
  const begun = performance.now();
  assert.equal((await guard().ended).exit, 0);
  const wholeMs = performance.now() - begun;
  for (let nth = 1; nth <= kills; nth++) {
    // A different price makes a different rule, so every round has its own trigger.
    writeFileSync(rules, `[price]\nmarket = "BTC"\nabove = ${nth}\ndo = ["flatten"]\n`);
    await buy();
    const run = guard();
    // Half of the kills come at any moment, half soon after the trigger is on disk.
    const share = ((nth * 37) % 101) / 100;
    if (nth % 2 === 0) await delay(wholeMs * share * 1.2);
    else await run.printed(/"fired"/).then(() => delay(100 * share));
    run.process.kill('SIGKILL');
    if ((await run.ended).exit === null) killed += 1;
    if (run.out.includes('"fired"')) whileActing += 1;
    const again = await guard().ended;
    assert.equal(again.exit, 0, again.err);
    assert.deepEqual([(await closings()).length, await open()], [1, []], `round ${nth}`);
    if (nth % 10 > 0) continue;
    // Positions opened afterward are not the guard's concern.
    await buy();
    assert.equal((await guard().ended).exit, 0);
    const [kept] = await open();
    assert.ok(kept !== undefined, `round ${nth} acted twice`);
    await client().call('closePosition', { path: { position_id: kept.id }, body: {} });
  }
  t.diagnostic(`${killed} of ${kills} were killed before they ended, ${whileActing} after the trigger`);
  assert.ok(whileActing > kills / 3, `only ${whileActing} kills came after the trigger`);
  const alerts = readFileSync(heard, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  for (let nth = 1; nth <= kills; nth++) {
    const told = alerts.filter(({ says }) => says.endsWith(`above ${nth}`));
    assert.ok(told.length > 0, `round ${nth} did not alert`);
    assert.ok(
      told.slice(1).every(({ repeated }) => repeated),
      `round ${nth} alerted twice without saying so`,
    );
  }
});

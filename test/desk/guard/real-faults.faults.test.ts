import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../../terminal/cli/built-perp.ts';

const count = process.env.PERP_LONG === '1' ? 100 : 3;
const atOnce = 5;
const flatWithinMs = 15_000;
/** What a busy machine may take to start a process. */
const slackMs = 5_000;

const here = machine();
let served: Served;
let accounts: string[];

before(async () => {
  buildPerp();
  await freshWorld(here.variables, count);
  served = await servedWorld(here.variables);
  accounts = (await served.world.direct.call('listAccounts', {})).data.map(({ id }) => id);
});
after(async () => {
  await served.stop();
  here.remove();
});

type Fault = 'status' | 'page' | 'hang' | 'cut after' | 'cut before' | 'garbage';

/** A host in front of the service that fails as drawn until a time. */
async function faultyHost(chance: Chance, fault: Fault, isHit: (url: string, method: string) => boolean) {
  const world = { until: 0 };
  const server = createServer(async (received, answer) => {
    const body = await buffer(received);
    const isFailing = performance.now() < world.until && isHit(received.url!, received.method!);
    if (!isFailing) return pass(received, body, answer, false);
    if (fault === 'hang') return undefined;
    if (fault === 'cut before') return received.socket.destroy();
    if (fault === 'cut after') return pass(received, body, answer, true);
    answer.writeHead(fault === 'garbage' ? 200 : chance.pick([401, 404, 418, 500, 503]), {
      'content-type': fault === 'page' ? 'text/html' : 'application/json',
    });
    return answer.end(
      fault === 'page'
        ? '<html>'
        : fault === 'garbage'
          ? '{"data":[null]}'
          : '{"error":{"code":"staged","message":"staged"}}',
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, world, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function pass(received: IncomingMessage, body: Buffer, answer: ServerResponse, isCut: boolean): void {
  const { method, url, headers } = received;
  const passed = request(`${served.baseUrl}${url}`, { method: method!, headers }, (answered) => {
    if (isCut) received.socket.destroy();
    else {
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    }
  });
  passed.on('error', () => received.socket.destroy());
  passed.end(body);
}

async function trial(nth: number): Promise<number> {
  const chance = new Chance(seed * 1_000 + nth);
  const account = accounts[nth]!;
  const fault = chance.pick<Fault>(['status', 'page', 'hang', 'cut after', 'cut before', 'garbage']);
  const scope = chance.pick(['', 'POST', '/close', '/positions', '/twap', '/v1/accounts/', '/quote', '/v1/markets']);
  const lastsMs = chance.between(500, 6_000);
  const disk = chance.pick(['sound', 'sound', 'nowhere']);
  const words = `seed ${seed * 1_000 + nth}: ${scope || 'everything'} ${fault} for ${lastsMs} ms, disk ${disk}`;
  const { server, world, url } = await faultyHost(chance, fault, (target, method) =>
    `${method} ${target}`.includes(scope),
  );
  const { direct } = served.world;
  const market_id = 'binance|BTCUSDT';
  const terms = { account_id: account, market_id, leverage: 2, margin_mode: 'cross' } as const;
  for (const market of [market_id, 'binance|ETHUSDT'])
    await direct.call('createOrder', { body: { ...terms, market_id: market, side: 'buy', size: 0.1 } });
  const heard = join(here.folder, `heard-${nth}`);
  const program = join(here.folder, `alert-${nth}.sh`);
  writeFileSync(program, `#!/bin/sh\ncat >> ${heard}\n`);
  chmodSync(program, 0o755);
  const rules = join(here.folder, `rules-${nth}.toml`);
  writeFileSync(rules, '[price]\nmarket = "BTC"\nabove = 1\ndo = ["lock", "flatten"]\n');
  const variables = {
    ...here.variables,
    PERP_ENV: 'live',
    PERP_BASE_URL: url,
    PERP_API_KEY: served.key,
    PERP_STATE_DIR: disk === 'nowhere' ? '/proc/nowhere/state' : join(here.folder, `state-${nth}`),
  };
  world.until = performance.now() + lastsMs;
  const guard = new BuiltRun(
    ['guard', '--rules', rules, '--exec', program, '--account', account, '-o', 'ndjson'],
    variables,
  );
  try {
    const open = async () => (await direct.call('listOpenPositions', { query: { account_id: account } })).data.length;
    while ((await open()) > 0) {
      const late = performance.now() - world.until;
      assert.ok(late < flatWithinMs + slackMs, `${words}: not flat\n${guard.out}${guard.err}`);
      await delay(200);
    }
    const flatAfter = performance.now() - world.until;
    const told = () => (existsSync(heard) ? readFileSync(heard, 'utf8') : '');
    while (!told().includes('"rule":"price"')) {
      assert.ok(performance.now() - world.until < 60_000, `${words}: not told\n${guard.out}${guard.err}`);
      await delay(100);
    }
    const { data: fills } = await direct.call('listFills', { query: { account_id: account, limit: 50 } });
    assert.equal(fills.filter(({ side }) => side === 'sell').length, 2, `${words}: closed more than once`);
    const begun = performance.now();
    guard.process.kill('SIGTERM');
    const { exit } = await guard.ended;
    assert.equal(exit, 130, `${words}: ${guard.err}`);
    assert.ok(performance.now() - begun < 2_000 + slackMs, `${words}: it took too long to end`);
    assert.match(told(), /"key":"end@/, words);
    return Math.max(0, flatAfter);
  } finally {
    guard.process.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
}

test(`${count} real guards at a host that fails are flat in time, tell, and end`, { timeout: 3_600_000 }, async (t) => {
  const after: number[] = [];
  for (let nth = 0; nth < count; nth += atOnce) {
    const several = Array.from({ length: Math.min(atOnce, count - nth) }, (_, at) => trial(nth + at));
    after.push(...(await Promise.all(several)));
  }
  t.diagnostic(`seeds from ${seed * 1_000}; flat at most ${Math.round(Math.max(...after))} ms after the fault`);
});

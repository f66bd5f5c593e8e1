import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { exitCodeForStatus } from '../../../src/base/failure/failure.ts';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { mandateText, type NamedMandate } from '../../../src/desk/mandate/mandate-file.ts';
import { signMandate } from '../../../src/desk/mandate/signed.ts';
import { BuiltRun, beginWorld, buildPerp, machine, servedWorld } from '../../terminal/cli/built-perp.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { overHttp, refusals, type Way } from './trials/refusals.ts';

const children = join(import.meta.dirname, 'trials/refusals.ts');
/** Where a refusal is certain, nobody waits for a late arrival, which takes 15 seconds. */
const atOnceMs = 4_000;

test('a refusal is the same, and as fast, direct, in perp sim run, through a gate, and told by perp', async (t) => {
  buildPerp();
  const { folder, variables, remove } = machine();
  t.after(remove);
  await beginWorld(variables, { accounts: 1 });
  const world = await servedWorld(variables);
  t.after(() => world.stop());
  const direct = overHttp(world.baseUrl, world.key);
  const account = (await direct({ method: 'GET', path: '/v1/accounts' })).body.data[0].id;

  const mandate: NamedMandate = {
    name: 'all',
    accounts: [account],
    markets: ['binance|BTCUSDT'],
    sides: ['buy', 'sell'],
    largestOrderUsd: 1e9,
    largestPositionUsd: 1e9,
    lossPerDayUsd: 1e9,
    ordersPerMinute: 100_000,
    until: Date.now() + 86_400_000,
  };
  const file = join(folder, 'all.toml');
  writeFileSync(file, mandateText(mandate));
  signMandate(variables, mandate, Date.now());
  const { text: botKey } = new BotsFile(gateFolder(variables)).add('all', 'live', Date.now(), Date.now() + 3_600_000);
  const streams = world.baseUrl.replace('http', 'ws');
  const live = {
    PERP_ENV: 'live',
    PERP_BASE_URL: world.baseUrl,
    PERP_MARKET_STREAM_URL: streams,
    PERP_ACCOUNT_STREAM_URL: streams,
    PERP_API_KEY: world.key,
  };
  const argv = ['gate', 'serve', '--port', '0', '--rate-limit', 'off', '--json', '--mandate', file];
  const gate = new BuiltRun(argv, { ...variables, ...live });
  t.after(async () => {
    gate.process.kill('SIGTERM');
    await gate.ended;
  });
  await gate.printed(/\}\s*$/);
  const gateUrl = JSON.parse(gate.out).url as string;

  const desk = new Desk();
  t.after(() => desk[Symbol.dispose]());
  const perpAt = (url: string, key: string): Way => {
    return async ({ method, path, body, key: name }) => {
      const options = [
        ...(body === undefined ? [] : ['--body', JSON.stringify(body)]),
        ...(name === undefined ? [] : ['--idempotency-key', name]),
      ];
      const variables = { ...live, PERP_BASE_URL: url, PERP_API_KEY: key };
      const run = await desk.perp(['api', method, path, ...options, '--json', '--yes'], {
        variables,
        inRealTime: true,
      });
      if (run.exit === 0) return { status: 200, body: run.json, exit: 0 };
      const { error } = run;
      return { status: error.status ?? 0, body: { error }, exit: run.exit };
    };
  };

  const wanted = await refusals(direct, 'direct');
  for (const [row, { status, code }] of wanted) {
    const [, expected, word] = row.split(' ');
    assert.equal(String(status), expected, `${row}: ${status} ${code}`);
    if (expected === '409' && word !== undefined) assert.equal(code, word, row);
  }
  const run = new BuiltRun(['sim', 'run', '--quiet', '--', process.execPath, children, '--print'], variables);
  const ran = await run.ended;
  assert.equal(ran.exit, 0, ran.err);
  const ways = {
    'perp sim run': new Map(JSON.parse(ran.out)) as typeof wanted,
    'the gate': await refusals(overHttp(gateUrl, botKey), 'gate'),
    perp: await refusals(perpAt(world.baseUrl, world.key), 'perp'),
    'perp through the gate': await refusals(perpAt(gateUrl, botKey), 'both'),
  };
  const differing: unknown[] = [];
  for (const [way, found] of Object.entries(ways))
    for (const [row, { ms: _, exit: __, ...refusal }] of wanted) {
      const { ms, exit, ...said } = found.get(row)!;
      // What breaks the contract, perp refuses itself.
      const isOwn = refusal.status === 400 && said.status === 0 && said.code === 'usage';
      const told = isOwn ? { ...said, status: 400, code: refusal.code } : said;
      if (!isDeepStrictEqual(told, refusal)) differing.push([way, row, refusal, told]);
      if (ms >= atOnceMs) differing.push([way, row, `${Math.round(ms)} ms`]);
      if (exit !== undefined && exit !== exitCodeForStatus(refusal.status)) differing.push([way, row, `exit ${exit}`]);
    }
  assert.deepEqual(differing, []);
});

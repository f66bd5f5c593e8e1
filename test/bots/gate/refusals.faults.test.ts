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
import { Agent } from '../../terminal/mcp/agent.ts';
import { overHttp, refusals, type Way } from './trials/refusals.ts';

const children = join(import.meta.dirname, 'trials/refusals.ts');
/** Where a refusal is certain, nobody waits for a late arrival, which takes 15 seconds. */
const atOnceMs = 4_000;

test('a refusal is the same, and as fast, direct, in perp sim run, through a gate, and told by perp and its tools', async (t) => {
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
  const behindGate = { variables: { ...live, PERP_BASE_URL: gateUrl, PERP_API_KEY: botKey }, inRealTime: true };
  await using agent = await Agent.connected(desk, ['--env', 'live', '--gate'], behindGate);
  const told = await refusals(byTools(agent), 'mcp', overHttp(gateUrl, botKey));
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
  for (const [row, { ms, code, rule, details }] of told) {
    const { status: _, ms: __, exit: ___, ...refusal } = wanted.get(row)!;
    const own = decidedByTools[row];
    const isSo = own === undefined ? isDeepStrictEqual({ code, rule, details }, refusal) : code === own;
    if (!isSo && !hasNoTool.test(row)) differing.push(['perp mcp', row, refusal, { code, rule, details }]);
    if (ms >= atOnceMs) differing.push(['perp mcp', row, `${Math.round(ms)} ms`]);
  }
  assert.deepEqual(differing, []);
});

/** What the tools of `perp mcp` decide before anything is sent; null: there is nothing to do, which is no failure. */
const decidedByTools: Readonly<Record<string, string | null>> = {
  'cancelOrder 409 order_terminal': null,
  'modifyOrder 400': 'invalid_arguments',
  'replacePositionExitOrders 409 stale_snapshot': null,
  'replacePositionExitOrders 422 exit-side': 'exit_side',
  'createOrder 400': 'invalid_arguments',
  'createOrder 409 idempotency_conflict': 'idempotency_key_reused',
  'createOrder 409 client_order_id_conflict': null,
  'createOrder 422 insufficient-depth': 'worst_case_breach',
};
const hasNoTool = /TwapOrder|ScaledOrder|updateAttachedExits/;

/** The tools of `perp mcp` in place of the operations that they send. Their key is the client order id, too. */
function byTools(agent: Agent): Way {
  let keys = 0;
  return async ({ method, path, body, key }) => {
    const [, , noun, id = ''] = decodeURIComponent(path.split('?')[0]!).split('/');
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
    const { market_id, size, account_id, client_order_id, ...rest } = (body ?? {}) as Record<string, any>;
    keys += 1;
    const keyed = { idempotency_key: client_order_id ?? key ?? `tool-${keys}` };
    const order = { account: account_id, market: market_id, size_base: size, ...rest };
    const calls: Readonly<Record<string, readonly [tool: string, args: object]>> = {
      'DELETE orders': ['cancel_orders', { ...keyed, orders: [id] }],
      'PATCH orders': ['amend_order', { ...keyed, order: id, price: rest.price }],
      'PUT positions': ['set_exits', { ...keyed, position: id, stop_loss_price: rest.operations?.[0].price }],
      'POST positions': ['close_position', { ...keyed, position: id }],
      'POST orders': ['place_order', { ...keyed, ...order }],
      'POST accounts': ['flatten', { ...keyed, account: id }],
      'GET markets': ['get_quote', { market: id }],
    };
    const [tool, args] = calls[`${method} ${noun}`] ?? [];
    if (tool === undefined) return { status: 0, body: {} };
    const { error, failed } = await agent.call(tool, args);
    if (error !== undefined && Object.values(decidedByTools).includes(error.code)) assert.equal(error.sent, 'no');
    return { status: 0, body: { error: error ?? failed?.[0] } };
  };
}

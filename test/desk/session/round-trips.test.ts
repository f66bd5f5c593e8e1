import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { issueKey, served } from '../../service/serving.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** How long a host waits for the rest of a round, ms, before it answers and so shows what is missing. */
const patienceMs = 60_000;

interface Rounds {
  url: string;
  key: string;
  /** Runs a command, and returns the rounds in which its requests came. */
  of(expected: readonly string[][], run: () => Promise<unknown>): Promise<string[][]>;
}

/**
 * A host that answers no request of a round before as many have come as are expected in it: requests that are not sent
 * in parallel never come.
 */
async function rounds(t: TestContext): Promise<Rounds> {
  const serving = await served(t);
  const waiting: (() => void)[] = [];
  let expected: readonly string[][] = [];
  let round: string[] = [];
  let seen: string[][] = [];
  let late: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(late);
    seen.push(round.sort());
    round = [];
    for (const answer of waiting.splice(0)) answer();
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    round.push(`${request.method} ${request.url!.split('?')[0]}`);
    const pass = () => passOn(serving.baseUrl, request, body, response).catch(() => response.destroy());
    if (waiting.push(() => void pass()) === 1) late = setTimeout(release, patienceMs);
    if (round.length >= (expected[seen.length]?.length ?? 1)) release();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const of = async (rounds: readonly string[][], run: () => Promise<unknown>) => {
    [expected, seen] = [rounds, []];
    await run();
    return seen;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: issueKey(serving), of };
}

async function passOn(
  baseUrl: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const headers = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
  const answer = await fetch(new URL(request.url!, baseUrl), {
    method: request.method!,
    headers: headers as [string, string][],
    ...(body.length > 0 ? { body } : {}),
  });
  const text = await answer.text();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
}

const markets = 'GET /v1/markets';
const accounts = 'GET /v1/accounts';
const positions = 'GET /v1/positions';
const order = 'POST /v1/orders';
const account = 'GET /v1/accounts/acc_000000001';
const quote = 'GET /v1/markets/binance%7CBTCUSDT/quote';
const orders = 'GET /v1/orders';
/** What running TWAPs still send counts in what ends the account. */
const twaps = 'GET /v1/twap-orders';
/** The request that shows the resulting position. */
const result = [account, quote, orders, positions, twaps];

trial('placing an order reads in parallel, nothing twice, and nothing unnecessary', async (t) => {
  const host = await rounds(t);
  using desk = new Desk();
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: host.key };
  const places = async (options: readonly string[], expected: readonly string[][], why?: string) => {
    const taken = await host.of(expected, async () => {
      const run = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', ...options], { variables });
      assert.equal(run.exit, 0, run.err);
    });
    assert.deepEqual(taken, expected, why);
  };
  await places([], [[accounts, markets], [quote, orders, positions, twaps], [order], result], 'the account is unknown');
  const known = [[accounts, markets, quote, positions], [orders, twaps], [order]];
  await places([], [...known, result], 'one account is known, and the market');
  await places(['--json'], known);
  await places(['--json', '--leverage', '1', '--margin', 'cross'], known);
  const chosen = ['--account', 'acc_000000001'];
  const given = [[account, markets, quote, positions], [orders, twaps], [order], result];
  await places(chosen, given, 'an account is given');
  const whole = [[account, markets, quote, orders, positions, twaps], [order]];
  await places([...chosen, '--json', '--leverage', '1', '--margin', 'cross'], whole);
});

test('positions read early for another account are not used', async (t) => {
  const host = await rounds(t);
  using desk = new Desk();
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: host.key };
  mkdirSync(desk.variables.PERP_STATE_DIR!);
  const memory = { live: { account: [['acc_of_yesterday', 'Challenge 0']], login: [[`${host.url}#`, '']] } };
  writeFileSync(join(desk.variables.PERP_STATE_DIR!, 'completion.json'), JSON.stringify(memory));
  const expected = [[accounts, markets, positions], [quote, orders, positions, twaps], [order]];
  const taken = await host.of(expected, async () => {
    const run = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json'], { variables });
    assert.equal(run.exit, 0, run.err);
    assert.equal(run.json.account_id, 'acc_000000001');
  });
  assert.deepEqual(taken, expected);
});

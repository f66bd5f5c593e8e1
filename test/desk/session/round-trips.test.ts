import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Desk } from '../../cli/practice.ts';
import { issueKey, served } from '../../service/serving.ts';

/**
 * A round ends after this many turns of the event loop without another request, 5 ms or more apart. Turns rather than
 * time, because the command runs in this process, and both take longer on a busy machine.
 */
const quietTurns = 30;

/** A host that answers only when no more requests arrive: parallel requests are one round. */
async function rounds(t: TestContext): Promise<{ url: string; key: string; taken(): string[][] }> {
  const serving = await served(t);
  const waiting: (() => void)[] = [];
  let round: string[] = [];
  let seen: string[][] = [];
  const release = () => {
    seen.push(round.sort());
    round = [];
    for (const answer of waiting.splice(0)) answer();
  };
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (turns < quietTurns) setTimeout(turn, 5);
    else release();
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    round.push(`${request.method} ${request.url!.split('?')[0]}`);
    turns = 0;
    if (waiting.push(() => void pass(serving.baseUrl, request, body, response)) === 1) turn();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const taken = () => {
    const all = seen;
    seen = [];
    return all;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: issueKey(serving), taken };
}

async function pass(baseUrl: string, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
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

test('placing an order reads in parallel, nothing twice, and nothing unnecessary', async (t) => {
  const host = await rounds(t);
  using desk = new Desk();
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: host.key };
  const place = async (...options: string[]) => {
    const run = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', ...options], { variables });
    assert.equal(run.exit, 0, run.err);
    return host.taken();
  };
  assert.deepEqual(
    await place(),
    [[accounts, markets], [quote, orders, positions, twaps], [order], result],
    'the account is unknown',
  );
  assert.deepEqual(
    await place(),
    [[accounts, markets, quote, positions], [orders, twaps], [order], result],
    'one account is known, and the market',
  );
  assert.deepEqual(await place('--json'), [[accounts, markets, quote, positions], [orders, twaps], [order]]);
  assert.deepEqual(await place('--json', '--leverage', '1', '--margin', 'cross'), [
    [accounts, markets, quote, positions],
    [orders, twaps],
    [order],
  ]);
  const chosen = ['--account', 'acc_000000001'];
  assert.deepEqual(
    await place(...chosen),
    [[account, markets, quote, positions], [orders, twaps], [order], result],
    'an account is given',
  );
  assert.deepEqual(await place(...chosen, '--json', '--leverage', '1', '--margin', 'cross'), [
    [account, markets, quote, orders, positions, twaps],
    [order],
  ]);
});

test('positions read early for another account are not used', async (t) => {
  const host = await rounds(t);
  using desk = new Desk();
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: host.key };
  mkdirSync(desk.variables.PERP_STATE_DIR!);
  const memory = { live: { account: [['acc_of_yesterday', 'Challenge 0']], login: [[`${host.url}#`, '']] } };
  writeFileSync(join(desk.variables.PERP_STATE_DIR!, 'completion.json'), JSON.stringify(memory));
  const run = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json'], { variables });
  assert.equal(run.exit, 0, run.err);
  assert.equal(run.json.account_id, 'acc_000000001');
  assert.deepEqual(host.taken(), [[accounts, markets, positions], [quote, orders, positions, twaps], [order]]);
});

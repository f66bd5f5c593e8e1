import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Gateway } from './gateway.ts';
import { Machine } from './running-perp.ts';

const key = 'sim_live_PLANTED"apikey\\0123456789';
const terms = '--leverage 1 --margin cross';

/**
 * A host that answers reads, but neither a write nor whether it was done, so that the write's intent stays on
 * disk.
 */
async function desk(t: TestContext) {
  const gateway = await Gateway.open(t, 'http://127.0.0.1:9');
  const market = {
    market_id: 'binance|BTCUSDT',
    provider: 'binance',
    symbol: 'BTC',
    coin: 'BTCUSDT',
    max_leverage: 10,
    size_decimals: 3,
  };
  const order = {
    id: 'ord_1',
    account_id: 'acc_1',
    ...{ market_id: market.market_id, provider: 'binance', coin: 'BTCUSDT' },
    client_order_id: key,
    ...{ type: 'limit', status: 'resting', expected_price: 90, requested_at: 1 },
    ...{ leverage: 1, margin_mode: 'cross', reduce_only: false },
    mode: 'limit',
    side: 'buy',
    size: 1,
    symbol: 'BTC',
    limit_price: 90,
  };
  gateway.decide = ({ method, path }) => {
    if (method !== 'GET' || path.includes('client_order_id=')) return 'cut';
    const data = path.includes('/markets') ? [market] : path.includes('/orders/') ? order : [];
    return { status: 200, body: { data } };
  };
  const machine = new Machine(t, gateway.url, { PERP_API_KEY: key });
  const kept = () =>
    readdirSync(machine.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('\n');
  return { gateway, machine, kept };
}

const cases: [what: string, argv: string[], variables?: (url: string) => Record<string, string>][] = [
  ['the account', ['cancel-all', '--yes', '--account', key]],
  ['the account of an order', ['order', 'place', 'BTC', 'buy', '0.01', ...terms.split(' '), '--account', key]],
  [
    'the client order id of an order',
    ['order', 'place', 'BTC', 'buy', '0.01', ...terms.split(' '), '--account', 'acc_1', '--client-order-id', key],
  ],
  ['the key of a write', ['cancel-all', '--yes', '--account', 'acc_1', '--idempotency-key', key]],
  [
    'the address',
    ['cancel-all', '--yes', '--account', 'acc_1'],
    (url) => ({ PERP_BASE_URL: `${url}/${encodeURIComponent(key)}` }),
  ],
];

describe('a credential passed in place of something else', { concurrency: 2 }, () => {
  for (const [what, argv, variables] of cases) {
    it(`as ${what} is not sent as such and not stored`, async (t) => {
      const { gateway, machine, kept } = await desk(t);
      const { exit, err, out } = await machine.perpHere(argv, variables?.(gateway.url));
      assert.equal(exit, 2, err);
      assert.match(err, /A value of the request is the credential itself/);
      assert.ok(!/PLANTED/.test(out + err + kept()), kept());
      assert.deepEqual(
        gateway.requests.filter(({ method }) => method !== 'GET'),
        [],
      );
    });
  }

  it('is a usage error of its line in a batch, and the next line runs', async (t) => {
    const { machine, kept } = await desk(t);
    const running = machine.startHere(['batch']);
    const place = (id: string) => `order place BTC buy 0.01 ${terms} --account acc_1 --client-order-id '${id}'\n`;
    running.stdin.end(place(key) + place('other'));
    const { out } = await running.ended;
    const exits = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).exit);
    assert.deepEqual(exits, [2, 8]);
    assert.ok(!/PLANTED/.test(out + kept()));
    assert.match(kept(), /other/);
  });

  it('that a host repeats before a write is not stored in the intent', async (t) => {
    const { gateway, machine, kept } = await desk(t);
    const answer = gateway.decide;
    let noted = '';
    gateway.decide = (request, attempt) => {
      if (request.method === 'GET') return answer(request, attempt);
      noted = kept();
      return { status: 422, body: { error: { code: 'rule_violation', message: 'no' } } };
    };
    const { exit, err } = await machine.perpHere(['order', 'amend', 'ord_1', '--price', '100']);
    assert.equal(exit, 5, err);
    assert.match(noted, /"before":.*\[hidden\]/);
    assert.ok(!/PLANTED/.test(noted + kept()));
  });
});

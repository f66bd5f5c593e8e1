import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, assertRefused } from './api.ts';
import type { Part } from './target.ts';

const btc = 'binance%7CBTCUSDT';

/** What only the simulation answers about an account's past, for `perp pnl`. */
export const historyTests: Part = (bench) => {
  const rows = async (admin: Api, path: string) => (await admin.get(`${path}?account_id=${bench().account}`)).body.data;

  const walk = async (admin: Api, path: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await admin.get(`${path}?account_id=${bench().account}&limit=1${cursor}`);
      found.push(...body.data);
      if (!body.has_more) return found;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
  };

  test('fills in brief are those of the API, newest first, with the stop that an order was placed with', async () => {
    const { admin, api, account } = bench();
    if (admin === null) return;
    const stop = Math.round((await bench().quote()).bid * 0.9);
    await api.post('/v1/orders', bench().order({ stop_loss_price: stop }));
    const [position] = (await api.get(`/v1/positions?account_id=${account}`)).body.data;
    await api.post(`/v1/positions/${position.id}/close`, {});
    const brief = await rows(admin, '/sim/fills');
    const full = (await api.get(`/v1/fills?account_id=${account}`)).body.data;
    const facts = ['side', 'fill_price', 'fee', 'realized_pnl', 'settled_at', 'market_id'];
    const common = (row: Record<string, unknown>) => facts.map((name) => row[name]);
    assert.deepEqual(brief.map(common), full.map(common));
    assert.deepEqual(
      brief.map((row: { order_id: string }) => row.order_id),
      full.map((row: { id: string }) => row.id),
    );
    assert.deepEqual(
      brief.map((row: { attached_stop_loss_price?: number }) => row.attached_stop_loss_price),
      [undefined, stop],
    );
    assert.deepEqual(await walk(admin, '/sim/fills'), brief);
  });

  test('fills and payments add up to the balance, page by page', async () => {
    const { admin, api, account } = bench();
    if (admin === null) return;
    const before = (await api.get(`/v1/accounts/${account}`)).body.data.balance;
    await api.post('/v1/orders', bench().order());
    await bench().advance(3 * 3_600_000);
    const payments = await rows(admin, '/sim/payments');
    const carry = payments.filter(({ kind }: { kind: string }) => kind === 'funding');
    assert.equal(carry.length, 3);
    assert.ok(carry.every((row: { market_id: string }) => row.market_id === 'binance|BTCUSDT'));
    assert.deepEqual(await walk(admin, '/sim/payments'), payments);
    const [fill] = await rows(admin, '/sim/fills');
    const paid = carry.reduce((sum: number, { amount }: { amount: number }) => sum + amount, -fill.fee);
    const after = (await api.get(`/v1/accounts/${account}`)).body.data.balance;
    assert.ok(Math.abs(after - before - paid) < 1e-7, `${after} - ${before} is not ${paid}`);
  });

  test('past marks are the midpoints that the market had', async () => {
    const { admin } = bench();
    if (admin === null) return;
    const { mid } = await bench().quote();
    const { time } = (await admin.get('/sim/status')).body.data;
    await bench().advance(60_000);
    const { body } = await admin.get(`/sim/marks?market_id=${btc}&times=${time},${time}`);
    assert.deepEqual(body.data, [
      { time, mark: mid },
      { time, mark: mid },
    ]);
  });

  test('histories of unknown accounts and markets, and impossible moments, are refused', async () => {
    const { admin } = bench();
    if (admin === null) return;
    const { time } = (await admin.get('/sim/status')).body.data;
    assertRefused(await admin.get('/sim/fills?account_id=acc_nobody'), 404, 'not_found');
    assertRefused(await admin.get('/sim/payments?account_id=acc_nobody'), 404, 'not_found');
    assertRefused(await admin.get(`/sim/fills?account_id=${bench().account}&limit=10001`), 400, 'invalid_request', {
      fields: ['limit'],
    });
    assertRefused(await admin.get(`/sim/marks?market_id=nobody&times=${time}`), 404, 'not_found');
    for (const times of [`${time + 1}`, '1e3', '-1', '1,,2', Array(501).fill(time).join(',')]) {
      const answer = await admin.get(`/sim/marks?market_id=${btc}&times=${encodeURIComponent(times)}`);
      assertRefused(answer, 400, 'invalid_request', { fields: ['times'] });
    }
  });
};

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

type Row = { id: string };
const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

export const paginationTests: Part = (bench) => {
  const walk = async (target: string, limit: number): Promise<string[][]> => {
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { status, body } = await bench().api.get(`${target}&limit=${limit}${cursor}`);
      assert.equal(status, 200);
      assert.ok(body.data.length <= limit);
      assert.equal(body.next_cursor !== undefined, body.has_more);
      pages.push(idsOf(body.data));
      cursor = body.has_more ? `&cursor=${encodeURIComponent(body.next_cursor)}` : '';
    } while (cursor !== '');
    return pages;
  };

  beforeEach(async () => {
    const { api, account, accounts } = bench();
    // A manual clock stands still: everything below happens in the same millisecond.
    for (let number = 0; number < 7; number++) {
      await api.post('/v1/orders', bench().order({ side: 'buy' }));
      const { body } = await api.get(`/v1/positions?account_id=${account}`);
      await api.post(`/v1/positions/${body.data[0].id}/close`, {});
    }
    await api.post('/v1/orders', bench().order({ account_id: accounts[1] }));
  });

  test('pages of every list continue where the last one ended, newest first, with nothing skipped or repeated', async () => {
    const { account } = bench();
    for (const target of [
      `/v1/orders?account_id=${account}`,
      '/v1/orders?',
      `/v1/fills?account_id=${account}`,
      `/v1/positions?account_id=${account}&status=closed`,
    ]) {
      const whole = (await walk(target, 100)).flat();
      assert.ok(whole.length >= 7, target);
      assert.equal(new Set(whole).size, whole.length);
      assert.deepEqual(whole, [...whole].sort().reverse(), target);
      for (const limit of [1, 2, 3, whole.length - 1, whole.length])
        assert.deepEqual((await walk(target, limit)).flat(), whole, `${target} limit ${limit}`);
    }
  });

  test('an empty cursor is treated as none, for the first page and for lists without pages', async () => {
    const { api, account } = bench();
    for (const target of [
      `/v1/orders?account_id=${account}&limit=2`,
      `/v1/fills?account_id=${account}&limit=2`,
      `/v1/positions?account_id=${account}&limit=2&status=closed`,
      `/v1/scaled-orders?account_id=${account}`,
      `/v1/twap-orders?account_id=${account}`,
      `/v1/twap-orders?account_id=${account}&status=completed`,
      '/v1/orders?status=working',
      '/v1/orders?client_order_id=nobody',
      `/v1/positions?account_id=${account}`,
    ]) {
      const { status, body } = await api.get(`${target}&cursor=`);
      assert.equal(status, 200, target);
      assert.deepEqual(body, (await api.get(target)).body, target);
    }
  });

  test('a row that arrives between two pages is not on the second page', async () => {
    const { api, account } = bench();
    const target = `/v1/orders?account_id=${account}&limit=3`;
    const first = await api.get(target);
    const before = (await walk(`/v1/orders?account_id=${account}`, 100)).flat();
    await api.post('/v1/orders', await bench().restingOrder());
    const second = await api.get(`${target}&cursor=${first.body.next_cursor}`);
    assert.deepEqual(idsOf(second.body.data), before.slice(3, 6));
  });

  test('a cursor is refused with another list, account or filter', async () => {
    const { api, account, accounts } = bench();
    const { body } = await api.get(`/v1/orders?account_id=${account}&limit=1`);
    const cursor = body.next_cursor;
    for (const target of [
      `/v1/orders?account_id=${accounts[1]}`,
      '/v1/orders?limit=2',
      `/v1/fills?account_id=${account}`,
      `/v1/positions?account_id=${account}&status=closed`,
      `/v1/scaled-orders?account_id=${account}`,
      `/v1/twap-orders?account_id=${account}&status=completed`,
    ])
      assertRefused(await api.get(`${target}&cursor=${cursor}`), 400, 'invalid_request', { fields: ['cursor'] });
    assert.equal((await api.get(`/v1/orders?account_id=${account}&limit=5&cursor=${cursor}`)).status, 200);
  });

  test('an invented cursor is refused, whatever it looks like', async () => {
    const { api, account } = bench();
    for (const cursor of [
      'x',
      'A'.repeat(1024),
      'A'.repeat(1025),
      'A'.repeat(15_000),
      '%00',
      '%27%20OR%201=1',
      '%F0%9F%92%A9',
      'eyJ0aW1lIjowfQ',
    ])
      assertRefused(await api.get(`/v1/orders?account_id=${account}&cursor=${cursor}`), 400, 'invalid_request', {
        fields: ['cursor'],
      });
  });

  test('limit is 1 to 100', async () => {
    const { api, account } = bench();
    for (const limit of ['0', '101', '-1', '1.5', 'all', '', '1e400'])
      assertRefused(await api.get(`/v1/orders?account_id=${account}&limit=${limit}`), 400, 'invalid_request', {
        fields: ['limit'],
      });
  });

  test('open positions have no pages: a cursor is refused', async () => {
    const { api, account } = bench();
    assertRefused(await api.get(`/v1/positions?account_id=${account}&cursor=x`), 400, 'invalid_request', {
      fields: ['cursor'],
    });
    assertRefused(await api.get(`/v1/positions?account_id=${account}&status=all`), 400, 'invalid_request', {
      fields: ['status'],
    });
  });

  test('fills come in settlement order, each with the order it filled', async () => {
    const { api, account } = bench();
    const { body } = await api.get(`/v1/fills?account_id=${account}`);
    for (const fill of body.data) {
      assert.equal(fill.status, 'filled');
      assert.ok(fill.fill_price > 0 && fill.notional > 0 && fill.fee > 0);
      assert.equal(Math.abs(fill.fill_price * fill.size - fill.notional) < 1e-6, true);
    }
  });
};

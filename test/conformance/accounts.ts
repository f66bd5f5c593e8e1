import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const accountTests: Part = (bench) => {
  test('accounts are listed with a fresh risk snapshot, and found by their id', async () => {
    const { api } = bench();
    const { body } = await api.get('/v1/accounts');
    for (const account of body.data) {
      assert.equal(account.risk.marks_complete, true);
      assert.equal(account.risk.equity, account.balance + account.risk.unrealized_pnl);
      const one = await api.get(`/v1/accounts/${account.id}`);
      assert.equal(one.body.data.id, account.id);
    }
  });

  test('when a position opens, the balance falls by exactly the fee, and the margin rises by its share of the notional', async () => {
    const { api, accounts, order } = { ...bench(), order: bench().order.bind(bench()) };
    const account = bench().accounts[1]!;
    assert.ok(accounts.includes(account));
    const { body: placed } = await api.post('/v1/orders', order({ account_id: account, size: 0.1, leverage: 4 }));
    const { body } = await api.get(`/v1/accounts/${account}`);
    const { balance, starting_balance, risk } = body.data;
    assert.equal(balance, Math.round((starting_balance - placed.data.fee) * 1e8) / 1e8);
    assert.equal(risk.margin_used, Math.round((placed.data.notional / 4) * 1e8) / 1e8);
    const own = Math.min(balance, risk.equity);
    assert.equal(risk.available_balance, Math.round((own - risk.margin_used) * 1e8) / 1e8);
  });

  test('the trading policy shows limits and rules', async () => {
    const { api, account } = bench();
    const { body } = await api.get(`/v1/accounts/${account}/trading-policy`);
    assert.equal(body.data.advisory, true);
    assert.equal(body.data.account_id, account);
    assert.deepEqual(
      body.data.account_rules.map(({ id }: { id: string }) => id),
      ['profit-target', 'daily-loss', 'maximum-drawdown'],
    );
  });

  test('an unknown account is not found, whatever the request', async () => {
    const { api } = bench();
    const id = 'acc_nobody';
    const answers = [
      await api.get(`/v1/accounts/${id}`),
      await api.get(`/v1/accounts/${id}/trading-policy`),
      await api.post(`/v1/accounts/${id}/cancel-all-orders`),
      await api.post(`/v1/accounts/${id}/close-all-positions`),
      await api.post(`/v1/accounts/${id}/acknowledge-copy-stop`, { stopped_at: 1 }),
      await api.get(`/v1/positions?account_id=${id}`),
      await api.get(`/v1/orders?account_id=${id}`),
      await api.get(`/v1/fills?account_id=${id}`),
      await api.get(`/v1/twap-orders?account_id=${id}`),
      await api.get(`/v1/scaled-orders?account_id=${id}`),
    ];
    for (const answer of answers) assertRefused(answer, 404, 'not_found');
  });

  test('lists of an account require its id', async () => {
    const { api } = bench();
    for (const path of ['positions', 'fills', 'twap-orders', 'scaled-orders'])
      assertRefused(await api.get(`/v1/${path}`), 400, 'invalid_request', { fields: ['account_id'] });
  });
};

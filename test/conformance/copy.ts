import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const copyTests: Part = (bench) => {
  const save = (groups: unknown[], deleted: string[] = []) =>
    bench().api.post('/v1/copy-trading', { groups, deleted_config_ids: deleted });
  const group = (changes: Record<string, unknown> = {}) => ({
    enabled: true,
    source_account_id: bench().accounts[0],
    targets: [{ account_id: bench().accounts[1], multiplier_bps: 10_000 }],
    ...changes,
  });

  test('a group is saved, copies the lead, locks its follower, and is disabled', async () => {
    const { api, accounts } = bench();
    const saved = await save([group()]);
    assert.equal(saved.status, 200);
    const [id] = saved.body.data.config_ids;
    const { body } = await api.get('/v1/copy-trading');
    assert.deepEqual(
      body.data.map((one: { config_id: string; enabled: boolean }) => [one.config_id, one.enabled]),
      [[id, true]],
    );

    await api.post('/v1/orders', bench().order({ size: 0.02 }));
    const copied = await api.get(`/v1/positions?account_id=${accounts[1]}`);
    assert.equal(copied.body.data[0].size, 0.02);

    const own = await api.post('/v1/orders', bench().order({ account_id: accounts[1] }));
    assertRefused(own, 422, 'rule_violation', { rule: 'copy-follower-locked' });
    assert.equal((await api.get(`/v1/accounts/${accounts[1]}/trading-policy`)).body.data.copy_follower_locked, true);

    assert.equal((await api.post(`/v1/copy-trading/${id}/disable`)).status, 200);
    const { data } = (await api.get(`/v1/accounts/${accounts[1]}/trading-policy`)).body;
    assert.equal(data.copy_follower_locked, false);
    assert.equal(typeof data.copy_stop.completed_at, 'number');
    const acknowledge = (stopped_at: number) =>
      api.post(`/v1/accounts/${accounts[1]}/acknowledge-copy-stop`, { stopped_at });
    assert.equal((await acknowledge(data.copy_stop.stopped_at - 1)).status, 200);
    const policy = async () => (await api.get(`/v1/accounts/${accounts[1]}/trading-policy`)).body.data.copy_stop;
    assert.equal((await policy()).acknowledged_at, null, 'another timestamp acknowledges nothing');
    assert.equal((await acknowledge(data.copy_stop.stopped_at)).status, 200);
    assert.equal(typeof (await policy()).acknowledged_at, 'number');
    assert.equal((await save([], [id])).status, 200);
    assert.deepEqual((await api.get('/v1/copy-trading')).body.data, []);
  });

  test('a save that violates a rule changes nothing', async () => {
    const { api, accounts } = bench();
    const itself = group({ targets: [{ account_id: accounts[0], multiplier_bps: 10_000 }] });
    const answer = await save([group({ enabled: false }), itself]);
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    assert.deepEqual((await api.get('/v1/copy-trading')).body.data, []);
  });

  test('an invalid request is refused, field by field', async () => {
    assertRefused(await save([group({ targets: [] })]), 400, 'invalid_request', { fields: ['groups[0].targets'] });
    assertRefused(await save(Array(21).fill(group())), 400, 'invalid_request', { fields: ['groups'] });
    assertRefused(await save([], Array(21).fill('x')), 400, 'invalid_request', { fields: ['deleted_config_ids'] });
    // Before the group is looked up.
    const unknown = group({ config_id: 'copy_none' });
    assertRefused(await save([unknown, unknown]), 400, 'invalid_request', { fields: ['groups[1].config_id'] });
    assertRefused(await save([unknown], ['copy_none']), 400, 'invalid_request', { fields: ['groups[0].config_id'] });
    const targets = [{ account_id: 'a', multiplier_bps: 999 }, { account_id: 'b' }];
    assertRefused(await save([group({ targets })]), 400, 'invalid_request', {
      fields: ['groups[0].targets[0].multiplier_bps', 'groups[0].targets[1].multiplier_bps'],
    });
    assertRefused(
      await bench().api.post(`/v1/accounts/${bench().account}/acknowledge-copy-stop`, { stopped_at: 'now', a: 1 }),
      400,
      'invalid_request',
      { fields: ['stopped_at', 'a'] },
    );
  });

  test('members and groups of another owner are not found', async () => {
    const { api } = bench();
    assertRefused(await save([group({ source_account_id: 'acc_none' })]), 404, 'not_found');
    assertRefused(await save([group({ config_id: 'copy_none' })]), 404, 'not_found');
    assertRefused(await save([], ['copy_none']), 404, 'not_found');
    assertRefused(await api.post('/v1/copy-trading/copy_none/disable'), 404, 'not_found');
  });
};

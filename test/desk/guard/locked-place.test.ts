import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { accountFile, lockAccount, lockFolder, lockFolders, readLock } from '../../../src/desk/lock/trading-lock.ts';
import { serve } from '../../../src/service/serve.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';
import { StagedDesk } from './staged/staged-desk.ts';

const cross = ['--leverage', '2', '--margin', 'cross'];
const buy = ['order', 'place', 'BTC', 'buy', '0.05', ...cross, '--json'];

/** A served simulation as a live host, with one account that a guard has locked. */
async function lockedHost(t: TestContext, desk: Desk, ...accounts: string[]) {
  await desk.json('sim', 'reset', '--plan', 'none', '--yes', '--clock', 'manual', ...accounts);
  const service = await serve({ stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const { port } = new URL(service.baseUrl);
  const at = (address: string) => ({
    PERP_ENV: 'live',
    PERP_BASE_URL: address.replace('PORT', port),
    PERP_API_KEY: service.key,
  });
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, '[no-trade]\nhours = "00:00-24:00"\n');
  const lock = async (account: string) => {
    const variables = at('http://127.0.0.1:PORT');
    const { exit, err } = await desk.perp(['guard', '--once', '--rules', rules, '--account', account], { variables });
    assert.equal(exit, 0, err);
  };
  return { at, lock };
}

trial('a locked account is locked however the address of its host is written', async (t) => {
  using desk = new Desk();
  const { at, lock } = await lockedHost(t, desk);
  await lock('acc_000000001');
  for (const address of [
    'http://127.0.0.1:PORT',
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT',
    'http://LocalHost:PORT',
    'http://127.1:PORT',
    'http://127.0.0.1:PORT//',
    'http://127.0.0.1:PORT/v1/..',
  ]) {
    const { exit, error } = await desk.perp(buy, { variables: at(address) });
    assert.deepEqual([exit, error.code], [5, 'guard_lock'], address);
  }
  assert.deepEqual(await desk.json('positions'), []);
});

test('an order on the lead of a copy group is refused while one of its followers is locked', async (t) => {
  using desk = new Desk();
  const { at, lock } = await lockedHost(t, desk, '--accounts', '3');
  const variables = at('http://localhost:PORT');
  const perp = (account: string, words: string[]) =>
    desk.perp([...words, '--account', account, '--json'], { variables });
  const [lead, follower, other] = ['acc_000000001', 'acc_000000002', 'acc_000000003'] as const;
  const saved = await perp(lead, ['copy', 'save', '--lead', lead, '--follower', follower!, '--enable', '--yes']);
  assert.equal(saved.exit, 0, saved.err);
  await lock(follower);
  const refused = await perp(lead, buy);
  assert.deepEqual([refused.exit, refused.error.code, refused.error.details.account_id], [5, 'guard_lock', follower]);
  assert.equal((await perp(other, buy)).exit, 0);
  assert.deepEqual((await perp(follower, ['positions'])).json, []);
});

/** An order on a staged host where another account is locked and the copy groups answer this status; what was sent. */
async function whereCopyGroupsAnswer(status: number) {
  using desk = new StagedDesk(1);
  const folder = lockFolder({ PERP_STATE_DIR: desk.state }, { environment: 'live', baseUrl: 'https://host.example' });
  lockAccount(folder, { account: 'acc_2', since: 0, until: Number.MAX_SAFE_INTEGER, why: 'a test' });
  const sent: string[] = [];
  desk.host.mishap = (id) => {
    sent.push(id);
    const body = { error: { code: 'staged', message: 'staged', request_id: 'req_1' } };
    if (id === 'createOrder') return { kind: 'status', status: 422, body };
    return id === 'listCopyTradingConfigurations' ? { kind: 'status', status, body } : undefined;
  };
  const words = ['order', 'place', 'BTC', 'buy', '1', ...cross, '--account', 'acc_1', '--force', '--yes', '--json'];
  const { exit, error, err } = await desk.time.during(desk.perp(words));
  return { exit, code: error.code, err, sent };
}

for (const status of [403, 418, 503])
  test(`while an account is locked, an order is refused if the copy groups answer ${status}`, async () => {
    const { exit, code, err, sent } = await whereCopyGroupsAnswer(status);
    assert.deepEqual([exit, code, sent.includes('createOrder')], [7, 'lock_unchecked', false], err);
  });

test('a host without copy groups has nothing that copies: while another account is locked, an order is sent', async () => {
  const { code, err, sent } = await whereCopyGroupsAnswer(404);
  assert.deepEqual([code, sent.includes('createOrder')], ['staged', true], err);
});

test('the name of a lock file stays the same from version to version', () => {
  assert.equal(accountFile('acc_1'), 'd20de1051f11687f');
});

test('a lock only grows: one that ends earlier leaves it as it is', () => {
  using desk = new Desk();
  const folder = join(desk.folder, 'locks');
  const lock = (until: number, why: string) => lockAccount(folder, { account: 'acc_1', since: 0, until, why });
  lock(20, 'first');
  for (const [until, why] of [
    [10, 'ends earlier'],
    [20, 'ends then, too'],
  ] as const) {
    lock(until, why);
    assert.deepEqual(readLock(folder, 'acc_1'), { account: 'acc_1', since: 0, until: 20, why: 'first' }, why);
  }
  lock(21, 'ends later');
  assert.deepEqual(readLock(folder, 'acc_1'), { account: 'acc_1', since: 0, until: 21, why: 'ends later' });
});

test('a lock of an earlier version, stored under the address as written, still holds', () => {
  using desk = new Desk();
  const variables = { PERP_STATE_DIR: join(desk.folder, 'state') };
  const former = join(desk.folder, 'state', 'guard', '7b06dc355b8ff356');
  lockAccount(join(former, 'locks'), { account: 'acc_1', since: 0, until: 1, why: 'a test' });
  const folders = () => lockFolders(variables, { environment: 'live', baseUrl: 'http://localhost:7400' });
  assert.ok(folders().includes(join(former, 'locks')));
  const folder = lockFolder(variables, { environment: 'live', baseUrl: 'http://localhost:7400' });
  assert.equal(readLock(folder, 'acc_1') !== undefined, true);
  assert.equal(existsSync(former), false);
  assert.equal(lockFolder(variables, { environment: 'live', baseUrl: 'http://127.1:7400/' }), folder);
});

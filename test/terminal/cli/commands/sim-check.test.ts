import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

function tamper(desk: Desk, sql: string): void {
  const database = new DatabaseSync(join(desk.variables.PERP_STATE_DIR!, 'default.db'));
  database.exec(sql);
  database.close();
}

test('an undamaged simulation is checked and backed up', async () => {
  using desk = new Desk();
  await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--yes']);
  const { exit, json } = await desk.perp(['sim', 'check', '--json']);
  assert.equal(exit, 0);
  const { state, sound, faults, backup, commands, repairs } = json;
  assert.deepEqual(
    { state, sound, faults, commands, repairs },
    { state: 'default', sound: true, faults: [], commands: 3, repairs: [] },
  );
  assert.match(backup, /default\.\d{4}-\d\d-\d\d\.backup$/);
  assert.match((await desk.perp(['sim', 'check'], { terminal: true })).out, /is undamaged\./);
});

trial('damage is reported by table and row, doctor suggests the fix, and --rebuild repairs it', async () => {
  using desk = new Desk();
  await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--yes']);
  tamper(desk, 'UPDATE accounts SET balance = balance + 1');
  const refused = await desk.perp(['order', 'place', 'BTC', 'buy', '0.02', '--yes', '--json']);
  assert.deepEqual([refused.exit, refused.error.code], [7, 'store_corrupt']);
  assert.match(refused.error.hint, /perp sim check/);

  const { exit, json } = await desk.perp(['sim', 'check', '--json']);
  assert.deepEqual([exit, json.sound, json.backup], [7, false, null]);
  assert.deepEqual(json.faults[0], { table: 'accounts', row: 'acc_000000001', what: 'has been altered' });
  assert.deepEqual(json.repairs, [{ kind: 'rebuild', commands: 3 }]);
  const told = await desk.perp(['sim', 'check'], { terminal: true });
  assert.match(told.out, /accounts acc_000000001: has been altered\n/);
  assert.match(told.out, /perp sim check --rebuild replays the 3 commands of its command log/);
  const { json: findings } = await desk.perp(['doctor', '--json']);
  const finding = findings.find(({ check }: { check: string }) => check === 'simulation default');
  assert.deepEqual([finding.status, finding.fix], ['fail', 'perp sim check --state default']);

  assert.equal((await desk.perp(['sim', 'check', '--rebuild'])).exit, 2, 'without a terminal it needs --yes');
  const repaired = await desk.perp(['sim', 'check', '--rebuild'], { terminal: true, answer: true });
  assert.equal(repaired.exit, 0, repaired.err);
  assert.match(repaired.out, /is repaired/);
  assert.equal((await desk.json('positions'))[0].size, 0.01);
});

test('with nothing to check or repair, perp says so and creates nothing', async () => {
  using desk = new Desk();
  assert.equal((await desk.perp(['sim', 'check', '--state', 'nope'])).exit, 3);
  assert.equal((await desk.perp(['sim', 'check', '--rebuild', '--restore', '--yes'])).exit, 2);
  await desk.perp(['sim', 'status']);
  const sound = await desk.perp(['sim', 'check', '--restore', '--yes']);
  assert.equal(sound.exit, 6);
  assert.match(sound.err, /is undamaged: there is nothing to repair/);
});

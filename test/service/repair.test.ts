import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { currentVersions } from '../../src/exchange/markets/versions.ts';
import { Store } from '../../src/exchange/store/store.ts';
import { inProcessTransport, SimulationError } from '../../src/service/public.ts';
import { checkState, repairState } from '../../src/service/simulation/repair.ts';
import { Api } from '../conformance/api.ts';
import { test, trial } from '../tiers.ts';
import { startTime } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const wall = () => startTime + 3_600_000;
const state = 'default';

interface Damaged {
  api: Api;
  account: string;
  hash(): string;
  close(): void;
}

async function desk(stateDir: string): Promise<Damaged> {
  const opened = await inProcessTransport({ stateDir, seed: 7, clock: 'manual', startTime, wall });
  const api = new Api(opened.transport);
  const account = (await api.get('/v1/accounts')).body.data[0].id;
  return {
    api,
    account,
    hash: () => opened.simulation.read(({ exchange }) => exchange.stateHash()),
    close: opened.close,
  };
}

/** Trades for a while; returns everything open, and every order. */
async function traded(stateDir: string): Promise<{ hash: string; orders: unknown }> {
  const { api, account, hash, close } = await desk(stateDir);
  const terms = { account_id: account, market_id: 'binance|BTCUSDT', leverage: 2, margin_mode: 'cross' };
  for (let step = 1; step <= 8; step++) {
    await api.post(
      '/v1/orders',
      { ...terms, side: step % 3 === 0 ? 'sell' : 'buy', size: 0.01 * step },
      { key: `k${step}` },
    );
    await api.post('/sim/advance', { duration_ms: 61_000 });
  }
  const result = { hash: hash(), orders: (await api.get(`/v1/orders?account_id=${account}`)).body };
  close();
  return result;
}

function tamper(stateDir: string, sql: string): void {
  const database = new DatabaseSync(join(stateDir, 'default.db'));
  database.enableDefensive(false);
  database.exec(sql);
  database.close();
}

test('a sound state is checked and backed up; the copy is itself a state', async (t) => {
  const stateDir = temporaryDirectory(t);
  const { orders } = await traded(stateDir);
  const found = await checkState(stateDir, state);
  assert.deepEqual([found.problem, found.repairs], [null, []]);
  assert.match(found.backup!, /default\.\d{4}-\d\d-\d\d\.backup$/);
  assert.deepEqual(readdirSync(stateDir).sort(), [basename(found.backup!), 'default.db']);
  writeFileSync(join(stateDir, 'copy.db'), readFileSync(found.backup!));
  const { transport, close } = await inProcessTransport({ stateDir, state: 'copy', wall });
  t.after(close);
  const api = new Api(transport);
  assert.deepEqual(
    (await api.get(`/v1/orders?account_id=${(await api.get('/v1/accounts')).body.data[0].id}`)).body,
    orders,
  );
});

test('damage is reported by table and row, and the state is rebuilt from its command log', async (t) => {
  const stateDir = temporaryDirectory(t);
  const before = await traded(stateDir);
  tamper(stateDir, 'UPDATE positions SET cost = cost + 1; UPDATE orders SET size = size * 2 WHERE settle_sequence = 2');
  const found = await checkState(stateDir, state);
  assert.equal(found.problem!.kind, 'corrupt');
  assert.equal(found.backup, null);
  const rows = found.examination!.faults.map(({ table, row }) => `${table} ${row}`);
  assert.ok(
    rows.some((row) => /^positions pos_\w+$/.test(row)) && rows.some((row) => /^orders ord_\w+$/.test(row)),
    rows.join(),
  );
  assert.deepEqual(found.repairs, [{ kind: 'rebuild', commands: 10 }]);

  const { setAside } = await repairState(stateDir, state, 'rebuild');
  assert.match(setAside, /default\.db\.damaged-/);
  assert.equal((await checkState(stateDir, state)).problem, null);
  const { api, account, hash, close } = await desk(stateDir);
  t.after(close);
  assert.equal(hash(), before.hash);
  assert.deepEqual((await api.get(`/v1/orders?account_id=${account}`)).body, before.orders);
  const terms = { account_id: account, market_id: 'binance|BTCUSDT', leverage: 2, margin_mode: 'cross' };
  const replay = await api.post('/v1/orders', { ...terms, side: 'buy', size: 0.01 }, { key: 'k1' });
  assert.equal(replay.status, 200, 'keys are kept as well: a replay creates no second order');
});

test('what time did after the last command is rebuilt, too', async (t) => {
  const stateDir = temporaryDirectory(t);
  await traded(stateDir);
  const { api, close } = await desk(stateDir);
  await api.post('/sim/advance', { duration_ms: 2 * 3_600_000 });
  close();
  const stored = () => {
    const store = Store.open(join(stateDir, 'default.db'));
    const open = store.loadOpenState()!;
    store.close();
    return open;
  };
  const before = stored();
  assert.ok(before.time >= startTime + 3_600_000, 'carry was paid');
  tamper(stateDir, 'UPDATE positions SET cost = cost + 1');
  await checkState(stateDir, state);
  await repairState(stateDir, state, 'rebuild');
  assert.deepEqual(stored(), before);
});

trial(
  'a command log that is damaged, or was written under other versions, is not replayed: the backup is offered',
  async (t) => {
    const ways: Record<string, [sql: string, told: RegExp]> = {
      'a damaged command': [
        "UPDATE journal SET command = replace(command, 'buy', 'sell') WHERE sequence IN (3, 4)",
        /its command log has 2 rows altered/,
      ],
      'a lost command': ['DELETE FROM journal WHERE sequence = 4', /its command log has lost 1 row\./],
      'the last commands': ['DELETE FROM journal WHERE sequence > 9', /its command log has lost 2 rows/],
      'two versions': [
        'INSERT INTO versions SELECT checksum, 5, rules, catalog, prices FROM versions',
        /its command log no longer names its version/,
      ],
      'older versions': [
        `UPDATE versions SET rules = ${currentVersions.synthetic.rules - 1}`,
        /its command log no longer names its version/,
      ],
    };
    for (const [what, [sql, told]] of Object.entries(ways)) {
      const stateDir = temporaryDirectory(t);
      await traded(stateDir);
      const { backup } = await checkState(stateDir, state);
      const { api, account, close } = await desk(stateDir);
      const terms = { account_id: account, market_id: 'binance|BTCUSDT', leverage: 2, margin_mode: 'cross' };
      await api.post('/v1/orders', { ...terms, side: 'buy', size: 0.01, client_order_id: 'later' });
      close();
      tamper(stateDir, `${sql}; UPDATE accounts SET balance = balance + 1`);
      const found = await checkState(stateDir, state);
      assert.deepEqual(
        found.repairs.map((repair) => repair.kind),
        ['restore'],
        what,
      );
      assert.match(found.rebuildProblem!, told, what);
      await assert.rejects(repairState(stateDir, state, 'rebuild'), SimulationError, what);
      await repairState(stateDir, state, 'restore');
      assert.equal((await checkState(stateDir, state)).problem, null, what);
      assert.ok(existsSync(backup!));
      const restored = await desk(stateDir);
      assert.deepEqual((await restored.api.get('/v1/orders?client_order_id=later')).body.data, [], 'as of the backup');
      restored.close();
    }
  },
);

test('a file that is no longer a database is restored from its backup; without one there is no repair', async (t) => {
  const stateDir = temporaryDirectory(t);
  await traded(stateDir);
  await checkState(stateDir, state);
  writeFileSync(join(stateDir, 'default.db'), 'x'.repeat(50_000));
  const found = await checkState(stateDir, state);
  assert.deepEqual(
    found.repairs.map(({ kind }) => kind),
    ['restore'],
  );
  await repairState(stateDir, state, 'restore');
  assert.equal((await checkState(stateDir, state)).problem, null);

  writeFileSync(join(stateDir, 'other.db'), 'x'.repeat(50_000));
  assert.deepEqual((await checkState(stateDir, 'other')).repairs, []);
  await assert.rejects(repairState(stateDir, 'other', 'restore'), /no undamaged backup/);
});

test('a damaged backup is skipped', async (t) => {
  const stateDir = temporaryDirectory(t);
  await traded(stateDir);
  const store = Store.open(join(stateDir, 'default.db'));
  store.backUp('older');
  store.close();
  const { backup } = await checkState(stateDir, state);
  for (const file of [join(stateDir, 'default.db'), backup!]) writeFileSync(file, 'x'.repeat(50_000));
  const { repairs } = await checkState(stateDir, state);
  assert.deepEqual(
    repairs.map((repair) => repair.kind === 'restore' && repair.backup),
    [join(stateDir, 'default.older.backup')],
  );
});

test('a sound, missing or served state is not repaired', async (t) => {
  const stateDir = temporaryDirectory(t);
  await traded(stateDir);
  await assert.rejects(repairState(stateDir, state, 'rebuild'), /is undamaged/);
  assert.throws(
    () => checkState(stateDir, 'missing'),
    (error) => error instanceof SimulationError && error.kind === 'missing',
  );
  assert.equal(existsSync(join(stateDir, 'missing.db')), false);
});

const losses: Record<string, { sql: string; told: RegExp; isRebuilt: boolean }> = {
  'the name of a setting': {
    sql: "UPDATE settings SET name = 'sourbe' WHERE name = 'source'",
    told: /row source of table settings is missing/,
    isRebuilt: false,
  },
  'all settings': {
    sql: 'DELETE FROM settings',
    told: /rows of table settings are missing/,
    isRebuilt: false,
  },
  'the clock': {
    sql: "DELETE FROM settings WHERE name = 'clock'",
    told: /a row of table settings is missing/,
    isRebuilt: false,
  },
  'the head': { sql: 'DELETE FROM head', told: /row 1 of table head is missing/, isRebuilt: true },
  'the description of a table': {
    sql: "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'carried_until', 'carried_entil') WHERE name = 'positions'",
    told: /no such column: carried_until/,
    isRebuilt: true,
  },
};

for (const [at, bits, told] of [
  [47, 1, /unsupported file format/],
  // The version: 4 becomes 3.
  [63, 7, /duplicate column name/],
] as const) {
  test(`a damaged byte ${at} of the file's header is reported as damage`, async (t) => {
    const stateDir = temporaryDirectory(t);
    await traded(stateDir);
    const file = join(stateDir, 'default.db');
    const bytes = readFileSync(file);
    bytes[at]! ^= bits;
    writeFileSync(file, bytes);
    await assert.rejects(desk(stateDir), { name: 'StoreError', kind: 'corrupt', message: told });
  });
}

for (const [what, { sql, told, isRebuilt }] of Object.entries(losses)) {
  test(`a state that has lost ${what} is damaged, and keeps everything else`, async (t) => {
    const stateDir = temporaryDirectory(t);
    await traded(stateDir);
    tamper(stateDir, sql);
    const before = readFileSync(join(stateDir, 'default.db'));
    const open = async () => {
      const { simulation, close } = await inProcessTransport({ stateDir, wall });
      t.after(close);
      simulation.read(({ exchange }) => exchange.stateHash());
    };
    await assert.rejects(open, { name: 'StoreError', kind: 'corrupt', message: told });
    assert.deepEqual(readFileSync(join(stateDir, 'default.db')), before);
    const { problem, repairs } = await checkState(stateDir, state);
    assert.equal(problem!.kind, 'corrupt');
    assert.equal(
      repairs.some(({ kind }) => kind === 'rebuild'),
      isRebuilt,
    );
  });
}

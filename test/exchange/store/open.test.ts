import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { databaseHealth } from '../../../src/exchange/store/check.ts';
import { StoreError, type StoreErrorKind } from '../../../src/exchange/store/errors.ts';
import { applicationId, migrate, schema } from '../../../src/exchange/store/schema.ts';
import { StateDatabase } from '../../../src/exchange/store/state-database.ts';
import { Store } from '../../../src/exchange/store/store.ts';
import { test, trial } from '../../tiers.ts';
import { runAsOrdinaryUser } from './programs.ts';
import { account, changes, filledOrder, order, position, posting, remembered } from './samples.ts';
import { newStore, nothingOpen, temporaryDirectory, temporaryFile } from './state-file.ts';

/** Expects a StoreError of this kind that names the file. */
function refuses(work: () => unknown, kind: StoreErrorKind, file: string, words: RegExp): void {
  assert.throws(work, (error) => {
    assert.ok(error instanceof StoreError, String(error));
    assert.equal(error.kind, kind);
    assert.equal(error.file, file);
    assert.ok(error.message.includes(file), error.message);
    assert.match(error.message, words);
    return true;
  });
}

/** Modes and users are POSIX; on other systems a file belongs to its user by its location. */
const posix = { skip: process.platform === 'win32' ? 'no file modes on this system' : false };

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** A sound state with some orders, closed, with its log checkpointed into the file. */
function soundFile(t: Parameters<typeof temporaryFile>[0], count = 500): string {
  const store = newStore(t);
  store.transaction(() => {
    store.write(changes({ accounts: [account()] }));
    store.write(changes({ orders: Array.from({ length: count }, (_, index) => order(index + 1)) }));
  });
  store.close();
  return store.file;
}

test('a new state is created with its directories, readable only by its owner', posix, (t) => {
  const file = join(temporaryDirectory(t), 'a', 'b', 'state.db');
  const store = newStore(t, file);
  assert.equal(mode(dirname(file)), '700');
  assert.equal(mode(dirname(dirname(file))), '700');
  assert.deepEqual(
    readdirSync(dirname(file)).map((name) => `${name} ${mode(join(dirname(file), name))}`),
    ['state.db 600', 'state.db-shm 600', 'state.db-wal 600'],
  );
  store.close();
  assert.deepEqual(readdirSync(dirname(file)), ['state.db'], 'closed, the state is one file');
});

test('a state is a SQLite file of ours, with a write-ahead log, synced on every commit', (t) => {
  const connection = new StateDatabase(temporaryFile(t));
  t.after(() => connection.close());
  migrate(connection);
  const pragma = (name: string) => connection.prepare(`PRAGMA ${name}`).row()![0];
  assert.equal(pragma('application_id'), BigInt(applicationId));
  assert.equal(pragma('user_version'), BigInt(schema.version));
  assert.equal(pragma('journal_mode'), 'wal');
  assert.equal(pragma('synchronous'), 2n, 'FULL');
  assert.equal(pragma('foreign_keys'), 1n);
  assert.equal(pragma('busy_timeout'), 5_000n);
});

/** The tables of each version that a state can have, and the digest of that text: it never changes. */
const published = (
  [
    [2, '796c4da511163f7d01c4428819960a80c852b8afafc412e1b9162fcb9ad70dc7'],
    [4, 'bfe62898e995ae3153befdfe74bdf4e844045bc8967fa14c33c4bc26cb7730c6'],
    [5, '7475abe6ed1255f3d3b8ed2efa884abf973258d5e2b80c4e3532ab85724bd89a'],
  ] as const
).map(([version, digest]) => {
  const sql = readFileSync(new URL(`schema-${version}.sql`, import.meta.url), 'utf8');
  return { version, digest, sql, statements: sql.split(/;\n\n?/).slice(0, -1) };
});

test('the tables of a published version do not change', () => {
  assert.deepEqual(
    [...schema.upgrades.map(({ from }) => from), schema.version],
    published.map(({ version }) => version),
  );
  assert.equal(
    `${schema.create().join(';\n\n')};\n`,
    published.at(-1)!.sql,
    'a change of the tables needs a new version and a step to it; the frozen text stays as the older version',
  );
  for (const { version, digest, sql } of published)
    assert.equal(hash('sha256', sql), digest, `the tables of version ${version} must not be edited`);
});

/** A file of an older version, as that version of perp created it. */
function fileOfVersion(t: Parameters<typeof temporaryFile>[0], version: number): string {
  const file = temporaryFile(t);
  const connection = new StateDatabase(file);
  migrate(connection, {
    version,
    create: () => published.find((one) => one.version === version)!.statements,
    upgrades: [],
  });
  connection.close();
  return file;
}

/** Fills an older file with the rows of a current state, as far as its columns allow. */
function fill(file: string, state: Store): void {
  state.close();
  const writer = new DatabaseSync(file);
  writer.prepare('ATTACH ? AS filled').run(state.file);
  for (const table of [
    'head',
    'accounts',
    'orders',
    'positions',
    'ledger',
    'journal',
    'idempotency',
    'keys',
    'codes',
    'settings',
  ]) {
    const columns = writer
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name)
      .join(', ');
    writer.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM filled.${table}`);
  }
  writer.close();
}

test('a file of any older version is migrated to the current tables', (t) => {
  const tables = (file: string) => {
    const connection = new StateDatabase(file);
    const columns = connection
      .prepare(
        `SELECT tables.name, columns.name, columns.type, "notnull", pk FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' ORDER BY tables.name, columns.name`,
      )
      .rows();
    const indices = connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").rows();
    const version = connection.prepare('PRAGMA user_version').row();
    connection.close();
    return { columns, indices, version };
  };
  const fresh = newStore(t);
  fresh.close();
  for (const { version } of published.slice(0, -1)) {
    const file = fileOfVersion(t, version);
    Store.open(file).close();
    assert.deepEqual(tables(file), tables(fresh.file), `from version ${version}`);
  }
});

test('a migrated state is complete: every row has its checksum, and none reads as damaged', (t) => {
  for (const { version } of published.slice(0, -1)) {
    const file = fileOfVersion(t, version);
    const filled = newStore(t);
    const records = { accounts: [account()], orders: [order(1), filledOrder(2)], ledger: [posting(1)] };
    filled.transaction(() => {
      filled.write(changes({ ...records, positions: [position(3)] }));
      filled.appendCommand(1_000, { kind: 'cancel_order', orderId: 'ord_1' });
      filled.remember(remembered('key'));
      filled.setSetting('clock', 'manual');
    });
    fill(file, filled);
    const store = Store.open(file);
    t.after(() => store.close());
    assert.deepEqual(store.account('acc_1'), account());
    assert.deepEqual([store.order(order(1).id), store.order(filledOrder(2).id)], records.orders);
    assert.deepEqual(store.ledger({ accountId: 'acc_1', limit: 9, after: null }).rows, records.ledger);
    assert.deepEqual(store.openPositions('acc_1'), [position(3)]);
    assert.deepEqual(store.idempotency('owner', 'createOrder', 'key'), remembered('key'));
    assert.equal(store.commands(0, 9).length, 1);
    assert.equal(store.setting('clock'), 'manual');
    // Since version 3, the state itself records this.
    const first = { journalFrom: 1, rules: 1, catalog: 1, prices: 1 };
    assert.deepEqual(store.versions(), version < 3 ? first : null);
  }
});

test('before an older state is migrated, it is backed up, readable only by its owner', posix, (t) => {
  const file = fileOfVersion(t, 2);
  const filled = newStore(t);
  filled.transaction(() => filled.write(changes({ accounts: [account()] })));
  fill(file, filled);
  Store.open(file).close();
  const copy = file.replace(/\.db$/, '.format-2.backup');
  assert.equal(mode(copy), '600');
  const database = new DatabaseSync(copy, { readOnly: true });
  t.after(() => database.close());
  assert.deepEqual({ ...database.prepare('PRAGMA user_version').get() }, { user_version: 2 });
  assert.equal(database.prepare('SELECT id FROM accounts').get()!.id, 'acc_1');
  assert.deepEqual(readdirSync(dirname(file)).sort(), [basename(file), basename(copy)].sort());
});

test('a state is unchanged when it is reopened', (t) => {
  const file = soundFile(t, 3);
  const store = Store.open(file);
  t.after(() => store.close());
  assert.equal(store.loadOpenState()!.orders.length, 3);
});

test('an empty file, or a log without its file, is what is left of a state, not a new one', (t) => {
  for (const [name, what] of [
    ['', /is empty/],
    ['-wal', /is missing, but its log is not/],
  ] as const) {
    const file = temporaryFile(t);
    writeFileSync(file + name, name === '' ? '' : 'x'.repeat(4_096));
    refuses(() => Store.open(file), 'corrupt', file, what);
    assert.deepEqual(readdirSync(dirname(file)), [basename(file + name)], 'nothing was created');
  }
});

test('a new state appears complete, and leaves nothing beside it', (t) => {
  const file = temporaryFile(t);
  const left = `${file}.new-1`;
  writeFileSync(left, 'what a process left that ended here');
  utimesSync(left, 1, 1);
  const store = Store.open(file);
  t.after(() => store.close());
  assert.equal(store.loadOpenState(), null);
  assert.deepEqual(
    readdirSync(dirname(file)).filter((name) => !/-(wal|shm)$/.test(name)),
    [basename(file)],
  );
  assert.equal(mode(file), '600');
});

/** Opens the state with `open`. Before each statement that it prepares, in turn, another process creates that state. */
function createdBeforeEachStatement(t: TestContext, open: (file: string) => void): void {
  for (let nth = 1, isReached = true; isReached; nth++) {
    const file = temporaryFile(t);
    // In write-ahead mode, a reader does not make the other process wait.
    const empty = new DatabaseSync(file);
    empty.exec('PRAGMA journal_mode = WAL');
    const { prepare } = DatabaseSync.prototype;
    let prepared = 0;
    const spied = t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
      prepared += 1;
      if (prepared === nth) {
        spied.mock.restore();
        Store.open(file).close();
      }
      return prepare.call(this, sql);
    });
    open(file);
    spied.mock.restore();
    isReached = prepared === nth;
    empty.close();
  }
}

test('a state that another process creates at any moment while it is opened or checked is recognized', (t) => {
  createdBeforeEachStatement(t, (file) => Store.open(file).close());
  createdBeforeEachStatement(t, (file) => assert.equal(databaseHealth(file).problem, null));
});

test('a file that is not a database is refused with its name and the fix, and is unchanged', (t) => {
  const file = temporaryFile(t);
  for (const content of ['not a database, but long enough to look like one: '.repeat(100), 'xy', '\0'.repeat(8_192)]) {
    writeFileSync(file, content);
    refuses(() => Store.open(file), 'corrupt', file, /copy|move/i);
    assert.equal(readFileSync(file, 'utf8'), content);
  }
});

test("another program's database is refused and unchanged", (t) => {
  const file = temporaryFile(t);
  for (const sql of ['CREATE TABLE notes (body)', 'PRAGMA application_id = 77', 'PRAGMA user_version = 3']) {
    rmSync(file, { force: true });
    const other = new DatabaseSync(file);
    other.exec(sql);
    other.close();
    const before = readFileSync(file);
    for (const attempt of [Store.open, Store.destroy, Store.setAside]) {
      refuses(() => attempt(file), 'foreign', file, /another program/);
    }
    assert.deepEqual(readFileSync(file), before);
  }
});

test("another program's database in use is refused without checkpointing its log", (t) => {
  const file = temporaryFile(t);
  const other = new DatabaseSync(file);
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (body); PRAGMA wal_checkpoint(TRUNCATE)');
  other.exec("INSERT INTO notes VALUES ('kept')");
  const before = ['', '-wal'].map((suffix) => readFileSync(file + suffix));
  refuses(() => Store.open(file), 'foreign', file, /another program/);
  refuses(() => Store.destroy(file), 'foreign', file, /another program/);
  assert.deepEqual(
    ['', '-wal'].map((suffix) => readFileSync(file + suffix)),
    before,
  );
  other.close();
});

test('a damaged state is moved aside with its log, byte for byte', (t) => {
  const file = soundFile(t, 3);
  writeFileSync(file, 'x'.repeat(9_000));
  writeFileSync(`${file}-wal`, 'y');
  const aside = Store.setAside(file);
  assert.match(aside, /\.db\.damaged-[0-9TZ]+$/);
  assert.deepEqual(readdirSync(dirname(file)), [aside, `${aside}-wal`].map((path) => basename(path)).sort());
  assert.equal(readFileSync(aside, 'utf8'), 'x'.repeat(9_000));
});

test('a truncated file is refused', (t) => {
  for (const keep of [0.9, 0.5, 0.01]) {
    const file = soundFile(t);
    truncateSync(file, Math.floor(statSync(file).size * keep));
    refuses(() => Store.open(file).loadOpenState(), 'corrupt', file, /copy|move/i);
  }
});

test('damage in the middle of a file is reported by the read that finds it', (t) => {
  const file = soundFile(t);
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 4_096 * 2);
  writeFileSync(file, bytes);
  refuses(
    () => {
      const store = Store.open(file);
      t.after(() => store.close());
      return store.loadOpenState();
    },
    'corrupt',
    file,
    /damaged/,
  );
});

test('a newer file is refused with the fix, and is unchanged', (t) => {
  const file = soundFile(t, 3);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA user_version = ${schema.version + 1}`);
  database.close();
  const before = readFileSync(file);
  refuses(() => Store.open(file), 'newer', file, /format 6; this one knows up to 5.*Update perp/);
  assert.deepEqual(readFileSync(file), before);
});

test('a file of a version that no state was kept in is refused with the fix, and is unchanged', (t) => {
  const file = soundFile(t, 3);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 3');
  database.close();
  const before = readFileSync(file);
  refuses(() => Store.open(file), 'outdated', file, /unfinished perp \(format 3\).*another state/);
  assert.equal(databaseHealth(file).problem?.kind, 'outdated');
  assert.deepEqual(readFileSync(file), before);
});

test('an older file is migrated step by step; each step is applied completely or not at all', (t) => {
  const file = temporaryFile(t);
  const open = () => {
    const connection = new StateDatabase(file);
    t.after(() => connection.close());
    return connection;
  };
  const version = (connection: StateDatabase) => connection.prepare('PRAGMA user_version').row()![0];
  const names = (connection: StateDatabase) => connection.prepare('SELECT name FROM sqlite_schema').rows().flat();
  const first = open();
  migrate(first, { version: 1, create: () => ['CREATE TABLE one (a)'], upgrades: [] });
  first.execute('INSERT INTO one VALUES (7)');

  const toTwo = { from: 1, to: 2, sql: ['ALTER TABLE one ADD COLUMN b'] };
  const toFour = { from: 2, to: 4, sql: ['CREATE TABLE four (a)'] };
  const twice = { ...toFour, sql: [...toFour.sql, ...toFour.sql] };
  const broken = open();
  assert.throws(() => migrate(broken, { version: 4, create: () => [], upgrades: [toTwo, twice] }), /already exists/);
  assert.deepEqual(
    [version(broken), names(broken)],
    [2n, ['one']],
    'the completed step stays, nothing of the broken one',
  );

  const repaired = open();
  migrate(repaired, { version: 4, create: () => [], upgrades: [toTwo, toFour] });
  assert.deepEqual([version(repaired), names(repaired)], [4n, ['one', 'four']]);
  assert.deepEqual(repaired.prepare('SELECT a, b FROM one').rows(), [[7n, null]]);
});

trial('a state in a read-only file or directory is refused', posix, (t) => {
  for (const locked of ['file', 'directory']) {
    const file = soundFile(t, 3);
    chmodSync(file, locked === 'file' ? 0o444 : 0o666);
    chmodSync(dirname(file), locked === 'directory' ? 0o555 : 0o777);
    const { kind, message } = runAsOrdinaryUser(file);
    chmodSync(dirname(file), 0o700);
    assert.equal(kind, 'read_only', `${locked}: ${message}`);
    assert.ok(message.includes(file) && /writable/.test(message), message);
  }
});

trial('a state in a read-only directory is not created', posix, (t) => {
  const file = temporaryFile(t);
  chmodSync(dirname(file), 0o555);
  const kinds = [file, join(dirname(file), 'below', 'state.db')].map((path) => runAsOrdinaryUser(path).kind);
  chmodSync(dirname(file), 0o700);
  assert.deepEqual(kinds, ['read_only', 'read_only']);
});

test('a path that cannot be a file is refused', (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'file'), 'x');
  mkdirSync(join(directory, 'folder'));
  for (const name of ['file/state.db', 'file/a/state.db']) {
    const file = join(directory, name);
    refuses(() => Store.open(file), 'io', file, /path/);
  }
  const folder = join(directory, 'folder');
  refuses(() => Store.open(folder), 'special', folder, /not a regular file/);
});

test('a full disk keeps nothing of the transaction, and everything of earlier ones', (t) => {
  const file = temporaryFile(t);
  newStore(t, file).close();
  const store = Store.open(file, { maxPages: statSync(file).size / 4_096 + 10 });
  t.after(() => store.close());
  let kept = 0;
  const fill = () => {
    for (;;) {
      store.transaction(() => {
        store.write(changes({ orders: [order(kept + 1), order(kept + 2)] }));
      });
      kept += 2;
    }
  };
  store.transaction(() => store.write(changes({ accounts: [account()] })));
  refuses(fill, 'full', file, /Free some disk space.*nothing was changed/);
  assert.ok(kept > 0);
  assert.equal(store.inTransaction, false);
  assert.equal(store.loadOpenState()!.orders.length, kept);
});

test('a write that waited too long for another fails with that reason and changes nothing', (t) => {
  const holder = newStore(t);
  const waiting = Store.open(holder.file, { busyTimeoutMs: 30 });
  t.after(() => waiting.close());
  holder.transaction(() => {
    const started = performance.now();
    refuses(() => waiting.transaction(() => assert.fail('not reached')), 'busy', holder.file, /Try again/);
    assert.ok(performance.now() - started >= 25, 'after the wait, not at once');
    assert.deepEqual(waiting.loadOpenState(), nothingOpen, 'reads continue in the meantime');
  });
});

test('destroying removes a state and its files, whether sound, damaged or missing', (t) => {
  const sound = soundFile(t, 3);
  const damaged = soundFile(t, 3);
  writeFileSync(damaged, 'x'.repeat(9_000));
  writeFileSync(`${damaged}-wal`, 'y');
  for (const file of [sound, damaged, temporaryFile(t)]) {
    Store.destroy(file);
    assert.deepEqual(readdirSync(dirname(file)), []);
  }
});

test('a state in use is not destroyed', (t) => {
  const store = newStore(t);
  refuses(() => Store.destroy(store.file), 'busy', store.file, /locked/);
  assert.deepEqual(store.loadOpenState(), nothingOpen);
});

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { unsettledWrites } from '../../../src/desk/intents/intent-files.ts';
import { lineOf, type Note } from '../../../src/desk/intents/note.ts';
import { intentOf } from '../../../src/wire/client/intent.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { Desk } from '../../terminal/cli/practice.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const venue = fixture('bybit-xrpusdt-ob500.jsonl');
const recording = fixture('binance-usdm-btcusdt-345s.jsonl.gz');

/** Every file in the desk's folder. */
function files(desk: Desk): string[] {
  return readdirSync(desk.folder, { recursive: true }).map(String).sort();
}

const local: readonly (readonly [line: string, says: RegExp])[] = [
  ['order place BTC buy 0.01', /Dry run: nothing was sent/],
  [`order place BTC buy 0.01 --books ${recording}`, /Dry run: nothing was sent/],
  ['cancel-all', /Dry run: nothing was sent/],
  ['close-all --cancel-orders', /Dry run: nothing was sent/],
  ['accounts use acc_000000001', /Dry run: acc_000000001 .* would be used on SIM default, synthetic/],
  ['config set trade.leverage 3', /Dry run: trade\.leverage would be 3/],
  ['sim reset', /Dry run: the simulation default is unchanged/],
  ['sim key add', /Dry run: nothing was sent/],
  ['sim policy --restrict reduce_only', /Dry run: nothing was sent/],
  ['sim fund acc_000000001', /Dry run: nothing was sent/],
  ['sim advance 30s --clock manual', /Dry run: nothing was sent/],
  [`sim import ${venue} -o friday.jsonl`, /Dry run: nothing was written/],
  ['pending resume', /Every write is settled/],
  ['completion bash', /complete/],
];

for (const [line, says] of local) {
  test(`${line.replaceAll(/\S*\/fixtures\//g, '')} --dry-run says what it would do, and leaves nothing behind`, async () => {
    using desk = new Desk();
    const run = await desk.perp([...line.replace('friday', join(desk.folder, 'friday')).split(' '), '--dry-run']);
    assert.equal(run.exit, 0, run.err);
    assert.match(run.out, says);
    assert.deepEqual(files(desk), []);
  });
}

test('a dry run uses an existing state', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--accounts', '2', '--yes');
  const run = await desk.perp(['accounts', 'use', 'acc_000000003', '--dry-run']);
  assert.equal(run.exit, 3, 'ids of the live accounts are acc_000000001 and acc_000000002');
  assert.equal((await desk.perp(['accounts', 'use', 'acc_000000002', '--dry-run'])).exit, 0);
});

test('sim import --dry-run reads the whole file and reports the same as the import', async () => {
  using desk = new Desk();
  const out = join(desk.folder, 'friday.jsonl.gz');
  const foretold = await desk.json('sim', 'import', venue, '-o', out, '--dry-run');
  assert.deepEqual(files(desk), []);
  assert.deepEqual(await desk.json('sim', 'import', venue, '-o', out), foretold);
});

test('sim import --dry-run rejects what the import would reject', async () => {
  using desk = new Desk();
  const broken = join(desk.folder, 'broken.ndjson');
  writeFileSync(broken, `${readFileSync(venue, 'utf8')}{"not":"whole`);
  for (const [file, out] of [
    [broken, 'friday.jsonl'],
    [venue, 'no-such-folder/friday.jsonl'],
    [venue, '.'],
  ] as const) {
    const argv = ['sim', 'import', file, '-o', join(desk.folder, out)];
    const foretold = await desk.perp([...argv, '--dry-run']);
    assert.equal(foretold.exit, 2, foretold.out);
    assert.equal((await desk.perp(argv)).err, foretold.err);
  }
});

test("commands that can't be simulated reject --dry-run", async () => {
  using desk = new Desk();
  const run = await desk.perp(['sim', 'serve', '--dry-run', '--port', '0', '--sandbox-port', '0']);
  assert.equal(run.exit, 2);
  assert.match(run.err, /sim serve .*--dry-run/);
  assert.deepEqual(files(desk), []);
});

test('pending resume --forget --dry-run keeps the write and does not claim that it would be sent', async () => {
  using desk = new Desk();
  const folder = join(desk.folder, 'state', 'intents');
  mkdirSync(folder, { recursive: true });
  const body = JSON.stringify({ account_id: 'acc_000000001', market_id: 'binance|BTCUSDT' });
  const intent = intentOf(operations.createOrder, { target: '/v1/orders', path: {}, body }, 'key-1');
  const times = { time: 1, until: 2, pid: 1 };
  const note: Note = { format: 1, id: 'write-1', environment: 'sim', state: 'default', ...times, intent };
  writeFileSync(join(folder, '1-1-x.journal'), lineOf({ kind: 'opened', note }));
  const run = await desk.perp(['pending', 'resume', 'key-1', '--forget', '--dry-run']);
  assert.equal(run.exit, 0, run.err);
  assert.match(run.out, /key-1 would be removed from the list/);
  assert.equal(unsettledWrites(folder).writes.length, 1);
  const unsure = await desk.perp(['pending', 'resume', '--forget', '--dry-run']);
  assert.equal(unsure.exit, 2, 'refused as it would be without --dry-run');
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { csvTable, exportTape } from '../../../src/venues/export/export-tape.ts';
import { importExport } from '../../../src/venues/export/import-export.ts';
import { eventText } from '../../../src/venues/tape/tape-text.ts';
import { verifyTape } from '../../../src/venues/tape/verify.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { test, trial } from '../../tiers.ts';
import { drawTape } from '../live/drawn-tape.ts';

/** A tape's events with every decimal as a number, whatever zeros it was written with. */
async function eventsOf(tape: string, from?: number): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const line of eventText(tape, { from })) {
    const event = JSON.parse(line, (_, value) => (/^\d+\.?\d*$/.test(value) ? Number(value) : value));
    // A market's line may come earlier than its first event.
    if (event.market !== undefined) delete event.time;
    events.push(event);
  }
  return events;
}

for (const format of ['csv', 'parquet'] as const)
  trial(`a tape exported as ${format} and imported again has the same events, numbers and times`, async (t) => {
    for (const seed of [1, 2, 3]) {
      const folder = temporaryFolder(t);
      const [tape, tables, back] = ['day.jsonl.gz', 'tables', 'back.jsonl'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await drawTape(tape, new Chance(seed), { events: 150, partBytes: 5_000 });
      const { rows } = await exportTape(tape, tables, format);
      assert.deepEqual(
        readdirSync(tables).sort(),
        ['books', 'export', 'lines', 'trades'].map((name) => `${name}.${name === 'export' ? 'json' : format}`),
      );
      const { lines } = await importExport(tables, back, {});
      assert.equal(lines, rows.lines);
      assert.deepEqual(await eventsOf(back), await eventsOf(tape));
      assert.deepEqual(
        [...verifyTape(back)].map(({ proof }) => proof),
        ['verified'],
      );
    }
  });

test('an export from a later time begins with the state at that time', async (t) => {
  const folder = temporaryFolder(t);
  const tape = join(folder, 'day.jsonl.gz');
  await drawTape(tape, new Chance(4), { events: 150, partBytes: 5_000 });
  const times = (await eventsOf(tape)).map((event) => (event as { time?: number }).time ?? 0);
  const from = times[100]!;
  await exportTape(tape, join(folder, 'tables'), 'csv', { from });
  await importExport(join(folder, 'tables'), join(folder, 'back.jsonl'), {});
  // The lines of the markets come before the events, in any order.
  const events = async (file: string) => {
    const all = (await eventsOf(file, from + 1)) as { market?: object }[];
    const names = all.flatMap(({ market }) => (market === undefined ? [] : [JSON.stringify(market)]));
    return { names: names.sort(), events: all.filter(({ market }) => market === undefined) };
  };
  assert.deepEqual(await events(join(folder, 'back.jsonl')), await events(tape));
});

test('a cell that is wrong is named with its file and line, and nothing is written', async (t) => {
  const folder = temporaryFolder(t);
  const [tape, tables, back] = ['day.jsonl', 'tables', 'back.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await drawTape(tape, new Chance(5), { events: 60, partBytes: 50_000 });
  await exportTape(tape, tables, 'csv');
  await assert.rejects(exportTape(tape, tables, 'csv'), /it exists; name a new folder/);
  const file = join(tables, 'books.csv');
  const text = readFileSync(file, 'utf8');
  for (const [wrong, says] of [
    [text.replace(/,bid,[\d.]+,/, ',bid,1e5,'), /books\.csv:\d+: .*1e5/],
    [text.replace('line,time', 'time,line'), /books\.csv:1: the columns must be/],
    [`${text}1,2,3\n`, /books\.csv:\d+: has 3 cells/],
  ] as const) {
    writeFileSync(file, wrong);
    await assert.rejects(importExport(tables, back, {}), says);
    assert.ok(!existsSync(back));
  }
  await assert.rejects(importExport(dirname(tape), back, {}), /is not an export of a tape/);
});

test('tables that do not fit together are refused, and nothing is written', async (t) => {
  const folder = temporaryFolder(t);
  const [tape, tables, back] = ['day.jsonl', 'tables', 'back.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await drawTape(tape, new Chance(6), { events: 60, partBytes: 50_000 });
  await exportTape(tape, tables, 'csv');
  const without = (nth: number) => (text: string) => text.split('\n').toSpliced(nth, 1).join('\n');
  const twice = (nth: number) => (text: string) =>
    text.split('\n').toSpliced(nth, 0, text.split('\n')[nth]!).join('\n');
  const damages: [file: string, change: (text: string) => string, says: RegExp][] = [
    ['books.csv', (text) => text.split('\n').slice(0, 9).join('\n'), /books\.csv: has 8 rows, but \d+ were exported/],
    ['books.csv', (text) => text.replace(/,bid,/, ',bidden,'), /side must be bid or ask, not "bidden"/],
    ['books.csv', (text) => text.replace(/,true,/, ',yes,'), /books\.csv:2: is_snapshot must be true or false/],
    ['books.csv', (text) => text.replace(/^1,/m, '0,'), /books has a row for line 0, which lines does not have/],
    ['lines.csv', without(1), /books has a row for line 1, which lines does not have/],
    ['lines.csv', twice(2), /lines has line 2 after line 2/],
    ['lines.csv', (text) => text.replace(',delta,', ',gap,'), /is no book/],
    ['trades.csv', without(1), /trades has no row for line \d+/],
    ['trades.csv', twice(1), /trades has 2 rows for line \d+/],
    [
      'trades.csv',
      (text) => text.replace(/,(buy|sell),/, ',bought,'),
      /can't be on a tape: trade\.side must be buy or sell/,
    ],
    [
      'export.json',
      (text) => text.replace(/"size_decimals": \d/, '"size_decimals": 99'),
      /can't be on a tape: size_dec/,
    ],
    ['lines.csv', (text) => text.replace(',trade,', ',status,'), /trades has a row for line \d+, which is no print/],
    ['export.json', (text) => text.replace(/"size_scale": \d+/, '"size_scale": 16'), /does not describe an export/],
    ['export.json', (text) => text.replace(/"price_scale": \d+/, '"price_scale": 1.5'), /does not describe an export/],
    ['export.json', (text) => text.replace('"markets": [', '"markets": [null,'), /does not describe an export/],
  ];
  const facts = readFileSync(join(tables, 'export.json'), 'utf8');
  for (const [name, change, says] of damages) {
    const file = join(tables, name);
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, change(whole));
    assert.notEqual(change(whole), whole, `${name}: ${says}`);
    // Counted rows would be noticed first.
    if (!String(says).includes('were exported'))
      writeFileSync(
        join(tables, 'export.json'),
        readFileSync(join(tables, 'export.json'), 'utf8').replace('"rows"', '"_"'),
      );
    await assert.rejects(importExport(tables, back, {}), says);
    assert.ok(!existsSync(back));
    writeFileSync(file, whole);
    writeFileSync(join(tables, 'export.json'), facts);
  }
  await importExport(tables, back, {});
});

test('a table that nothing waits for is drained at once', { timeout: 60_000 }, async (t) => {
  const file = join(temporaryFolder(t), 'lines.csv');
  const table = csvTable(file, 'lines', { price: 1, size: 1 });
  table.add([1, 1_000, 'binance|BTCUSDT', 'gap', null, null, '{"a":"b"}']);
  await table.drained();
  await table.end();
  await table.drained();
  assert.equal(readFileSync(file, 'utf8').split('\n')[1], '1,1000,binance|BTCUSDT,gap,,,"{""a"":""b""}"');
});

test('an export that is interrupted leaves nothing, even where it was being written', async (t) => {
  const folder = temporaryFolder(t);
  const tape = join(folder, 'day.jsonl');
  await drawTape(tape, new Chance(8), { events: 60, partBytes: 50_000 });
  const names = readdirSync(folder);
  for (const format of ['csv', 'parquet'] as const) {
    const signal = AbortSignal.abort(new Error('Interrupted.'));
    await assert.rejects(exportTape(tape, join(folder, 'tables'), format, {}, { signal }), /Interrupted/);
    assert.deepEqual(readdirSync(folder), names);
  }
  const drafts = join(folder, 'drafts');
  // What a killed process left.
  mkdirSync(join(drafts, '999999999-left'), { recursive: true });
  await exportTape(tape, join(folder, 'tables'), 'csv', {}, { draftFolder: drafts });
  assert.deepEqual(readdirSync(drafts), []);
});

test('a dry run counts the rows and writes nothing; a folder without a place is refused', async (t) => {
  const folder = temporaryFolder(t);
  const tape = join(folder, 'day.jsonl');
  await drawTape(tape, new Chance(7), { events: 30, partBytes: 50_000 });
  const names = readdirSync(folder);
  const dry = await exportTape(tape, join(folder, 'tables'), 'parquet', {}, { dryRun: true });
  assert.deepEqual(readdirSync(folder), names);
  await assert.rejects(
    exportTape(tape, join(folder, 'none/tables'), 'csv'),
    /there is no folder .*none; create it first/,
  );
  const { rows } = await exportTape(tape, `${join(folder, 'tables')}/`, 'csv');
  assert.deepEqual(rows, dry.rows);
  assert.ok(existsSync(join(folder, 'tables', 'books.csv')));
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { exportTape } from '../../../src/markets/export/export-tape.ts';
import { importExport } from '../../../src/markets/export/import-export.ts';
import { eventText } from '../../../src/markets/live/tape/tape-text.ts';
import { verifyTape } from '../../../src/markets/live/tape/verify.ts';
import { Chance } from '../../engine/chance.ts';
import { drawTape } from '../live/drawn-tape.ts';
import { temporaryFolder } from '../recording-file.ts';

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
  test(`a tape exported as ${format} and imported again has the same events, numbers and times`, async (t) => {
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
  const restored = await eventsOf(join(folder, 'back.jsonl'), from + 1);
  assert.deepEqual(restored, await eventsOf(tape, from + 1));
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
  await assert.rejects(importExport(dirname(tape), back, {}), /is no export of a tape/);
});

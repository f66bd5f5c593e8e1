import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Desk } from '../practice.ts';

interface Column {
  source: string;
  symbol: string;
  from: number;
  to: number;
  figures: { name: string; unit: string; value: number | null }[];
}

const recording = join(import.meta.dirname, '../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

describe('perp sim markets stats', () => {
  it('shows a recording next to the synthetic market of its symbol', async () => {
    using desk = new Desk();
    const columns: Column[] = await desk.json('sim', 'markets', 'stats', '--books', recording);
    assert.deepEqual(
      columns.map(({ symbol, source }) => [symbol, source]),
      [
        ['BTC', 'recorded'],
        ['BTC', 'synthetic'],
      ],
    );
    const figure = (column: number, name: string) => columns[column]!.figures.find((one) => one.name === name)?.value;
    assert.equal(Math.round(figure(0, 'prints')!), 62);
    assert.equal(
      figure(0, 'strongest phase of 2 to 64 samples, without the 5 largest'),
      null,
      'the recording is too short',
    );
    assert.equal(Math.round(figure(1, 'books')!), 10);
  });

  it('shows with --gates what makers and bots would earn, also of all markets of a class together', async () => {
    using desk = new Desk();
    const columns: Column[] = await desk.json('sim', 'markets', 'stats', 'EUR', 'JPY', '--gates', '--hours', '1');
    for (const { figures } of columns) {
      const figure = (name: string) => figures.find((one) => one.name === name)?.value;
      assert.equal(figure('volume printed outside the neighboring books'), 0);
      assert.equal(figure('prints through the displayed touch'), 0);
      assert.ok(figure('resting orders, mean result')! < 0);
      assert.ok(figure('resting orders in fx, mean + 3 standard errors')! < 0);
    }
  });

  it('rejects an unknown market, and leaves no state behind', async () => {
    using desk = new Desk();
    const run = await desk.perp(['sim', 'markets', 'stats', 'NOPE', '--json']);
    assert.equal(run.exit, 2);
    assert.match(run.error.message, /no market "NOPE"/);
  });
});

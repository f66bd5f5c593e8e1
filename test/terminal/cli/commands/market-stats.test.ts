import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { it, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

interface Column {
  source: string;
  symbol: string;
  from: number;
  to: number;
  figures: { name: string; unit: string; value: number | null; least?: number | null; most?: number | null }[];
}

const recording = join(import.meta.dirname, '../../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

describe('perp sim markets stats', () => {
  trial(
    'shows with --gates the earnings of makers and bots, what each figure must be, and a recording beside it',
    async () => {
      using desk = new Desk();
      const columns: Column[] = await desk.json('sim', 'markets', 'stats', 'EUR', 'JPY', '--gates', '--hours', '1');
      assert.deepEqual(
        columns.map(({ symbol, source }) => [symbol, source]),
        [
          ['BTC', 'recorded'],
          ['EUR', 'synthetic'],
          ['JPY', 'synthetic'],
        ],
      );
      const named = ({ figures }: Column, name: string) => figures.find((one) => one.name === name)!;
      for (const column of columns.slice(1)) {
        const outside = named(column, 'volume printed outside the neighboring books');
        assert.deepEqual([outside.value, outside.least, outside.most], [0, null, 0.1]);
        assert.ok(named(column, 'prints through the displayed touch').value! < 5);
        assert.ok(named(column, 'resting orders, mean result').value! < 0);
        assert.ok(named(column, 'resting orders in fx, mean + 3 standard errors').value! < 0);
        assert.ok(named(column, 'autocorrelation of 10 s moves, mean of fx').value! < 1);
      }
      assert.equal(named(columns[0]!, 'markout from the mid before, 30 s').value, 0.518);
      const table = await desk.perp(['sim', 'markets', 'stats', 'EUR', '--gates', '--hours', '1']);
      assert.match(table.out, /FIGURE +BTC recorded +EUR +MUST BE/);
      assert.match(table.out, /maker at the back of both touches, share of volume +0\.115 +[0-9.]+ +up to 0\.5/);
    },
  );

  trial('shows a recording next to the synthetic market of its symbol', async () => {
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

  it('rejects an unknown market, and leaves no state behind', async () => {
    using desk = new Desk();
    const run = await desk.perp(['sim', 'markets', 'stats', 'NOPE', '--json']);
    assert.equal(run.exit, 2);
    assert.match(run.error.message, /no market "NOPE"/);
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { Desk } from '../practice.ts';

interface Column {
  source: string;
  symbol: string;
  from: number;
  to: number;
  figures: { name: string; unit: string; value: number | null }[];
}

const recording = join(import.meta.dirname, '../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

it('shows the same figures for the same hour', async () => {
  using desk = new Desk();
  const stats = (...markets: string[]): Promise<Column[]> =>
    desk.json('sim', 'markets', 'stats', ...markets, '--hours', '1');
  const [column] = await stats('hyperliquid:xyz:JPY');
  assert.deepEqual([column!.symbol, column!.source], ['JPY', 'synthetic']);
  assert.equal(column!.to - column!.from, 3_600_000);
  const figure = (name: string) => column!.figures.find((one) => one.name === name)!.value;
  assert.equal(figure('books'), 3);
  assert.ok(figure('kurtosis of 1 h moves, without the 5 largest')! > 0);
  assert.deepEqual(await stats('JPY'), [column]);
});

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

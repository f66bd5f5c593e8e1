import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Desk } from '../practice.ts';

interface Column {
  source: string;
  symbol: string;
  from: number;
  to: number;
  figures: { name: string; unit: string; value: number | null }[];
}

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

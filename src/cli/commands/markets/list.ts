import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { listOf, type Result } from '../../output/result.ts';
import { allMarkets } from '../../resolve/market.ts';
import { marketColumns, marketFields } from '../../views/market-view.ts';

export const command = defineCommand({
  summary: 'List tradable markets',
  options: {
    category: { value: 'CATEGORY', summary: 'only this category, such as crypto, tradfi or fx' },
    search: { value: 'TEXT', summary: 'only markets whose symbol, coin or id contains this text' },
  },
  examples: [
    ['perp markets', 'all of them'],
    ['perp markets list --category crypto', 'one category'],
    ['perp markets list --search gold', 'by name'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const category = input.category?.toLowerCase();
  const text = input.search?.toLowerCase();
  const markets = (await allMarkets(context)).filter(
    (market) =>
      (category === undefined || market.category?.toLowerCase() === category) &&
      (text === undefined || `${market.symbol} ${market.coin} ${market.market_id}`.toLowerCase().includes(text)),
  );
  return listOf(markets, { fields: marketFields, columns: marketColumns, empty: 'No market matches.' });
}

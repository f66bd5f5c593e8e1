import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Result, recordOf } from '../../output/result.ts';
import { checkVenue, venueOption } from '../../settings/venues.ts';
import { marketBlocks } from '../../views/market-view.ts';

export const command = defineCommand({
  summary: 'Show one market: venue, lot, leverage',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: { venue: venueOption },
  examples: [
    ['perp markets show BTC', 'by symbol'],
    ['perp markets show binance:BTCUSDT', 'by id'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  checkVenue(input.venue, context.settings.simulation.books);
  const { market_id } = await resolveMarket(context, input.market);
  const { data } = await context.call('getMarket', { path: { market_id } });
  return recordOf(data, () => marketBlocks(data));
}

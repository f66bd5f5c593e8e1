import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { checkVenue, venueOption } from '../../../console/settings/venues.ts';
import { marketBlocks } from '../../../console/views/market-view.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';

export const command = defineCommand({
  summary: 'Show one market: venue, lot, leverage',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: { venue: venueOption },
  examples: [
    ['perp markets show BTC', 'by symbol'],
    ['perp markets show binance:BTCUSDT', 'by id'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  checkVenue(input.venue, console.settings.simulation.books);
  const { market_id } = await resolveMarket(console, input.market);
  const { data } = await console.call('getMarket', { path: { market_id } });
  return recordOf(data, () => marketBlocks(data));
}

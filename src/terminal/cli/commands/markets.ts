import { marketPrices } from '../../../desk/reading/market-prices.ts';
import { allMarkets, resolveMarket } from '../../../desk/resolve/market.ts';
import { defineCommand } from '../../console/console.ts';
import { listOf, recordOf } from '../../console/output/result.ts';
import { checkVenue, venueOption } from '../../console/settings/venues.ts';
import { marketBlocks, marketColumns, marketFields, pricedColumns } from '../../console/views/market-view.ts';

const list = defineCommand({
  summary: 'List tradable markets',
  options: {
    category: { value: 'CATEGORY', summary: 'only one category, such as crypto, tradfi or fx' },
    prices: { summary: "add the last price, its change in 24 hours, the mark and the venue's funding" },
    venue: venueOption,
    search: { value: 'TEXT', summary: 'only markets whose symbol, coin or id contains this text' },
  },
  examples: [
    ['perp markets', 'all of them'],
    ['perp markets list --category crypto', 'one category'],
    ['perp markets list --search gold', 'by name'],
    ['perp markets --prices --category crypto', 'last price and change in 24 hours'],
  ],
  async run(console, input) {
    checkVenue(input.venue, console.settings.simulation.books);
    const category = input.category?.toLowerCase();
    const text = input.search?.toLowerCase();
    const markets = (await allMarkets(console)).filter(
      (market) =>
        (category === undefined || market.category?.toLowerCase() === category) &&
        (text === undefined || `${market.symbol} ${market.coin} ${market.market_id}`.toLowerCase().includes(text)),
    );
    if (input.prices) {
      const prices = await console.person.during('Reading prices', () => marketPrices(console, markets));
      const rows = markets.map((market) => ({ ...market, computed: prices.get(market.market_id) ?? null }));
      return listOf(rows, {
        fields: [
          ...marketFields,
          ...['last', 'change_24h_pct', 'mark', 'funding_rate'].map((field) => `computed.${field}`),
        ],
        columns: pricedColumns,
        empty: 'No market matches.',
      });
    }
    return listOf(markets, { fields: marketFields, columns: marketColumns, empty: 'No market matches.' });
  },
});

const show = defineCommand({
  summary: 'Show one market: venue, lot, leverage',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: { venue: venueOption },
  examples: [
    ['perp markets show BTC', 'by symbol'],
    ['perp markets show binance:BTCUSDT', 'by id'],
  ],
  async run(console, input) {
    checkVenue(input.venue, console.settings.simulation.books);
    const { market_id } = await resolveMarket(console, input.market);
    const { data } = await console.call('getMarket', { path: { market_id } });
    return recordOf(data, () => marketBlocks(data));
  },
});

export const commands = { list, show };

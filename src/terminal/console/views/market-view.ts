import {
  bpsFrom,
  dollars,
  marketName,
  maybe,
  quantity,
  shellSafe,
  timeOfDay,
  usd,
  word,
} from '../../../base/text/format.ts';
import type { MarketPrice } from '../../../desk/reading/market-prices.ts';
import { Market, type Quote, type SimulatedQuote } from '../../../wire/contract/markets.ts';
import type { SimulationStatus } from '../../../wire/contract/simulation.ts';
import {
  type Block,
  type Blocks,
  blank,
  type Cell,
  type Column,
  type Field,
  fields,
  fieldsOf,
  line,
  sideCell,
} from '../output/result.ts';

/** The meaning of an ended recording. */
export const endedText = 'nothing moves or fills anymore; perp sim reset restarts it';

/** Whether a simulation has played its recording to the end. */
export function hasEnded({ time, last_time: last, source }: SimulationStatus): boolean {
  return source === 'recorded' && last !== null && time >= last;
}

/** Wire names of a market's fields, used as CSV columns. */
export const marketFields = fieldsOf(Market);

/** The table of markets. */
export const marketColumns: readonly Column<Market>[] = [
  { header: 'MARKET', cell: (market) => ({ text: marketName(market.market_id, market.symbol), tone: 'strong' }) },
  { header: 'ID', cell: (market) => shellSafe(market.market_id) },
  { header: 'CATEGORY', cell: (market) => market.category, keep: 3 },
  { header: 'LOT', cell: lotOf, align: 'right', keep: 4 },
  { header: 'LEVERAGE', cell: (market) => `${quantity(market.max_leverage)}x`, align: 'right', keep: 5 },
  { header: 'TRADING', cell: tradingOf, keep: 2 },
];

/** A market with its price from the market-data stream; null if the stream sent none. */
type PricedMarket = Market & { computed: MarketPrice | null };

/** The table of markets with prices. */
export const pricedColumns: readonly Column<PricedMarket>[] = [
  ...marketColumns.slice(0, 2),
  { header: 'LAST', cell: ({ computed }) => maybe(computed?.last, quantity), align: 'right' },
  {
    header: 'CHANGE 24H',
    cell: ({ computed }) => maybe(computed?.change_24h_pct, changeCell),
    align: 'right',
    keep: 6,
  },
  { header: 'MARK', cell: ({ computed }) => maybe(computed?.mark, quantity), align: 'right', keep: 1 },
  { header: 'FUNDING', cell: ({ computed }) => maybe(computed?.funding_rate, percentOf), align: 'right', keep: 1 },
  ...marketColumns.slice(2),
];

function changeCell(percent: number): Cell {
  const text = `${percent > 0 ? '+' : ''}${percent.toFixed(2)}%`;
  return percent === 0 ? text : { text, tone: percent > 0 ? 'good' : 'bad' };
}

/** One market. */
export function marketBlocks(market: Market): Block[] {
  return [
    line({ text: market.symbol, tone: 'strong' }, '  ', shellSafe(market.market_id)),
    fields(
      ['id', market.market_id],
      ['venue', market.provider],
      ['venue symbol', market.coin],
      ['category', market.category],
      ['type', market.market_type],
      ['lot', `${lotOf(market)} ${word(market.symbol)}`],
      ['tick', maybe(market.tick_size, quantity)],
      ['minimum order', maybe(market.min_notional, dollars)],
      ['leverage', `up to ${quantity(market.max_leverage)}x`],
      ['trading', tradingOf(market) || 'enabled'],
    ),
  ];
}

/** A row of several quotes: a quote, or the reason why there is none. */
type QuoteRow = Quote | { market_id: string; symbol: string; status: string; message: string };

/** The table of several quotes. */
export const quoteColumns: readonly Column<QuoteRow>[] = [
  { header: 'MARKET', cell: ({ market_id, symbol }) => ({ text: marketName(market_id, symbol), tone: 'strong' }) },
  { header: 'BID', cell: ofQuote(({ bid }) => best(bid)), align: 'right' },
  { header: 'ASK', cell: ofQuote(({ ask }) => best(ask)), align: 'right' },
  { header: 'MID', cell: ofQuote(({ mid }) => best(mid)), align: 'right', keep: 2 },
  {
    header: 'SPREAD BPS',
    cell: ofQuote(({ bid, ask, mid }) => (bid === null || ask === null || mid === null ? '' : bpsOf(ask - bid, mid))),
    align: 'right',
    keep: 3,
  },
  {
    header: 'FILLS AT',
    cell: ofQuote(({ requested_size: size, estimated_fill_price: price }) =>
      size === undefined ? '' : price === undefined ? 'does not fill' : quantity(price),
    ),
    align: 'right',
    keep: 5,
  },
  { header: 'FEE', cell: ofQuote(({ estimated_fee }) => maybe(estimated_fee, usd)), align: 'right', keep: 1 },
  { header: 'TIME', cell: ofQuote(({ time }) => timeOfDay(time)), keep: 4 },
  { header: 'PROBLEM', cell: (row) => ('message' in row ? { text: row.message, tone: 'bad' } : ''), keep: 6 },
];

function best(price: number | null): string {
  return maybe(price, quantity) ?? 'none';
}

function ofQuote(cell: (quote: Quote) => string | undefined): (row: QuoteRow) => string | undefined {
  return (row) => ('message' in row ? undefined : cell(row));
}

function bpsOf(distance: number, mid: number): string {
  return quantity(Number(((distance / mid) * 1e4).toFixed(3)));
}

/** The best prices and, if a side and size were requested, the fill of an order. */
export function quoteBlocks(quote: Quote, source: string | undefined, breach?: Cell): Blocks {
  return [quoteLine(quote, source), fillBlocks(quote, breach)];
}

function decimalsOf(value: number): number {
  return quantity(value).split('.')[1]?.length ?? 0;
}

function withDecimals(value: number, decimals: number): string {
  const isPrice = typeof value === 'number' && Math.abs(value) < 1e21;
  return isPrice ? value.toFixed(Math.max(decimals, decimalsOf(value))) : quantity(value);
}

/** `BTC  61650.1 / 61650.2  mid ...  spread ...`. */
function quoteLine(quote: Quote, source: string | undefined): Block {
  // Bid and ask are aligned: both get as many decimals as the longer one.
  const decimals = Math.max(...[quote.bid, quote.ask].map((value) => decimalsOf(value ?? 0)));
  const price = (value: number | null) => (value === null ? 'none' : withDecimals(value, decimals));
  const spread = quote.bid === null || quote.ask === null || quote.mid === null ? undefined : quote.ask - quote.bid;
  return fields(
    ['market', { text: marketName(quote.market_id, quote.symbol), tone: 'strong' }],
    ['bid', { text: price(quote.bid), tone: 'good' }],
    ['ask', { text: price(quote.ask), tone: 'bad' }],
    ['mid', price(quote.mid)],
    ['spread', maybe(spread, (wide) => `${quantity(wide)} (${bpsOf(wide, quote.mid!)} bps)`)],
    ...venueFields(quote),
    ['time', timeOfDay(quote.time)],
    ['source', source],
  );
}

/** The venue's own prices, where the quote has them. */
function venueFields({ venue, reference_kind: kind }: SimulatedQuote): Field[] {
  if (venue === undefined) return [];
  const { mark, index, funding_rate: rate, funding_hours: hours, next_funding_at: next } = venue;
  const every = hours === null ? '' : ` per ${quantity(hours)} h`;
  const at = next === null ? '' : `, next at ${timeOfDay(next)}`;
  return [
    ['venue mark', `${quantity(mark)}${kind === 'venue_mark' ? ', your mark' : ''}`],
    ['index', maybe(index, quantity)],
    ['funding', maybe(rate, (known) => `${percentOf(known)}${every}${at}`)],
  ];
}

/** A rate as percent, with the decimals that it has. */
export function percentOf(rate: number): string {
  return `${quantity(Number((rate * 100).toFixed(6)))}%`;
}

const unfillable: ReadonlyMap<string, string> = new Map<NonNullable<Quote['unfillable_reason']>, string>([
  ['empty_book', 'the book is empty'],
  ['insufficient_depth', 'the visible book is not deep enough'],
  ['size_precision_mismatch', 'the size is not in whole lots'],
]);

function fillBlocks(quote: Quote, breach: Cell | undefined): Blocks {
  if (quote.requested_side === undefined || quote.requested_size === undefined) return undefined;
  const head = [sideCell(quote.requested_side), ` ${quantity(quote.requested_size)} ${word(quote.symbol)} `];
  if (quote.fillable === false) {
    const reason = quote.unfillable_reason ?? 'no estimate';
    const why = unfillable.get(reason) ?? word(reason);
    return [blank, line(...head, { text: `does not fill: ${why}`, tone: 'bad' })];
  }
  const {
    estimated_fill_price: fill,
    worst_price: worst,
    estimated_notional: notional,
    estimated_fee: fee,
    fee_bps: bps,
  } = quote;
  return [
    blank,
    line(...head, fill === undefined ? 'has no estimate' : `fills at ${quantity(fill)}`),
    fields(
      ['worst level', maybe(worst, (price) => `${quantity(price)}${slippageOf(quote, price)}`)],
      ['notional', maybe(notional, dollars)],
      ['fee', maybe(fee, (of) => `${dollars(of)}${bps === undefined ? '' : ` (${quantity(bps)} bps)`}`)],
      ['levels', maybe(quote.levels_consumed, word)],
      ['breach then', breach],
    ),
  ];
}

function slippageOf(quote: Quote, worst: number): string {
  return quote.mid === null ? '' : `, ${bpsFrom(worst, quote.mid)} bps from mid`;
}

function lotOf(market: Market): string {
  return quantity(10 ** -market.size_decimals);
}

function tradingOf(market: Market): string {
  if (market.trading_enabled === false) return 'halted';
  return market.reduce_only === true ? 'reduce only' : '';
}

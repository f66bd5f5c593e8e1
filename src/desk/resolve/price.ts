import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { orderKindOf } from '../../base/terms/order-types.ts';
import { marketName, quantity } from '../../base/text/format.ts';
import type { Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Session } from '../session/session.ts';
import { type Move, moved, type Price, type PriceBase, type RelativePrice } from '../values/prices.ts';
import { checkOnGrid, gridInWords, gridOf, onGrid } from './grid.ts';
import { positionIn } from './holdings.ts';
import { allMarkets, resolveMarket } from './market.ts';
import { quoteOnce, sizedQuote, takerFeeBps } from './quote.ts';

/** The context of a relative price. */
interface PriceTerms {
  /** The option or argument: `--stop-loss`. */
  label: string;
  marketId: string;
  /**
   * The order that trades at the price. A sell's price is rounded up and a buy's down, so it is never worse than asked.
   */
  side: 'buy' | 'sell';
  /** The entry, USD; default: that of the open position in the market. */
  entry?: (() => number | Promise<number>) | undefined;
  /** The price that a move alone starts from; default: the mark. */
  from?: PriceBase | undefined;
  /** The exit that the price is for; gives an unsigned move its direction from the entry. */
  exit?: 'stop' | 'target' | undefined;
  /** It is a limit: one off a known grid is refused. A trigger typed by the user is sent unchanged. */
  isLimit?: boolean | undefined;
  /** 1R; without it, R can't be used. */
  multiple?: (() => Promise<Multiple>) | undefined;
}

/** A position's loss per unit at its stop, both fees included, and the part due to fees. */
export interface Multiple {
  /** USD per unit. */
  readonly risk: number;
  /** Commission still to be paid for the entry, USD per unit. */
  readonly entryFee: number;
  /** Commission of an exit, as a share of its notional. */
  readonly exitFeeRate: number;
}

/** Resolves a price to USD, on the market's price grid. Prints the result of a relative price as a note. */
export async function resolvePrice(session: Session, price: Price, terms: PriceTerms): Promise<number> {
  const { value, note } = await priceNow(session, price, terms);
  if (note !== undefined) session.note(note);
  return value;
}

/** The same without printing the note. */
export async function priceNow(
  session: Session,
  price: Price,
  terms: PriceTerms,
): Promise<{ value: number; note: string | undefined }> {
  const { label, marketId, side } = terms;
  if (typeof price === 'number') {
    if (terms.isLimit === true) await checkLimit(session, price, terms);
    return { value: price, note: undefined };
  }
  const name = price.base ?? (price.move?.isUnsigned === true ? 'entry' : (terms.from ?? 'mark'));
  const base = await baseOf(session, name, terms);
  const exact =
    price.move?.unit === 'R'
      ? await movedByR(base, price.move, { ...terms, text: price.text })
      : moved(base, price.move, directionOf(terms));
  if (exact <= 0) {
    throw usageFailure(
      `${label} ${price.text} is ${quantity(exact)}, from the ${nameOf(name)} ${quantity(base)}; it must be above zero.`,
    );
  }
  const market = await resolveMarket(session, marketId);
  const grid = await gridOf(session, market);
  const rounded = onGrid(grid, exact, side);
  if (rounded <= 0) throw usageFailure(`${label} ${price.text} is less than one tick of ${market.symbol}.`);
  const says = grid.from === 'market' && !session.settings.dryRun ? '' : `, ${gridInWords(grid)}`;
  return { value: rounded, note: `${noteOf(price, rounded, name, base)}${says}.` };
}

/**
 * A market that is unlisted, or unlisted now, has no known grid: its positions and orders can still be changed and
 * closed.
 */
async function checkLimit(session: Session, price: number, { label, marketId }: PriceTerms): Promise<void> {
  const markets = await allMarkets(session).catch(() => []);
  const market = markets.find(({ market_id }) => market_id === marketId);
  if (market !== undefined) await checkOnGrid(session, market, label, price);
}

/** The same for an option that may be absent. */
export async function maybePrice(
  session: Session,
  price: Price | undefined,
  terms: PriceTerms,
): Promise<number | undefined> {
  return price === undefined ? undefined : resolvePrice(session, price, terms);
}

async function baseOf(session: Session, base: PriceBase, terms: PriceTerms): Promise<number> {
  if (base === 'entry') return (terms.entry ?? (() => positionEntry(session, terms)))();
  const quote = await quoteOnce(session, terms.marketId);
  const price = base === 'mark' ? quote.mid : quote[base];
  if (price !== null) return price;
  const isTo = `which ${terms.label} is relative to.`;
  throw noPrice(`${marketName(terms.marketId)} currently has no ${nameOf(base)}, ${isTo}`, 'give a price in USD');
}

function noPrice(message: string, orElse: string): Failure {
  return new Failure({ code: 'no_price', message, hint: `Try again in a moment, or ${orElse}.`, retryable: true });
}

async function positionEntry(session: Session, { label, marketId }: PriceTerms): Promise<number> {
  const position = await positionIn(session, marketId);
  if (position !== undefined) return position.entry_price;
  throw usageFailure(
    `${label} is relative to the entry, but there is no open position in ${marketName(marketId)}.`,
    'Write a price relative to mark, bid or ask, or a price in USD.',
  );
}

/** The direction of an unsigned move: a stop is on the losing side of the entry, a target on the winning side. */
function directionOf({ side, exit }: PriceTerms): 1 | -1 {
  return (exit === 'target') === (side === 'sell') ? 1 : -1;
}

/** The price at which an exit wins or loses a multiple of R, net of fees, from the entry or another price. */
async function movedByR(base: number, move: Move, terms: PriceTerms & { text: string }): Promise<number> {
  if (terms.multiple === undefined) {
    throw usageFailure(
      `${terms.label} is ${terms.text}, but without a stop R is unknown.`,
      'Write a price such as 1% or 61650.5.',
    );
  }
  const { risk, entryFee, exitFeeRate } = await terms.multiple();
  const amount = move.isUnsigned ? directionOf(terms) * move.amount : move.amount;
  const sign = terms.side === 'sell' ? 1 : -1;
  return (base + amount * risk + sign * entryFee) / (1 - sign * exitFeeRate);
}

function nameOf(base: PriceBase): string {
  return base === 'bid' || base === 'ask' ? `best ${base}` : base;
}

function noteOf({ text, move }: RelativePrice, price: number, name: PriceBase, base: number): string {
  const from = move === undefined && price === base ? '' : `, from the ${nameOf(name)} ${quantity(base)}`;
  return `${text} is ${quantity(price)}${from}`;
}

/** An order whose legs are relative to its entry. */
interface Entry {
  type: CreateOrderRequest['type'];
  account_id: string;
  market_id: string;
  side: 'buy' | 'sell';
  size: number;
  limit: number | undefined;
  /** Mark of its own market that triggers it. */
  trigger: number | undefined;
  /** The price that it is expected to trade at, if sizing it has shown one. */
  expected?: number | undefined;
}

/**
 * The price that an order is expected to trade at: its limit, else its trigger, else, for a chase, the best price of
 * its own side, else the estimated fill of its size.
 */
export async function entryPrice(session: Session, entry: Entry): Promise<number> {
  const { type, market_id, side } = entry;
  const known = entry.expected ?? entry.limit ?? entry.trigger;
  if (known !== undefined) return known;
  const quote = await sizedQuote(session, entry);
  const price = orderKindOf(type)?.meets === 'follows' ? (side === 'buy' ? quote.bid : quote.ask) : fillOf(quote, side);
  if (price !== null) return price;
  const message = `${marketName(market_id)} currently has no price for this order, and its exits are relative to that price.`;
  throw noPrice(message, 'give the exits in USD');
}

function fillOf(quote: Quote, side: 'buy' | 'sell'): number | null {
  return quote.estimated_fill_price ?? (side === 'buy' ? quote.ask : quote.bid) ?? quote.mid;
}

/** The exits attached to an order; relative ones start from the price that the order is expected to trade at. */
export async function legPrices(
  session: Session,
  { takeProfit, stopLoss }: { takeProfit?: Price | undefined; stopLoss?: Price | undefined },
  order: Entry,
): Promise<Pick<CreateOrderRequest, 'take_profit_price' | 'stop_loss_price'>> {
  const entry = () => session.memory.once('entry', () => entryPrice(session, order));
  const stop = await maybePrice(session, stopLoss, legTerms(order, entry, 'stop'));
  const multiple = stop === undefined ? undefined : async () => multipleOf(session, order, await entry(), stop);
  return {
    take_profit_price: await maybePrice(session, takeProfit, { ...legTerms(order, entry, 'target'), multiple }),
    stop_loss_price: stop,
  };
}

/** 1R of an order with a stop. */
async function multipleOf(session: Session, order: Entry, entry: number, stop: number): Promise<Multiple> {
  const quote = await sizedQuote(session, order);
  const exitFeeRate = (takerFeeBps(quote) ?? 0) / 1e4;
  const entryFee = entry * exitFeeRate;
  const move = order.side === 'buy' ? entry - stop : stop - entry;
  return { risk: move + entryFee + stop * exitFeeRate, entryFee, exitFeeRate };
}

/** The context of a relative exit of an order. */
export function legTerms(
  { market_id, side }: Pick<Entry, 'market_id' | 'side'>,
  entry: () => number | Promise<number>,
  exit: 'stop' | 'target',
): PriceTerms {
  return {
    label: exit === 'stop' ? '--stop-loss' : '--take-profit',
    marketId: market_id,
    side: side === 'buy' ? 'sell' : 'buy',
    entry,
    from: 'entry',
    exit,
  };
}

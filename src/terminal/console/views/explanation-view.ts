import { dateTime, marketName, quantity, timeOfDay, word } from '../../../base/text/format.ts';
import type { Quote } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';

/** One event in an order's history, as the simulation explains it. */
export interface Explained {
  kind: string;
  detail: Readonly<Record<string, unknown>>;
}

/** Returns the text of a fact, and records that the sentence contains it. */
type Mention = (name: string) => string | undefined;

/** What happened, in a sentence; facts that the sentence omits follow, with their names in words. */
export function explained({ kind, detail }: Explained, order: Pick<Order, 'symbol' | 'side'>): string {
  const mentioned = new Set<string>();
  const mention: Mention = (name) => {
    const value = detail[name];
    if (value === undefined || value === null) return undefined;
    mentioned.add(name);
    return factText(name, value);
  };
  const sentence = Object.hasOwn(sentences, kind) ? sentences[kind]!(mention, order) : undefined;
  const rest = Object.entries(detail)
    .filter(([name, value]) => !mentioned.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${nameOf(name)} ${factText(name, value)}${name.endsWith('_bps') ? ' bps' : ''}`);
  const more = rest.length === 0 ? '' : `${rest.join(', ')}.`;
  return [sentence, more === '' ? '' : more.charAt(0).toUpperCase() + more.slice(1)].filter(Boolean).join(' ');
}

/** What a working order waits for, and how far away that is at a quote of the market that decides. */
export function waitingText(order: Order, quote: Pick<Quote, 'market_id' | 'symbol' | 'bid' | 'ask' | 'mid'>): string {
  const { side, trigger_price, limit_price, status, triggered_at } = order;
  const away = (name: string, from: number | null, to: number | undefined, what: string) =>
    from === null || to === undefined
      ? `There is no ${name} at the moment.`
      : `The ${name} is ${quantity(from)}; ${what} is ${moveText(from, to)}.`;
  if (trigger_price !== undefined && triggered_at === undefined) {
    return away(`mark of ${marketName(quote.market_id, quote.symbol)}`, quote.mid, trigger_price, 'its trigger');
  }
  if (status === 'resting') {
    const isBuy = side === 'buy';
    return away(isBuy ? 'best ask' : 'best bid', isBuy ? quote.ask : quote.bid, limit_price, 'its limit');
  }
  return triggered_at === undefined
    ? 'It has not reached the book yet.'
    : 'It continues with every new book, within its tolerance, until it is filled or its position is closed.';
}

function moveText(from: number, to: number): string {
  const percent = (to / from - 1) * 100;
  return `${quantity(Number(Math.abs(percent).toPrecision(3)))}% ${percent < 0 ? 'below' : 'above'}`;
}

const sentences: Readonly<Record<string, (mention: Mention, order: Pick<Order, 'symbol' | 'side'>) => string>> = {
  rested: (mention, { symbol }) =>
    `It rests in the book: ${mention('size')} ${symbol} at ${mention('price')}, ${queueText(mention('queue_ahead'), symbol)}.`,
  armed: (mention) => `It waits until the mark of ${mention('trigger_market_id')} reaches ${mention('trigger_price')}.`,
  amended: (mention, { symbol }) => {
    const keeps = mention('keeps_place');
    const place =
      keeps === undefined
        ? ''
        : keeps === 'true'
          ? ' It keeps its place in the queue.'
          : ' It moves to the end of the queue.';
    return `It was amended: ${mention('size')} ${symbol} at ${mention('price') ?? mention('trigger_price')}.${place}`;
  },
  canceled: (mention, { symbol }) =>
    `It was canceled (${mention('reason')}) with ${mention('remaining') ?? 0} ${symbol} left.`,
  rejected: (mention) => `The rule ${mention('rule_id')} rejected it: ${mention('reason')}`,
  expired: (mention, { symbol }) => {
    const [at, tif] = [mention('gtd_expires_at'), mention('time_in_force')];
    const why = at === undefined ? ` because it was ${tif ?? 'limited'}` : ` at its time, ${at}`;
    return `It expired${why}, with ${mention('remaining') ?? 0} ${symbol} left.`;
  },
  delayed: (mention) => `Market orders of this account are delayed: it executes at ${mention('execute_at')}.`,
  taken: (mention, { symbol, side }) => {
    const levels = mention('levels');
    return (
      `It ${side === 'buy' ? 'bought' : 'sold'} ${mention('filled')} of ${mention('requested')} ${symbol} from ` +
      `${levels} ${levels === '1' ? 'level' : 'levels'} of the book of ${mention('book_time')} (mid ${mention('mid')}): ${mention('taken')}.`
    );
  },
  made: (mention, { symbol }) => {
    const print = mention('print_price');
    const by = print === undefined ? '' : ` by a trade of ${mention('print_size')} at ${print}`;
    return `It was hit${by}: ${mention('filled')} ${symbol} filled at ${mention('price')}, ${queueText(mention('queue_ahead'), symbol)}.`;
  },
  triggered: (mention) => {
    const [kind, price] = [
      ['the mark', mention('mark')],
      ["the venue's own mark", mention('venue_mark')],
      ["the venue's index", mention('venue_index')],
    ].find(([, value]) => value !== undefined) ?? ['the last trade', mention('print_price')];
    return `It triggered: ${kind}, ${price}, of ${mention('trigger_market_id')} reached its trigger.`;
  },
  repriced: (mention) =>
    `The chase moved to ${mention('price')}; the best price of its side is ${mention('own_best')}.`,
  resized: (mention, { symbol }) => {
    const [from, sibling] = [mention('from'), mention('sibling_filled')];
    const why =
      sibling === undefined ? ' because the position has changed' : ` because the other leg filled ${sibling}`;
    const size = from === undefined ? `is ${mention('to')}` : `changed from ${from} to ${mention('to')}`;
    return `Its size ${size} ${symbol},${why}.`;
  },
  attached: (mention) => {
    const legs = [
      ['take-profit', mention('take_profit_price')],
      ['stop-loss', mention('stop_loss_price')],
    ].flatMap(([name, price]) => (price === undefined ? [] : [`${name} ${price}`]));
    return legs.length === 0 ? 'Its attached exits were removed.' : `It has ${legs.join(' and ')} attached.`;
  },
  leg_attached: (mention, { symbol }) =>
    `${legOf(mention)} became working as ${mention('order_id')} for ${mention('size')} ${symbol}.`,
  leg_removed: (mention) => `${legOf(mention)} was removed, because its exit ${mention('order_id')} was canceled.`,
  leg_left_out: (mention) => `${legOf(mention)} was left out: ${mention('reason')}`,
  copied: (mention, { symbol }) =>
    `It copies ${mention('lead_order_id')}: ${mention('wanted')} ${symbol} wanted, ${mention('allowed')} allowed.`,
  forced: (mention) => {
    const rule = mention('rule_id');
    const why = rule === undefined ? 'for liquidation' : `because of ${rule}`;
    return `The exchange force-closed the position ${why}, at a mark of ${mention('mark')}.`;
  },
  gap: (mention) => `The market's data stopped: ${mention('reason')}. Nothing fills until it returns.`,
  gap_end: (mention) => `The market's data returned; it was missing since ${mention('gap_since')}.`,
};

function legOf(mention: Mention): string {
  const takeProfit = mention('take_profit_price');
  return takeProfit === undefined
    ? `Its stop-loss at ${mention('stop_loss_price')}`
    : `Its take-profit at ${takeProfit}`;
}

function queueText(ahead: string | undefined, symbol: string): string {
  if (ahead === undefined || ahead === 'unknown') return 'with an unknown size ahead of it';
  return ahead === '0' ? 'first in the queue' : `behind ${ahead} ${symbol}`;
}

function nameOf(name: string): string {
  return name.replace(/_bps$/, '').replaceAll('_', ' ');
}

function factText(name: string, value: unknown): string {
  if (typeof value === 'number') {
    if (/_expires_at$/.test(name)) return dateTime(value);
    return /_(time|at|since)$/.test(name) ? timeOfDay(value) : quantity(value);
  }
  // Levels: price and size.
  if (Array.isArray(value)) return value.map(levelText).join('; ');
  if (typeof value === 'string') return /market_id$/.test(name) ? marketName(value) : word(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function levelText(level: unknown): string {
  if (!Array.isArray(level)) return String(level);
  const [price, size] = level.map(Number);
  return `${quantity(size!)} at ${quantity(price!)}`;
}

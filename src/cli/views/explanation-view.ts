import type { Order } from '../../contract/orders.ts';
import { dateTime, quantity, shellSafe, timeOfDay, word } from '../text/format.ts';

/** One event in an order's history, as the simulation explains it. */
export interface Explained {
  kind: string;
  detail: Readonly<Record<string, unknown>>;
}

/** Returns the text of a fact, and records that the sentence contains it. */
type Tell = (name: string) => string | undefined;

/** What happened, in a sentence; facts that the sentence leaves out follow, with their names in words. */
export function explained({ kind, detail }: Explained, order: Pick<Order, 'symbol' | 'side'>): string {
  const told = new Set<string>();
  const tell: Tell = (name) => {
    const value = detail[name];
    if (value === undefined || value === null) return undefined;
    told.add(name);
    return factText(name, value);
  };
  const sentence = Object.hasOwn(sentences, kind) ? sentences[kind]!(tell, order) : undefined;
  const rest = Object.entries(detail)
    .filter(([name, value]) => !told.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${nameOf(name)} ${factText(name, value)}${name.endsWith('_bps') ? ' bps' : ''}`);
  const more = rest.length === 0 ? '' : `${rest.join(', ')}.`;
  return [sentence, more === '' ? '' : more.charAt(0).toUpperCase() + more.slice(1)].filter(Boolean).join(' ');
}

const sentences: Readonly<Record<string, (tell: Tell, order: Pick<Order, 'symbol' | 'side'>) => string>> = {
  rested: (tell, { symbol }) =>
    `It rests in the book: ${tell('size')} ${symbol} at ${tell('price')}, ${queueText(tell('queue_ahead'), symbol)}.`,
  armed: (tell) => `It waits until the mark of ${tell('trigger_market_id')} reaches ${tell('trigger_price')}.`,
  amended: (tell, { symbol }) => {
    const keeps = tell('keeps_place');
    const place =
      keeps === undefined
        ? ''
        : keeps === 'true'
          ? ' It keeps its place in the queue.'
          : ' It moves to the end of the queue.';
    return `It was amended: ${tell('size')} ${symbol} at ${tell('price') ?? tell('trigger_price')}.${place}`;
  },
  canceled: (tell, { symbol }) => `It was canceled (${tell('reason')}) with ${tell('remaining') ?? 0} ${symbol} left.`,
  rejected: (tell) => `The rule ${tell('rule_id')} rejected it: ${tell('reason')}`,
  expired: (tell, { symbol }) => {
    const [at, tif] = [tell('gtd_expires_at'), tell('time_in_force')];
    const why = at === undefined ? ` because it was ${tif ?? 'limited'}` : ` at its time, ${at}`;
    return `It expired${why}, with ${tell('remaining') ?? 0} ${symbol} left.`;
  },
  delayed: (tell) => `Market orders of this account are delayed: it executes at ${tell('execute_at')}.`,
  taken: (tell, { symbol, side }) => {
    const levels = tell('levels');
    return (
      `It ${side === 'buy' ? 'bought' : 'sold'} ${tell('filled')} of ${tell('requested')} ${symbol} from ` +
      `${levels} ${levels === '1' ? 'level' : 'levels'} of the book of ${tell('book_time')} (mid ${tell('mid')}): ${tell('taken')}.`
    );
  },
  made: (tell, { symbol }) => {
    const print = tell('print_price');
    const by = print === undefined ? '' : ` by a trade of ${tell('print_size')} at ${print}`;
    return `It was hit${by}: ${tell('filled')} ${symbol} filled at ${tell('price')}, ${queueText(tell('queue_ahead'), symbol)}.`;
  },
  triggered: (tell) => {
    const [mark, print] = [tell('mark'), tell('print_price')];
    const what = mark === undefined ? `the last trade, ${print},` : `the mark, ${mark},`;
    return `It triggered: ${what} of ${tell('trigger_market_id')} reached its trigger.`;
  },
  repriced: (tell) => `The chase moved to ${tell('price')}; the best price of its side is ${tell('own_best')}.`,
  resized: (tell, { symbol }) => {
    const [from, sibling] = [tell('from'), tell('sibling_filled')];
    const why =
      sibling === undefined ? ' because the position has changed' : ` because the other leg filled ${sibling}`;
    const size = from === undefined ? `is ${tell('to')}` : `changed from ${from} to ${tell('to')}`;
    return `Its size ${size} ${symbol},${why}.`;
  },
  attached: (tell) => {
    const legs = [
      ['take-profit', tell('take_profit_price')],
      ['stop-loss', tell('stop_loss_price')],
    ].flatMap(([name, price]) => (price === undefined ? [] : [`${name} ${price}`]));
    return legs.length === 0 ? 'Its attached exits were removed.' : `It has ${legs.join(' and ')} attached.`;
  },
  leg_attached: (tell, { symbol }) =>
    `${legOf(tell)} became working as ${tell('order_id')} for ${tell('size')} ${symbol}.`,
  leg_removed: (tell) => `${legOf(tell)} was removed, because its exit ${tell('order_id')} was canceled.`,
  leg_left_out: (tell) => `${legOf(tell)} was left out: ${tell('reason')}`,
  copied: (tell, { symbol }) =>
    `It copies ${tell('lead_order_id')}: ${tell('wanted')} ${symbol} wanted, ${tell('allowed')} allowed.`,
  forced: (tell) => {
    const rule = tell('rule_id');
    const why = rule === undefined ? 'for liquidation' : `because of ${rule}`;
    return `The exchange force-closed the position ${why}, at a mark of ${tell('mark')}.`;
  },
  gap: (tell) => `The market's data stopped: ${tell('reason')}. Nothing fills until it returns.`,
  gap_end: (tell) => `The market's data returned; it was missing since ${tell('gap_since')}.`,
};

function legOf(tell: Tell): string {
  const takeProfit = tell('take_profit_price');
  return takeProfit === undefined ? `Its stop-loss at ${tell('stop_loss_price')}` : `Its take-profit at ${takeProfit}`;
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
  if (typeof value === 'string') return /market_id$/.test(name) ? shellSafe(value) : word(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function levelText(level: unknown): string {
  if (!Array.isArray(level)) return String(level);
  const [price, size] = level.map(Number);
  return `${quantity(size!)} at ${quantity(price!)}`;
}

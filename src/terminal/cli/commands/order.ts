import { usageFailure } from '../../../base/failure/failure.ts';
import { counted, dateTime, marketName, quantity, timeOfDay, word } from '../../../base/text/format.ts';
import { wrap } from '../../../base/text/plain-text.ts';
import { isWorking } from '../../../desk/account/means.ts';
import { draftAmendment, draftLegs } from '../../../desk/preview/amendment.ts';
import { wholeOrder } from '../../../desk/reading/account-changes.ts';
import { beginAccount } from '../../../desk/reading/before.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolveOrder } from '../../../desk/resolve/holdings.ts';
import { fetchQuote } from '../../../desk/resolve/quote.ts';
import type { Quote } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Blocks, blank, fields, line, recordOf } from '../../console/output/result.ts';
import { confirmWrite } from '../../console/person.ts';
import { orderBlocks, orderBrief, orderHeadline } from '../../console/views/order-view.ts';
import { amendmentPreview } from '../preview/order-preview.ts';
import { accountOf, cancelEach, described } from '../writes/bulk.ts';
import { amended, checkWait, placed, toAmend } from '../writes/order-outcome.ts';
import { dryRunResult, farStopOf, placedQuestion, write } from '../writes/write.ts';

const show = defineCommand({
  summary: 'Show one order',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  options: { wait: { summary: 'wait until the order ends; exits 5 if it is rejected' } },
  examples: [
    ['perp order show my-entry-1', 'by client order id'],
    ['perp order show my-entry-1 --json', 'every field'],
    ['perp order show my-entry-1 --wait', 'once it has ended'],
  ],
  async run(console, input) {
    if (input.wait) await checkWait(console);
    const order = await resolveOrder(console, input.order);
    if (input.wait) return placed(console, order, true);
    const whole = await wholeOrder(console, order);
    return recordOf({ ...order, computed: whole.computed }, () => orderBlocks(whole.order));
  },
});

const explain = defineCommand({
  summary: 'Explain why an order filled or did not (simulation only)',
  description:
    'Prints the history of the order: book times, levels taken, queue ahead, prints used, tolerance, reductions and margin. For a working order, the last line shows the condition it waits for and its distance.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  examples: [['perp order explain my-entry-1', 'why it is still resting']],
  simulationOnly: true,
  async run(console, input) {
    const order = await resolveOrder(console, input.order);
    const whole = await wholeOrder(console, order);
    const { data } = await console.call('simExplainOrder', { path: { order_id: order.id } });
    const queue =
      data.queue_ahead === undefined ? '' : ` ${quantity(data.queue_ahead)} ${order.symbol} are ahead of it.`;
    const now = isWorking(order) ? `${await waitsFor(console, order)}${queue}` : undefined;
    const width = Math.min(console.io.columns, 100);
    return recordOf(data, () => [
      orderHeadline(whole.order),
      data.lines.length === 0 ? line({ text: 'Nothing has happened to it yet.', tone: 'faint' }) : [],
      ...data.lines.flatMap(({ time, kind, detail }, at) => [
        blank,
        dayOf(time, data.lines[at - 1]?.time),
        line(`${timeOfDay(time)}  `, { text: kind.replaceAll('_', ' '), tone: 'strong' }),
        ...wrap(explained({ kind, detail: Object(detail) }, order), width, '  ')
          .split('\n')
          .map((text) => line(text)),
      ]),
      now === undefined ? [] : [blank, line({ text: 'now', tone: 'strong' }), line(`  ${now}`)],
    ]);
  },
});

/** The date, where it differs from the line above. */
function dayOf(time: number, above: number | undefined): Blocks {
  const date = (ms: number) => dateTime(ms).slice(0, 'YYYY-MM-DD'.length);
  return above !== undefined && date(above) === date(time) ? [] : [line({ text: date(time), tone: 'faint' })];
}

async function waitsFor(console: Console, order: Order): Promise<string> {
  try {
    const isArmed = order.trigger_price !== undefined && order.triggered_at === undefined;
    const marketId = (isArmed ? order.trigger_market_id : undefined) ?? order.market_id;
    return waitingText(order, await fetchQuote(console, marketId));
  } catch (error) {
    return (error as Error).message;
  }
}

const amend = defineCommand({
  summary: 'Change the price or size of a working order',
  description:
    'Changes the limit price of a resting order, or the trigger price of an armed one. A new price or a larger size loses the place in the queue.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  options: {
    price: { value: 'PRICE', kind: 'price', required: true, summary: 'new price, such as 61000 or bid-0.5%' },
    size: { value: 'SIZE', kind: 'size', summary: 'new remaining size' },
    force: { summary: 'change the order even if its worst case would breach a floor' },
    'far-stop': { summary: 'allow a stop-loss more than 20% away' },
  },
  examples: [
    ['perp order amend my-entry-1 --price 61000', 'change the price'],
    ['perp order amend my-entry-1 --price 61000 --size 0.1', 'change price and size'],
  ],
  async run(console, input) {
    const order = await toAmend(console, input.order);
    const body = await draftAmendment(console, order, input);
    const was = order.limit_price ?? order.trigger_price;
    const from = was === undefined ? '' : ` from ${quantity(was)}`;
    const size = body.size === undefined ? '' : `, size ${quantity(order.size)} to ${quantity(body.size)}`;
    const request = { path: { order_id: order.id }, body };
    return write(console, 'modifyOrder', request, {
      ...amendmentPreview(console, order, body, judgedAs(console, input)),
      account: order.account_id,
      question: `Move ${word(order.side)} ${quantity(order.size)} ${word(order.symbol)}${from} to ${quantity(body.price)}${size}?`,
      done: ({ data, body: { queued } }) => amended(console, order, data, queued, orderBrief),
    });
  },
});

function judgedAs(console: Console, { force, farStop }: { force: boolean; farStop: boolean }) {
  return { force, farStop: farStopOf(console, farStop) };
}

const exits = defineCommand({
  summary: 'Change the exits attached to a resting entry',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  options: {
    'take-profit': { value: 'PRICE', kind: 'optionalPrice', summary: 'new take-profit, or none to remove it' },
    'stop-loss': { value: 'PRICE', kind: 'optionalPrice', summary: 'new stop-loss, or none to remove it' },
    force: { summary: 'change the exits even if the worst case of the order would breach a floor' },
    'far-stop': { summary: 'allow a stop-loss more than 20% away' },
  },
  examples: [
    ['perp order exits my-entry-1 --stop-loss 59000', 'move the stop-loss'],
    ['perp order exits my-entry-1 --stop-loss 1%', 'move it to 1% from the entry, on the losing side'],
    ['perp order exits my-entry-1 --take-profit none', 'remove the take-profit'],
  ],
  async run(console, input) {
    if (input.takeProfit === undefined && input.stopLoss === undefined) {
      throw usageFailure('Nothing to change.', 'Give --take-profit or --stop-loss with a price or none.');
    }
    const order = await toAmend(console, input.order);
    const body = await draftLegs(console, order, input);
    const request = { path: { order_id: order.id }, body };
    return write(console, 'updateAttachedExits', request, {
      ...amendmentPreview(
        console,
        order,
        { stop: body.stop_loss_price, target: body.take_profit_price },
        judgedAs(console, input),
      ),
      account: order.account_id,
      question: `Change the exits of ${word(order.side)} ${quantity(order.size)} ${word(order.symbol)}?`,
      done: ({ data, body: { queued } }) => amended(console, order, data, queued, () => attachedBlocks(data)),
    });
  },
});

function attachedBlocks(data: Order): Blocks {
  const priceOr = (price: number | undefined) => (price === undefined ? 'none' : quantity(price));
  return [
    orderHeadline(data),
    fields(
      ['take-profit', priceOr(data.attached_take_profit_price)],
      ['stop-loss', priceOr(data.attached_stop_loss_price)],
      ['order', data.id],
    ),
  ];
}

const cancel = defineCommand({
  summary: 'Cancel orders',
  args: [{ name: 'order', kind: 'order', repeat: true, summary: 'order ids or client order ids' }],
  examples: [
    ['perp order cancel my-entry-1', 'one order'],
    ['perp order cancel my-entry-1 my-entry-2', 'several orders'],
    ['perp cancel-all', 'every working order of the account'],
  ],
  async run(console, input) {
    beginAccount(console);
    const orders: Order[] = [];
    for (const text of new Set(input.order)) orders.push(ofChosenAccount(console, await resolveOrder(console, text)));
    if (console.settings.dryRun) {
      const { client } = await console.access();
      return dryRunResult(orders.map((order) => client.intend('cancelOrder', { path: { order_id: order.id } })));
    }
    const only = orders.length === 1 ? orders[0]! : undefined;
    const what = only === undefined ? counted(orders.length, 'order') : described(only);
    const { client, destination } = await console.access();
    const accounts = [...new Set(orders.map(({ account_id }) => account_id))];
    const question = await placedQuestion(console, `Cancel ${what}?`, accountOf(orders));
    await confirmWrite(console, question, { client, destination, accounts });
    return cancelEach(console, orders);
  },
});

export const commands = { show, explain, amend, exits, cancel };

/** One event in an order's history, as the simulation explains it. */
interface Explained {
  kind: string;
  detail: Readonly<Record<string, unknown>>;
}

/** Returns the text of a fact, and records that the sentence contains it. */
type Mention = (name: string) => string | undefined;

/** The outcome in a sentence, followed by labeled facts that the sentence omits. */
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

/** The condition that a working order waits for, and its distance at a quote of the deciding market. */
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

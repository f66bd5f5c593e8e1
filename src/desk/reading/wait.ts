import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { quantity, timeOfDay } from '../../base/text/format.ts';
import type { MarketFollower } from '../../wire/client/streams/market-follower.ts';
import type { StreamState } from '../../wire/client/streams/stream-state.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { MarketStreamEvent, TickEvent } from '../../wire/contract/streams.ts';
import type { StreamTransport } from '../../wire/contract/wire.ts';
import { accountId } from '../resolve/account.ts';
import { resolveOrder } from '../resolve/holdings.ts';
import { resolveMarket } from '../resolve/market.ts';
import { resolvePrice } from '../resolve/price.ts';
import { fetchQuote, markOf } from '../resolve/quote.ts';
import type { Session } from '../session/session.ts';
import { accountChanges, type Changes, isOver } from './account-changes.ts';
import { type Condition, type FlatCondition, isBeyond, type OrderCondition, type PriceCondition } from './condition.ts';
import { aborted, marketHost, streamRefusal, untilAnotherRun } from './streams.ts';

/** How a condition came true. */
export interface Met {
  /** Exchange time of the observation, Unix ms; null if the service doesn't report it. */
  readonly at: number | null;
  /** For a price condition: the price that met it, and the bound, USD. */
  readonly price?: number;
  readonly bound?: number;
  /**
   * What showed it. A `candle` shows a last price: of a second in which the stream was lost, or between two reports.
   */
  readonly from: 'stream' | 'candle' | 'quote' | 'positions' | 'order';
  /** Of an order condition. */
  readonly order?: Order;
}

/** Without a stream, the service is asked this often, ms. */
const pollMs = 1_000;
/** A working stream reports changes; this covers one that it misses, ms. */
const toldPollMs = 15_000;

/**
 * Resolves when the condition is true, immediately if it already is. Throws a failure for one that can no longer come
 * true, and the reason of the signal when it aborts.
 */
export async function waitFor(session: Session, condition: Condition, signal: AbortSignal): Promise<Met> {
  const over = new AbortController();
  const forget = untilAnotherRun(session, (error) => over.abort(error));
  try {
    return await metIn(session, condition, AbortSignal.any([signal, over.signal]));
  } catch (error) {
    throw over.signal.aborted && !signal.aborted ? over.signal.reason : error;
  } finally {
    forget();
  }
}

async function metIn(session: Session, condition: Condition, signal: AbortSignal): Promise<Met> {
  if (condition.kind === 'price') return priceMet(session, condition, signal);
  await using changes = await accountChanges(session);
  // Changes are reported until the end.
  if (condition.kind === 'flat') return await flatMet(session, condition, changes, signal);
  return await orderMet(session, condition, changes, signal);
}

async function flatMet(session: Session, { market: text }: FlatCondition, changes: Changes, signal: AbortSignal) {
  const account = await accountId(session);
  const market = text === undefined ? undefined : await resolveMarket(session, text);
  return repeated(session, changes, signal, async (): Promise<Met | undefined> => {
    const { data } = await session.call('listOpenPositions', { query: { account_id: account } });
    const held = data.filter(({ market_id }) => market === undefined || market_id === market.market_id);
    return held.length === 0 ? { at: null, from: 'positions' } : undefined;
  });
}

async function orderMet(
  session: Session,
  { order: text, state }: OrderCondition,
  changes: Changes,
  signal: AbortSignal,
) {
  const { id } = await resolveOrder(session, text);
  return repeated(session, changes, signal, async (): Promise<Met | undefined> => {
    const { data: order } = await session.call('getOrder', { path: { order_id: id } });
    if (order.status === 'filled' || (state === 'ended' && isOver(order)))
      return { at: order.settled_at ?? null, from: 'order', order };
    if (isOver(order)) throw neverFilled(order);
    return undefined;
  });
}

function neverFilled({ id, status, filled_size: filled = 0 }: Order): Failure {
  const part = filled > 0 ? `, with ${quantity(filled)} filled` : '';
  return new Failure({
    code: 'never_met',
    message: `Order ${id} is ${status}${part}, so it will not fill.`,
    hint: "To wait for any ending, use 'order ID ended'.",
  });
}

/** Checks again at every change that the account stream reports, or each second without one. */
async function repeated(
  session: Session,
  changes: Changes,
  signal: AbortSignal,
  look: () => Promise<Met | undefined>,
): Promise<Met> {
  let isNoted = false;
  const patience = new Patience((text) => session.note(text));
  const stopped = aborted(signal);
  stopped.catch(() => {});
  for (let round = 0; ; round++) {
    const changed = changes.wait(changes.areTold ? toldPollMs : pollMs);
    changed.catch(() => {});
    const met = await Promise.race([patience.ask(look, signal), stopped]);
    if (met !== undefined) return met;
    // A stream needs a moment to open.
    if (round > 0 && !changes.areTold && !isNoted && !(await session.access()).isInProcess) {
      isNoted = true;
      session.note('No account stream: checking once a second.');
    }
    await Promise.race([changed, stopped]);
  }
}

async function priceMet(session: Session, condition: PriceCondition, signal: AbortSignal): Promise<Met> {
  const market = await resolveMarket(session, condition.market);
  const { market_id: marketId } = market;
  const bound = await resolvePrice(session, condition.bound, { label: 'The bound', marketId, side: 'buy' });
  // Only the stream has last prices.
  const host =
    condition.price === 'last' ? await marketHost(session) : (await (await session.access()).streams()).market;
  const watch = new PriceWatch(session, condition, bound);
  const stop = host === undefined ? () => {} : await watch.follow(host, market);
  try {
    return await Promise.race([watch.met, watch.poll(market, signal), aborted(signal)]);
  } finally {
    stop();
  }
}

/**
 * Watches one price. Connected, the stream reports its every change. Prices hidden by an outage are in the candles of
 * its seconds, and in quotes while it lasts.
 */
class PriceWatch {
  readonly met: Promise<Met>;
  readonly #session: Session;
  readonly #condition: PriceCondition;
  readonly #bound: number;
  readonly #take: (met: Met) => void;
  readonly #fail: (error: Error) => void;
  /**
   * A period in which the market stream was lost: from its last tick to its first after that. Exchange time, Unix ms.
   */
  readonly #outages: { readonly from: number; to: number }[] = [];
  /** Time of the first and the latest tick. */
  #first = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;
  /** Time of the first report of the price that is waited for. */
  #begun: number | undefined;
  #isLive = false;
  #isNoted = false;

  constructor(session: Session, condition: PriceCondition, bound: number) {
    this.#session = session;
    this.#condition = condition;
    this.#bound = bound;
    const { promise, resolve, reject } = Promise.withResolvers<Met>();
    this.met = promise;
    this.met.catch(() => {});
    this.#take = resolve;
    this.#fail = reject;
  }

  /** Follows the market on the stream; returns a function that stops it. */
  async follow(transport: StreamTransport, { coin, provider }: Market): Promise<() => void> {
    const { MarketFollower } = await import('../../wire/client/streams/market-follower.ts');
    const follower: MarketFollower = new MarketFollower({
      ...{ transport, timing: this.#session.machine.stage?.timers },
      onState: (state) => this.#heard(state),
      onRun: (run) => this.#session.memory.tookRun(run),
    });
    const of = { symbols: [coin], providers: [provider] };
    const refused = ({ message }: { message: string }) => this.#fail(streamRefusal(message));
    follower.subscribe('ticks', of, {
      events: (events) => {
        for (const one of events) this.#tick(one);
      },
      refused,
    });
    // The replay after a loss has the last 1,000 trades; candles cover what is older.
    const trades = { events: (events: MarketStreamEvent[]) => this.#trades(events), refused };
    if (this.#condition.price === 'last') follower.subscribe('trades', of, trades);
    follower.subscribe(
      'candles',
      // Those before the wait show which are missing after a loss, even a loss before they came.
      { ...of, intervals: ['1s'], historyLimit: 300 },
      {
        events: (events) => {
          for (const one of events) this.#candle(one);
        },
        refused: () => this.#session.note('The host has no 1s candles, so an outage can hide prices.'),
        gap: ({ from, to }) =>
          this.#session.note(`Prices between ${timeOfDay(from)} and ${timeOfDay(to)} are missing.`),
      },
    );
    return () => follower.close();
  }

  /** Asks for quotes while the stream is not live. */
  async poll({ market_id: marketId }: Market, signal: AbortSignal): Promise<never> {
    const patience = new Patience((text) => this.#session.note(text));
    for (;;) {
      if (!this.#isLive) {
        const quote = await patience.ask(() => fetchQuote(this.#session, marketId), signal);
        const price = quote === undefined ? undefined : this.#priceOf(quote);
        if (price !== undefined) this.#see(price, quote!.time, 'quote');
      }
      await pause(pollMs, signal);
      if (!this.#isLive) this.#noteOnce();
    }
  }

  #noteOnce(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#session.note(
      this.#condition.price === 'last'
        ? 'The market stream is down: last prices return with it.'
        : 'The market stream is down: checking once a second, so a shorter crossing can be missed.',
    );
  }

  /** A quote has no last price. */
  #priceOf(quote: Quote): number | undefined {
    if (this.#condition.price === 'mark') return markOf(quote)?.price;
    return this.#condition.price === 'mid' ? (quote.mid ?? undefined) : undefined;
  }

  #heard(state: StreamState): void {
    const wasLive = this.#isLive;
    this.#isLive = state.kind === 'live';
    if (wasLive && state.kind === 'reconnecting' && this.#outages.at(-1)?.to !== Number.POSITIVE_INFINITY)
      this.#outages.push({ from: this.#latest, to: Number.POSITIVE_INFINITY });
  }

  #tick(event: MarketStreamEvent): void {
    if (event.type !== 'tick') return;
    const outage = this.#outages.at(-1);
    if (outage?.to === Number.POSITIVE_INFINITY && event.time > outage.from) outage.to = event.time;
    this.#first = Math.min(this.#first, event.time);
    this.#latest = Math.max(this.#latest, event.time);
    if (event.kind !== this.#condition.price) return;
    if (this.#begun === undefined) this.#begin(event);
    this.#see(Number(event.price), event.time, 'stream');
  }

  #begin({ price, time }: TickEvent): void {
    this.#begun = time;
    const { market, price: kind } = this.#condition;
    this.#session.note(`${market}'s ${kind === 'last' ? 'last price' : kind} is ${quantity(Number(price))}.`);
  }

  /** Trades from before the wait are replayed, too. */
  #trades(events: readonly MarketStreamEvent[]): void {
    for (const event of events)
      if (event.type === 'trade' && this.#begun !== undefined && event.time > this.#begun)
        this.#see(Number(event.price), event.time, 'stream');
  }

  /** Only candles that begin after the wait has: an earlier one has prices from before it. */
  #candle(event: MarketStreamEvent): void {
    if (event.type !== 'candle' || event.openTime < this.#first) return;
    const isHidden = this.#outages.some(({ from, to }) => event.openTime > from && event.closeTime < to);
    if (this.#condition.price !== 'last' && !isHidden) return;
    for (const price of [event.low, event.high]) this.#see(Number(price), event.openTime, 'candle');
  }

  #see(price: number, at: number, from: Met['from']): void {
    if (Number.isFinite(price) && isBeyond(this.#condition.operator, price, this.#bound))
      this.#take({ at, price, bound: this.#bound, from });
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: delay } = await import('node:timers/promises');
  await delay(ms, undefined, { signal });
}

/** The minimum time between repetitions of a reason, ms. */
const againMs = 60_000;

/** Asks a service that may be unavailable or busy, repeatedly, and reports once why there is no answer. */
export class Patience {
  readonly #say: (text: string) => void;
  readonly #uptime: () => number;
  #said: { readonly reason: string; readonly at: number } | undefined;

  constructor(say: (text: string) => void, uptime: () => number = () => performance.now()) {
    this.#say = say;
    this.#uptime = uptime;
  }

  /**
   * The answer; undefined if the service has none now. Rejects for failures that a retry can't fix, and after the
   * signal.
   */
  async ask<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
    try {
      const answer = await look();
      this.#said = undefined;
      return answer;
    } catch (error) {
      const { exit, message } = factsOf(error);
      if (signal.aborted || exit !== exitCodes.unavailable) throw error;
      this.#tell(message);
      return undefined;
    }
  }

  #tell(reason: string): void {
    const at = this.#uptime();
    if (this.#said?.reason === reason && at - this.#said.at < againMs) return;
    this.#said = { reason, at };
    this.#say(`${reason} Still waiting.`);
  }
}

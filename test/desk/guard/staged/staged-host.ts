import { ConnectionError, NoAnswerError } from '../../../../src/wire/client/client-errors.ts';
import type { RenewableTransport } from '../../../../src/wire/client/send.ts';
import type { Operation } from '../../../../src/wire/contract/operation.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { Router } from '../../../../src/wire/contract/target.ts';
import type { StreamEvents, StreamTransport, WireRequest, WireResponse } from '../../../../src/wire/contract/wire.ts';
import { anOrder, aPosition, aTwap } from '../../../wire/client/write-answers.ts';
import type { VirtualTime } from './virtual-time.ts';

const router = new Router<Operation>(Object.values(operations));

/** What happens to a request instead of the honest answer; undefined for nothing. */
export type Mishap =
  | { kind: 'status'; status: number; body: unknown; headers?: Record<string, string> }
  /** No answer within the time; done before, if `isDone`. */
  | { kind: 'hang' | 'cut'; isDone: boolean }
  | { kind: 'refused' }
  | { kind: 'slow'; ms: number };

/** What happens to streams. */
export interface StreamMishaps {
  /** Why a connection can't be opened; null if it hangs. */
  refused?: (path: string) => { status?: number } | null | undefined;
  /** What arrives instead of a frame; undefined for the frame itself, an empty list for nothing. */
  frame?: (path: string, frame: object) => readonly string[] | undefined;
}

export interface HeldPosition {
  id: string;
  market_id: string;
  side: 'long' | 'short';
  size: number;
  entry: number;
  openedAt: number;
}

const account_id = 'acc_1';
const coins = ['BTC', 'ETH', 'SOL'] as const;
export const marketIds = coins.map((coin) => `binance|${coin}USDT`);

/**
 * A host with one account, in virtual time: its positions, orders and TWAPs, the endpoints and streams that guard and
 * flatten use, and a place for everything that can go wrong in between. It is strict where the guard relies on it:
 * closes by id, reduce-only orders that never open or flip, one execution per key.
 */
export class StagedHost {
  balance = 100_000;
  status = 'active';
  readonly positions = new Map<string, HeldPosition>();
  readonly orders = new Map<string, { id: string; market_id: string; reduce_only: boolean }>();
  readonly twaps = new Set<string>();
  /** Every execution that made a position smaller, with the virtual time. */
  readonly closes: { id: string; at: number }[] = [];
  /** Since when nothing has been open, in virtual time. */
  flatSince = 0;
  /** Marks at a virtual time. */
  markOf: (market: string, at: number) => number = () => 100;
  mishap: (id: string, target: string) => Mishap | undefined = () => undefined;
  streams: StreamMishaps = {};
  latencyMs: () => number = () => 20;
  /** Exchange time per virtual time. */
  speed = 1;
  #time: VirtualTime;
  readonly #answers = new Map<string, WireResponse>();
  readonly #open = new Set<{ path: string; say(frame: object): void; lose(code: number): void }>();
  #count = 0;
  #seq = 0;

  /** Exchange time at virtual time 0. */
  readonly beginning: number;

  constructor(time: VirtualTime, beginning: number) {
    this.#time = time;
    this.beginning = beginning;
  }

  /** Exchange time, Unix ms. */
  get now(): number {
    return Math.round(this.beginning + this.#time.now * this.speed);
  }

  get equity(): number {
    let equity = this.balance;
    for (const position of this.positions.values()) equity += this.pnlOf(position);
    return equity;
  }

  pnlOf({ market_id, side, size, entry }: HeldPosition): number {
    return (this.markOf(market_id, this.#time.now) - entry) * size * (side === 'long' ? 1 : -1);
  }

  open(market_id: string, side: 'long' | 'short', size: number): HeldPosition {
    const id = `pos_${++this.#count}`;
    const entry = this.markOf(market_id, this.#time.now);
    const position = { id, market_id, side, size, entry, openedAt: this.now };
    this.positions.set(id, position);
    this.flatSince = Number.POSITIVE_INFINITY;
    this.#tellFill(market_id);
    return position;
  }

  close(id: string, size = Number.POSITIVE_INFINITY): void {
    const position = this.positions.get(id)!;
    const part = Math.min(size, position.size);
    this.balance += this.pnlOf({ ...position, size: part });
    position.size = Number((position.size - part).toPrecision(12));
    if (position.size === 0) this.positions.delete(id);
    this.closes.push({ id, at: this.#time.now });
    if (this.positions.size === 0) this.flatSince = this.#time.now;
    this.#tellFill(position.market_id);
  }

  /** Forgets its keys and loses its streams, as after a restart. */
  restart(): void {
    this.#answers.clear();
    this.loseStreams();
  }

  loseStreams(): void {
    for (const stream of [...this.#open]) stream.lose(1006);
  }

  /** Sends a tick of each market, at most once per call. */
  tick(): void {
    for (const market of marketIds) {
      const price = String(this.markOf(market, this.#time.now));
      for (const stream of this.#open) if (stream.path === '/v1/market-data') stream.say({ tick: market, price });
    }
  }

  readonly transport: RenewableTransport = (request, limits) =>
    new Promise<WireResponse>((resolve, reject) => {
      const { timers } = this.#time;
      const { operation, path } = find(request);
      const mishap = this.mishap(operation?.id ?? 'none', request.target);
      const cancels: (() => void)[] = [];
      const end = (settle: () => void) => {
        for (const cancel of cancels.splice(0)) cancel();
        limits.signal?.removeEventListener('abort', abort);
        settle();
      };
      const unanswered = (why: string) => end(() => reject(new NoAnswerError(`sent, but ${why}`)));
      const abort = () => unanswered('it was stopped');
      limits.signal?.addEventListener('abort', abort, { once: true });
      cancels.push(timers.after(limits.timeoutMs, () => unanswered('no answer came in time')));
      const later = (ms: number, run: () => void) => cancels.push(timers.after(ms, run));
      const honest = () => this.#answer(operation, path, request);
      const latency = this.latencyMs();
      if (mishap?.kind === 'refused')
        later(1, () => end(() => reject(new ConnectionError('nothing is listening there'))));
      else if (mishap?.kind === 'hang' || mishap?.kind === 'cut') {
        // What has arrived is carried out, whether or not anybody still waits for the answer.
        if (mishap.isDone) timers.after(latency / 2, honest);
        if (mishap.kind === 'cut') later(latency, () => unanswered('the connection was cut'));
      } else if (mishap?.kind === 'status') {
        const { status, body, headers = {} } = mishap;
        later(latency, () => end(() => resolve({ status, headers, body })));
      } else
        later(latency / 2 + (mishap?.kind === 'slow' ? mishap.ms : 0), () => {
          const answer = honest();
          later(latency / 2, () => end(() => resolve(answer)));
        });
    });

  readonly stream: StreamTransport = (target, events) => {
    const path = target.split('?')[0]!;
    const { timers } = this.#time;
    const subscriptions = new Map<string, string>();
    let isOver = false;
    const send = (texts: readonly string[]) =>
      timers.after(this.latencyMs() / 2, () => {
        if (!isOver) for (const text of texts) events.text(text);
      });
    const connection = {
      path,
      say: (frame: object) => {
        if (isOver) return;
        for (const own of framesOf(frame, subscriptions, this.now))
          send(this.streams.frame?.(path, own) ?? [JSON.stringify(own)]);
      },
      lose: (code: number) => {
        if (isOver) return;
        isOver = true;
        this.#open.delete(connection);
        events.closed({ code, reason: '' });
      },
    };
    const refused = this.streams.refused?.(path);
    if (refused === undefined)
      timers.after(this.latencyMs(), () => {
        if (isOver) return;
        this.#open.add(connection);
        this.#welcome(connection, events);
      });
    else if (refused !== null)
      timers.after(this.latencyMs(), () => {
        if (!isOver) events.closed({ code: 1006, reason: 'refused', ...refused });
        isOver = true;
      });
    return {
      send: (text) => this.#hear(JSON.parse(text), connection, subscriptions),
      close: () => {
        isOver = true;
        this.#open.delete(connection);
      },
    };
  };

  #welcome(connection: { path: string; say(frame: object): void }, events: StreamEvents): void {
    events.opened();
    if (connection.path === '/v1/market-data') return;
    connection.say({ type: 'hello', stream_id: 'stream', resumed: false });
    const positions = [...this.positions.values()].map((position) => this.#position(position));
    const snapshot = { account: this.#account(), positions, orders: [] };
    connection.say({ type: 'snapshot', seq: ++this.#seq, time: this.now, account_id, ...snapshot });
    connection.say({ type: 'snapshot_end' });
  }

  // biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
  #hear(frame: any, connection: { say(frame: object): void }, subscriptions: Map<string, string>): void {
    if (frame.op === 'sub') {
      const coin = frame.payload.symbols[0];
      subscriptions.set(`binance|${coin}`, `sub_${frame.id}`);
      connection.say({ op: 'sub_ok', id: frame.id, sub: `sub_${frame.id}`, snapshotBoundary: false });
    } else if (frame.op === 'req') connection.say({ op: 'res', id: frame.id, result: this.now });
  }

  #tellFill(market_id: string): void {
    const fill = { ...anOrder, id: `ord_${++this.#count}`, market_id, status: 'filled' };
    for (const stream of this.#open)
      if (stream.path !== '/v1/market-data')
        stream.say({ type: 'fill', seq: ++this.#seq, time: this.now, account_id, fill });
  }

  #answer(operation: Operation | null, path: Readonly<Record<string, string>>, request: WireRequest): WireResponse {
    const key = request.headers['idempotency-key'];
    const known = key === undefined ? undefined : this.#answers.get(`${operation?.id} ${key}`);
    if (known !== undefined) return known;
    const body = request.body === undefined ? {} : JSON.parse(request.body);
    const answer = this.#carryOut(operation?.id ?? 'none', path, request.target, body);
    if (key !== undefined && answer.status < 500) this.#answers.set(`${operation?.id} ${key}`, answer);
    return answer;
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  #carryOut(id: string, path: Readonly<Record<string, string>>, target: string, body: any): WireResponse {
    switch (id) {
      case 'listAccounts':
        return ok([this.#account()]);
      case 'getAccount':
        return ok(this.#account());
      case 'listMarkets':
        return ok(coins.map((coin) => marketOf(coin)));
      case 'getMarketQuote':
        return ok({
          ...quote,
          market_id: path.market_id,
          mid: this.markOf(path.market_id!, this.#time.now),
          time: this.now,
        });
      case 'listOpenPositions':
        return ok(
          target.includes('status=closed') ? [] : [...this.positions.values()].map((one) => this.#position(one)),
          {
            has_more: false,
          },
        );
      case 'listOrders':
        return ok(
          [...this.orders.values()].map((order) => ({ ...workingOrder, ...order })),
          { has_more: false },
        );
      case 'listActiveTwapOrders':
        return ok([...this.twaps].map((twap) => ({ ...aTwap, id: twap, status: 'running' })));
      case 'listFills':
        return ok([], { has_more: false });
      case 'closePosition':
        return this.#reduce(path.position_id!, body, Number.POSITIVE_INFINITY);
      case 'closeAllAccountPositions': {
        const results = [...this.positions.keys()].map((id) => ({ position_id: id, status: 'succeeded' }));
        for (const { position_id } of results) this.close(position_id);
        const count = { total_count: results.length, succeeded_count: results.length, failed_count: 0 };
        const operation = { id: 'op_1', account_id, operation: 'close_all_positions', status: 'completed' };
        return ok({ ...operation, ...count, results, created_at: this.now });
      }
      case 'createOrder': {
        if (body.reduce_only !== true) throw new Error('guard and flatten never open anything');
        const held = [...this.positions.values()].find(({ market_id }) => market_id === body.market_id);
        const wanted = held?.side === 'long' ? 'sell' : 'buy';
        if (held === undefined || body.side !== wanted) return refusal(422, 'trading_rule');
        return this.#reduce(held.id, body, body.size);
      }
      case 'cancelOrder':
        return this.orders.delete(path.order_id!)
          ? ok({ id: path.order_id, canceled: true })
          : refusal(404, 'not_found');
      case 'cancelTwapOrder':
        return this.twaps.delete(path.twap_order_id!)
          ? ok({ ...aTwap, id: path.twap_order_id, status: 'canceled' })
          : refusal(404, 'not_found');
      case 'replacePositionExitOrders':
        return ok(this.#position(this.positions.get(path.position_id!)!));
      default:
        return refusal(404, 'not_found');
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  #reduce(id: string, body: any, size: number): WireResponse {
    const position = this.positions.get(id);
    if (position === undefined) return refusal(404, 'not_found');
    const side = position.side === 'long' ? 'sell' : 'buy';
    const part = Math.min(size, position.size);
    this.close(id, part);
    // Its exits end with it.
    for (const order of this.orders.values())
      if (order.reduce_only && order.market_id === position.market_id) this.orders.delete(order.id);
    const sized = { size: part, initial_size: part, filled_size: part };
    const made = { ...anOrder, ...sized, id: `ord_${++this.#count}`, market_id: position.market_id, side };
    const kind = { type: 'market', mode: 'market', reduce_only: true, status: 'filled', account_id };
    const { cancel_requested_at: _, ...order } = { ...made, ...kind, client_order_id: body.client_order_id };
    return { status: 201, headers: {}, body: { data: order } };
  }

  #position({ id, market_id, side, size, entry, openedAt }: HeldPosition) {
    const symbol = market_id.slice('binance|'.length, -'USDT'.length);
    return {
      ...aPosition,
      id,
      account_id,
      market_id,
      symbol,
      side,
      size,
      entry_price: entry,
      opened_at: openedAt,
      status: 'open',
    };
  }

  #account() {
    const { equity } = this;
    const requirements = { daily_loss_pct: 50, max_drawdown_pct: 60, profit_target_pct: null };
    const floors = { daily_loss_floor: 50_000, max_drawdown_floor: 40_000 };
    const risk = { observed_at: this.now, equity, unrealized_pnl: equity - this.balance, requirements, ...floors };
    const names = { id: account_id, account_number: '1', name: 'One', stage: 'evaluation', status: this.status };
    return { ...names, starting_balance: 100_000, balance: this.balance, created_at: this.beginning, risk };
  }
}

const { cancel_requested_at: _, ...resting } = anOrder;
const workingOrder = { ...resting, status: 'resting', scaled_order_id: undefined, twap_order_id: undefined };

const quote = { status: 'ok', provider: 'binance', symbol: 'BTC', coin: 'BTCUSDT', bid: 1, ask: 1, fillable: true };

function marketOf(coin: string) {
  const names = { market_id: `binance|${coin}USDT`, provider: 'binance', symbol: coin, coin: `${coin}USDT` };
  const traits = { size_decimals: 3, max_leverage: 10, market_type: 'perp', category: 'crypto', trading_enabled: true };
  return { ...names, ...traits, reduce_only: false, tick_size: 0.01 };
}

/** The frames of a connection: ticks go to whoever has subscribed to their market. */
function framesOf(frame: object, subscriptions: ReadonlyMap<string, string>, time: number): object[] {
  if (!('tick' in frame)) return [frame];
  const { tick, price } = frame as { tick: string; price: string };
  const sub = subscriptions.get(tick);
  const [provider, symbol] = tick.split('|');
  const event = { type: 'tick', kind: 'mark', provider, symbol, price, time };
  return sub === undefined ? [] : [{ op: 'events', sub, events: [event] }];
}

function find(request: WireRequest) {
  const route = router.find(request.method, new URL(request.target, 'http://x').pathname);
  return { operation: route.operation, path: 'path' in route ? route.path : {} };
}

function ok(data: unknown, more: object = {}): WireResponse {
  return { status: 200, headers: {}, body: { data, ...more } };
}

function refusal(status: number, code: string): WireResponse {
  return { status, headers: {}, body: { error: { code, message: code, request_id: 'req_1' } } };
}

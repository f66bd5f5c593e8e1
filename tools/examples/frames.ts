import type { BarSource } from '../../src/exchange/markets/bars.ts';
import { localPrincipal } from '../../src/service/simulation/keys.ts';
import { MarketHub } from '../../src/service/streams/market-hub.ts';
import { MarketSession } from '../../src/service/streams/market-session.ts';
import { AccountHub } from '../../src/service/streams/streams.ts';
import { closeCodes } from '../../src/wire/contract/streams.ts';
import type { Outlet } from '../../src/wire/hosting/stream-host.ts';
import { allAtOnce } from '../../test/service/streams/all-at-once.ts';
import { exampleText } from './example-text.ts';
import { ExampleWorld } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: an example reads frames of every shape.
type Frame = any;

/** The frames of both streams, by the names under which docs/streams.md shows them. */
export async function frameExamples(): Promise<Map<string, string>> {
  const world = await ExampleWorld.open(12);
  try {
    return new Map([...(await marketFrames(world)), ...(await accountFrames(world))]);
  } finally {
    world.close();
  }
}

/** A connection that keeps what it gets. */
class Kept implements Outlet {
  readonly buffered = 0;
  readonly frames: Frame[] = [];
  closed: { code: number; reason: string } | null = null;

  send(text: string): void {
    this.frames.push(JSON.parse(text));
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason };
  }

  /** The frames since the last call. */
  taken(): Frame[] {
    return this.frames.splice(0);
  }
}

const fromClient = (frame: Frame) => `→ ${exampleText(frame)}\n`;
const fromService = (frame: Frame) => `← ${exampleText(frame)}\n`;

async function marketFrames(world: ExampleWorld): Promise<Map<string, string>> {
  const { simulation } = world;
  const { source } = simulation.facts;
  const hub = new MarketHub(source, source as unknown as BarSource, () => simulation.time, allAtOnce);
  const outlet = new Kept();
  let wallMs = 0;
  const session = new MarketSession(hub, outlet, wallMs, {
    closed: () => {},
    bug: (error) => {
      throw error;
    },
  });
  const examples = new Map<string, string>();
  const ask = (frame: Frame) => {
    session.receive(JSON.stringify(frame), wallMs);
    return outlet.taken();
  };
  /** Time passes: the first frame of a subscription that reports it. */
  const later = async (durationMs: number): Promise<Frame[]> => {
    await world.advance(durationMs);
    wallMs += durationMs;
    session.receive('{"op":"req","id":999,"method":"ping"}', wallMs);
    hub.pulse(simulation.time, wallMs);
    session.pulse(wallMs);
    return outlet.taken().filter(({ id }) => id !== 999);
  };
  const markets = { symbols: ['BTCUSDT'], providers: ['binance'] };
  let id = 0;
  for (const [channel, payload] of Object.entries({
    ticks: markets,
    books: markets,
    trades: markets,
    candles: { ...markets, intervals: ['1m'], historyLimit: 2 },
    marketStats: markets,
    status: markets,
  })) {
    id += 1;
    const asked = { op: 'sub', id, channel, payload };
    const first = ask(asked);
    const changes = await later(5_000);
    const shown = [...first, ...changes.slice(0, 1)].map((frame) => fromService(frame));
    const ended = { op: 'unsub', id };
    if (ask(ended).length > 0) throw new Error('unsub was answered');
    examples.set(channel, [fromClient(asked), ...shown, channel === 'ticks' ? fromClient(ended) : ''].join(''));
  }
  const answered = (name: string, frame: Frame) =>
    examples.set(name, [fromClient(frame), ...ask(frame).map(fromService)].join(''));
  answered('ping', { op: 'req', id: 10, method: 'ping' });
  answered('status.get', { op: 'req', id: 11, method: 'status.get', payload: markets });
  answered('candles.history', {
    op: 'req',
    id: 12,
    method: 'candles.history',
    payload: { provider: 'binance', symbol: 'BTCUSDT', interval: '1h', limit: 3 },
  });
  answered('sub_err', { op: 'sub', id: 13, channel: 'ticks', payload: { symbols: ['NOSUCH'] } });
  answered('err', { op: 'req', id: 14, method: 'candles.past' });
  session.drain();
  examples.set('draining', outlet.taken().map(fromService).join(''));
  session.end();
  return examples;
}

async function accountFrames(world: ExampleWorld): Promise<Map<string, string>> {
  const { simulation } = world;
  const bug = (error: unknown) => {
    throw error;
  };
  let wallMs = 0;
  let isAllowed = true;
  const hub = new AccountHub(simulation, () => wallMs, bug);
  const outlet = new Kept();
  const examples = new Map<string, string>();
  hub.open(localPrincipal('live'), outlet, null, () => isAllowed);
  const first = outlet.taken();
  const streamId = first[0].stream_id as string;
  keep(examples, first);
  const seen = async (work: () => Promise<unknown>) => {
    await work();
    keep(examples, outlet.taken());
  };
  await seen(() => tradeEverything(world));
  await seen(() => passOne(world));

  wallMs += 15_000;
  hub.pulse();
  keep(examples, outlet.taken());
  const resumed = new Kept();
  hub.open(localPrincipal('live'), resumed, { streamId, lastSeq: 40, since: null }, () => isAllowed);
  examples.set('hello resumed', resumed.taken().slice(0, 1).map(fromService).join(''));
  hub.drain();
  keep(examples, resumed.taken());
  isAllowed = false;
  wallMs += 15_000;
  hub.pulse();
  keep(examples, resumed.taken());
  if (resumed.closed?.code !== closeCodes.unauthorized) throw new Error('the stream did not end');
  return examples;
}

/** Keeps the first frame of each type and event. */
function keep(examples: Map<string, string>, frames: readonly Frame[]): void {
  for (const frame of frames) {
    const name = frame.event === undefined ? frame.type : `${frame.type} ${frame.event}`;
    if (!examples.has(name)) examples.set(name, fromService(frame));
  }
}

const market = 'binance|BTCUSDT';

/** Orders that end in every way: filled, canceled, rejected, expired. */
async function tradeEverything(world: ExampleWorld): Promise<void> {
  let keys = 0;
  const place = (more: object) => {
    keys += 1;
    const order = { account_id: 'acc_000000001', market_id: market, side: 'buy', leverage: 5, margin_mode: 'cross' };
    return world.ask({ method: 'POST', target: '/v1/orders', key: `stream-${keys}`, body: { ...order, ...more } });
  };
  const { mid } = await world.data({ method: 'GET', target: '/v1/markets/binance%7CBTCUSDT/quote' });
  const below = Math.round(mid * 0.98);
  await place({ type: 'limit', size: 0.02, limit_price: below });
  const target = '/v1/orders?account_id=acc_000000001&status=working';
  const [resting] = await world.data({ method: 'GET', target });
  await world.data({ method: 'PATCH', target: `/v1/orders/${resting.id}`, body: { price: below - 1 } });
  await world.data({ method: 'DELETE', target: `/v1/orders/${resting.id}` });
  await place({ size: 0.05 });
  await place({ size: 500 });
  await place({
    type: 'limit',
    size: 0.01,
    limit_price: below,
    time_in_force: 'gtd',
    gtd_expires_at: world.simulation.time + 60_000,
  });
  await world.advance(61_000);
  await place({ side: 'sell', size: 0.02, reduce_only: true });
  await place({ side: 'sell', size: 0.03, reduce_only: true });
}

/** An account that reaches its profit target gets a funded one: each hour one bets high, until one of them wins. */
async function passOne(world: ExampleWorld): Promise<void> {
  const accounts: { id: string }[] = await world.data({ method: 'GET', target: '/v1/accounts' });
  for (const [at, { id }] of accounts.slice(0, -1).entries()) {
    const limits = { max_position_value_usd: 10_000_000 };
    await world.data({ method: 'POST', target: '/sim/policy', body: { account_id: id, limits, fee_exempt: true } });
    const { mid } = await world.data({ method: 'GET', target: '/v1/markets/binance%7CBTCUSDT/quote' });
    const [side, away] = at % 2 === 0 ? (['buy', 1] as const) : (['sell', -1] as const);
    const size = Number((990_000 / mid).toFixed(2));
    const take_profit_price = Math.round(mid * (1 + away * 0.0096));
    const body = {
      account_id: id,
      market_id: market,
      side,
      size,
      leverage: 10,
      margin_mode: 'cross',
      take_profit_price,
    };
    await world.data({ method: 'POST', target: '/v1/orders', key: `bet-${at}`, body });
    await world.advance(3_600_000);
    const now: { id: string; status: string }[] = await world.data({ method: 'GET', target: '/v1/accounts' });
    const winner = now.find(({ status }) => status === 'passed');
    if (winner === undefined) continue;
    await world.data({ method: 'POST', target: '/sim/fund', body: { account_id: winner.id } });
    return;
  }
  throw new Error('No account passed.');
}

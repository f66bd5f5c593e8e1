import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { netOf } from '../../../src/base/margin/notional.ts';
import { hourMs, tradingDayStart } from '../../../src/base/terms/day.ts';
import { toMoney } from '../../../src/base/terms/decimal.ts';
import { requestFields } from '../../../src/base/terms/order-fields.ts';
import {
  type Fill,
  type Folded,
  fillOf,
  foldHistory,
  type Money,
  type Payment,
  type Trip,
} from '../../../src/desk/history/records.ts';
import { resultsOf } from '../../../src/desk/history/results.ts';
import type { Position, Posting } from '../../../src/exchange/engine/model.ts';
import { draw, drawBetween } from '../../../src/exchange/engine/random.ts';
import { commandFields } from '../../../src/service/handlers/requested.ts';
import { type InProcess, inProcessTransport } from '../../../src/service/public.ts';
import type { Turn } from '../../../src/service/simulation/simulation.ts';
import { createClient } from '../../../src/wire/client/client.ts';

const markets = ['binance|BTCUSDT', 'bybit|XRPUSDT', 'hyperliquid|xyz:GOLD'] as const;
const lotsPerUnit: Readonly<Record<string, number>> = {
  'binance|BTCUSDT': 1e3,
  'bybit|XRPUSDT': 10,
  'hyperliquid|xyz:GOLD': 1e4,
};
const priceDecimals: Readonly<Record<string, number>> = {
  'binance|BTCUSDT': 1,
  'bybit|XRPUSDT': 4,
  'hyperliquid|xyz:GOLD': 2,
};
/** Before days of 23 and 25 hours, and before an ordinary one. */
const starts = ['2026-03-07T20:10Z', '2026-10-31T10:20Z', '2027-01-15T00:00Z'].map((text) => Date.parse(text));
const betweenBooksMs = 600_000;
const recordedMs = 160 * hourMs;

/** Writes a recording of three markets for each start, with a book every ten minutes and occasional jumps. */
export function writeRecordings(folder: string): string[] {
  return starts.map((start, number) => {
    const lines: object[] = [
      marketLine(start, markets[0], { symbol: 'BTC', coin: 'BTCUSDT', size_decimals: 3, tick: '0.1' }),
      marketLine(start, markets[1], { symbol: 'XRP', coin: 'XRPUSDT', size_decimals: 1, tick: '0.0001' }),
      marketLine(start, markets[2], { symbol: 'GOLD', coin: 'xyz:GOLD', size_decimals: 4, category: 'tradfi' }),
    ];
    const prices = [95_000, 1.95, 3_400];
    for (let time = start; time <= start + recordedMs; time += betweenBooksMs) {
      for (const [at, market_id] of markets.entries()) {
        const chance = (what: string) => draw(number, what, `${market_id} ${time}`);
        const jump = chance('jump') < 0.02 ? 0.12 : 0.004;
        prices[at]! *= 1 + jump * (chance('move') - 0.5) * 2;
        lines.push({ time, market_id, ...bookAround(prices[at]!, at === 1 ? 4 : 1) });
      }
    }
    const file = join(folder, `books-${number}.jsonl`);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  });
}

function marketLine(time: number, market_id: string, facts: object): object {
  return { time, market: { market_id, max_leverage: 10, category: 'crypto', ...facts } };
}

function bookAround(price: number, decimals: number): { bids: string[][]; asks: string[][] } {
  const size = (share: number) => ((share * 90_000) / price).toFixed(1);
  const side = (sign: number) =>
    [1, 3, 9].map((bps) => [(price * (1 + (sign * bps) / 10_000)).toFixed(decimals), size(bps / 9)]);
  return { bids: side(-1), asks: side(1) };
}

/** The history of a random account, as the API reports it and as the store has it. */
export interface Traded {
  readonly fills: readonly Fill[];
  readonly payments: readonly Payment[];
  readonly folded: Folded;
  readonly ledger: readonly Posting[];
  readonly positions: readonly Position[];
  readonly now: number;
}

/** Trades at random for some days: long and short, in parts, through zero, with stops, leverage and liquidations. */
export async function tradeAtRandom(
  stateDir: string,
  recordings: readonly string[],
  seed: number,
  steps = 40,
): Promise<Traded> {
  const books = recordings[seed % recordings.length];
  const options = { stateDir, state: `s${seed}`, seed, clock: 'manual', books, startingBalance: 10_000 } as const;
  const opened = await inProcessTransport({ ...options, plan: 'none', accounts: 1 });
  try {
    const { simulation } = opened;
    const accountId = simulation.read(({ store }) => store.accounts('local', 'live'))[0]!.id;
    // All in one transaction, because the disk does not matter here.
    simulation.write((turn) => {
      setPolicy(turn, accountId, false);
      for (let step = 0; step < steps; step += 1) {
        trade(turn, accountId, (what) => draw(seed, what, String(step)));
        if (draw(seed, 'pause', String(step)) < 0.3) continue;
        // Advance to the time of a book, because an older book is stale.
        const now = turn.exchange.time + drawBetween(seed, 'books', String(step), 1, 20) * betweenBooksMs;
        simulation.setClock({ kind: 'manual', now });
        turn.advance(now);
      }
    });
    return await recordsOf(opened, accountId);
  } finally {
    opened.close();
  }
}

function setPolicy({ execute, store }: Turn, accountId: string, feeExempt: boolean): void {
  const { policy } = store.account(accountId)!;
  const limits = { ...policy.limits, maxPositionValueUsd: 1e9, minOrderNotionalUsd: 0 };
  execute({ kind: 'set_policy', accountId, policy: { ...policy, limits, feeExempt } });
}

/** One action; the exchange may refuse it. */
function trade(turn: Turn, account_id: string, chance: (what: string) => number): void {
  const market_id = markets[Math.floor(chance('market') * markets.length)]!;
  const what = chance('what');
  if (what < 0.05) {
    setPolicy(turn, account_id, what < 0.025);
    return;
  }
  const held = turn.store.openPositions(account_id).find(({ marketId }) => marketId === market_id);
  const scale = lotsPerUnit[market_id]!;
  const price = priceIn(turn, market_id);
  const isClosing = held !== undefined && what < 0.3;
  const heldSize = (held?.size ?? 0) / scale;
  const size = isClosing
    ? lotsOf(heldSize * (chance('part') < 0.5 ? 1 : chance('share')), scale)
    : held !== undefined && chance('flip') < 0.3
      ? lotsOf(heldSize * 1.7, scale)
      : lotsOf((chance('huge') < 0.15 ? 60_000 : 200 + 5_000 * chance('notional')) / price, scale);
  const closing = held?.direction === 'long' ? 'sell' : 'buy';
  const side = isClosing ? closing : chance('side') < 0.5 ? 'buy' : 'sell';
  const ahead = side === 'buy' ? 1 : -1;
  const body = {
    account_id,
    market_id,
    side,
    size,
    reduce_only: isClosing,
    leverage: held?.leverage ?? 10,
    margin_mode: held?.marginMode ?? (chance('cross') < 0.5 ? 'cross' : 'isolated'),
    slippage_tolerance_bps: 250,
    ...(!isClosing && chance('stop') < 0.4 && { stop_loss_price: rounded(price * (1 - ahead * 0.015)) }),
  };
  const limit = { limit_price: rounded(price * (1 - ahead * 0.0005)), marketable_limit_acknowledged: true };
  const mode = what < 0.6 ? 'market' : 'limit';
  const asked = mode === 'market' ? body : { ...body, ...limit, slippage_tolerance_bps: undefined };
  turn.execute({ kind: 'place_order', ...commandFields(requestFields, asked), mode });
}

function priceIn({ exchange }: Turn, marketId: string): number {
  const quote = exchange.quote(marketId);
  assert.ok(quote.ok && quote.mid !== null, 'trading stops while the recording lasts');
  return quote.mid / 2 / 10 ** priceDecimals[marketId]!;
}

function lotsOf(size: number, lots: number): number {
  return Math.max(1, Math.round(size * lots)) / lots;
}

function rounded(price: number): number {
  return Number(price.toPrecision(5));
}

async function recordsOf({ simulation, transport }: InProcess, account_id: string): Promise<Traded> {
  const client = createClient({ transport, retry: { attempts: 1, arrivalMs: 0 } });
  const query = { account_id, limit: 7 };
  const fills = (await Array.fromAsync(client.pages('simListFills', { query }))).map(fillOf).reverse();
  const paid = (await Array.fromAsync(client.pages('simListPayments', { query }))).reverse();
  const payments = paid.map(({ kind, amount, time, order_id, market_id }) => ({
    kind,
    amount: toMoney(amount),
    time,
    orderId: order_id ?? null,
    marketId: market_id ?? null,
  }));
  const page = { accountId: account_id, limit: 1_000_000, after: null };
  return simulation.read(({ store, exchange }) => ({
    fills,
    payments,
    folded: foldHistory(fills, payments),
    ledger: store.ledger(page).rows.reverse(),
    positions: [...store.closedPositions(page).rows, ...store.openPositions(account_id)].sort(
      (one, other) => one.sequence - other.sequence,
    ),
    now: exchange.time,
  }));
}

/** Compares every sum with the ledger, and every round trip with its position. */
export function assertEqualsLedger({ folded, ledger, positions, now }: Traded): void {
  assert.deepEqual(folded.trips.map(ofTrip), positions.map(ofPosition));
  const results = resultsOf(folded, { from: 0, to: now }, () => null);
  const dayOf = ({ time }: Posting) => tradingDayStart(time);
  assert.deepEqual(recordOf(results.days), grouped(ledger, dayOf));
  const byId = new Map(positions.map((position) => [position.id, position]));
  const positionOf = ({ positionId }: Posting) => (positionId === null ? undefined : byId.get(positionId));
  assert.deepEqual(
    recordOf(results.markets),
    grouped(ledger, (entry) => String(positionOf(entry)?.marketId ?? null)),
  );
  assert.deepEqual(
    recordOf(results.sides),
    grouped(ledger, (entry) => String(positionOf(entry)?.direction ?? null)),
  );
  const deposited = ledger.reduce((sum, { kind, amount }) => (kind === 'deposit' ? sum + amount : sum), 0n);
  assert.equal(deposited + netOf(results.total), ledger.at(-1)!.balanceAfter);
  assert.equal(
    results.ended.reduce((sum, trip) => sum + netOf(trip), 0n) +
      folded.trips.filter(({ closedAt }) => closedAt === null).reduce((sum, trip) => sum + netOf(trip), 0n) +
      folded.bookings.filter(({ trip }) => trip === null).reduce((sum, one) => sum + netOf(one), 0n),
    netOf(results.total),
  );
}

/** Whether a range of time contains a day that does not have 24 hours. */
export function hasUnusualDay({ ledger, now }: Traded): boolean {
  for (let day = tradingDayStart(ledger[0]!.time); day < now; ) {
    const next = tradingDayStart(day + 26 * hourMs);
    if (next - day !== 24 * hourMs) return true;
    day = next;
  }
  return false;
}

function ofTrip(trip: Trip) {
  const { marketId, side, openedAt, closedAt, lots, lotsPerUnit, cost, realizedPnl, fees, funding } = trip;
  const size = lots / lotsPerUnit;
  const closed = trip.closedLots / lotsPerUnit;
  return { marketId, side, openedAt, closedAt, size, closed, cost, realizedPnl, fees, funding };
}

function ofPosition(position: Position): ReturnType<typeof ofTrip> {
  const { marketId, direction: side, openedAt, closedAt, cost, realizedPnl, fees, funding } = position;
  const size = position.size / lotsPerUnit[marketId]!;
  const closed = position.closedSize / lotsPerUnit[marketId]!;
  return { marketId, side, openedAt, closedAt, size, closed, cost, realizedPnl, fees, funding };
}

interface Sums {
  realizedPnl: Money;
  fees: Money;
  funding: Money;
  bankruptcy: Money;
}

function sumsOf({ realizedPnl, fees, funding, bankruptcy }: Sums): Sums {
  return { realizedPnl, fees, funding, bankruptcy };
}

/** Sums by key, without fills that cost and realized nothing, because the ledger has no entry for them. */
function recordOf(sums: readonly (Sums & { key: string | number | null })[]): Record<string, Sums> {
  const booked = sums.filter((sum) => Object.values(sumsOf(sum)).some((money) => money !== 0n));
  return Object.fromEntries(booked.map((sum) => [String(sum.key), sumsOf(sum)]));
}

/** The same sums, from the ledger. */
function grouped(ledger: readonly Posting[], keyOf: (entry: Posting) => string | number): Record<string, Sums> {
  const groups: Record<string, Sums> = {};
  for (const entry of ledger) {
    if (entry.kind === 'deposit') continue;
    const key = keyOf(entry);
    const sums = groups[key] ?? { realizedPnl: 0n, fees: 0n, funding: 0n, bankruptcy: 0n };
    groups[key] = sums;
    if (entry.kind === 'realized_pnl') sums.realizedPnl += entry.amount;
    else if (entry.kind === 'funding') sums.funding -= entry.amount;
    else if (entry.kind === 'bankruptcy') sums.bankruptcy += entry.amount;
    else sums.fees -= entry.amount;
  }
  return groups;
}

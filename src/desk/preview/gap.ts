import type { Market } from '../../wire/contract/markets.ts';
import { type CandleEvent, maxHistoryPage } from '../../wire/contract/streams.ts';
import { readCandles } from '../reading/candle-history.ts';
import { inTime, type Session } from '../session/session.ts';

/** The assumed slippage of a stop beyond its trigger, bps, and the source of the figure. */
export interface Gap {
  readonly bps: number;
  /** The multiple of the current book's walk that counts: by then, the book may be thinner. */
  readonly walks: number;
  readonly from: 'none' | 'setting' | 'market' | 'assumed';
}

/** An order without a stop needs no allowance. */
export const noGap: Gap = { bps: 0, walks: 1, from: 'none' };

/** The number of latest seconds that count: those of one answer. */
const seconds = maxHistoryPage;
/** A book that is half as deep as now. */
const walksOfHalf = 2;
/** The allowance where no bars show a market's moves, bps. */
const assumedBps = 10;
/** The check must not delay an order for long. */
const maxWaitMs = 2_000;

/**
 * The gap allowance of a market: from `trade.gap_allowance`, otherwise the market's largest move within one second of
 * the last 25 minutes, read once a second in a batch, and a book that is half as deep.
 */
export function gapOf(session: Session, market: Market): Promise<Gap> {
  return session.memory.recent(`gap of ${market.market_id}`, () => gapNow(session, market));
}

/** The same, read now. */
export async function gapNow(session: Session, market: Market): Promise<Gap> {
  const { gapAllowanceBps } = session.settings;
  if (gapAllowanceBps !== undefined) return { bps: gapAllowanceBps, walks: 1, from: 'setting' };
  const bps = await largestMove(session, market);
  const walks = walksOfHalf;
  return bps === undefined ? { bps: assumedBps, walks, from: 'assumed' } : { bps, walks, from: 'market' };
}

/** The same as text: `3.2 bps, the largest move within a second of the last 25 minutes, in half the book`. */
export function gapText({ bps, from }: Gap): string | undefined {
  const amount = `${Number(bps.toPrecision(2))} bps`;
  if (from === 'none') return undefined;
  if (from === 'setting') return `${amount}, set by trade.gap_allowance`;
  if (from === 'market') return `${amount}, the largest move within a second of the last 25 minutes, in half the book`;
  return `${amount} assumed, in half the book: this host has no bars`;
}

async function largestMove(session: Session, market: Market): Promise<number | undefined> {
  const reading = readCandles(session, market, { interval: '1s', limit: seconds }, true).catch(() => undefined);
  const candles = await inTime(reading, maxWaitMs);
  return candles === undefined || candles.length === 0 ? undefined : largestOf(candles);
}

/** The largest move within a bar, or from the end of one into the next, bps. */
export function largestOf(candles: readonly Pick<CandleEvent, 'high' | 'low' | 'close'>[]): number {
  const moves = candles.map(({ high, low }, at) => {
    const before = Number(candles[at - 1]?.close ?? low);
    const from = Math.min(Number(low), before);
    return ((Math.max(Number(high), before) - from) / from) * 1e4;
  });
  return Number(Math.max(...moves.filter(Number.isFinite), 0).toFixed(4));
}

import type { Market } from '../../contract/markets.ts';
import { readCandles } from '../reading/candle-history.ts';
import type { Session } from '../session/session.ts';

/** How far beyond its trigger a stop may find the market, bps, and where that is from. */
export interface Gap {
  readonly bps: number;
  readonly from: 'none' | 'setting' | 'market' | 'assumed';
}

/** An order without a stop needs no allowance. */
export const noGap: Gap = { bps: 0, from: 'none' };

/** How many of the latest seconds count. */
const seconds = 600;
/** Where no bars say how a market moves, bps. */
const assumedBps = 10;
/** The check must not delay an order for long. */
const maxWaitMs = 2_000;

/**
 * The gap allowance of a market: as `trade.gap_allowance` says, else the largest range of the market within one second of
 * the last ten minutes, read once a second in a batch.
 */
export function gapOf(session: Session, market: Market): Promise<Gap> {
  const { gapAllowanceBps } = session.settings;
  if (gapAllowanceBps !== undefined) return Promise.resolve({ bps: gapAllowanceBps, from: 'setting' });
  return session.memory.recent(`gap of ${market.market_id}`, async () => {
    const bps = await largestMove(session, market);
    return bps === undefined ? { bps: assumedBps, from: 'assumed' } : { bps, from: 'market' };
  });
}

/** The same as text: `3.2 bps, the largest move within a second of the last 10 minutes`. */
export function gapText({ bps, from }: Gap): string | undefined {
  const amount = `${Number(bps.toPrecision(2))} bps`;
  if (from === 'none') return undefined;
  if (from === 'setting') return `${amount}, as trade.gap_allowance says`;
  if (from === 'market') return `${amount}, the largest move within a second of the last 10 minutes`;
  return `${amount} assumed: this host has no bars`;
}

async function largestMove(session: Session, market: Market): Promise<number | undefined> {
  const done = new AbortController();
  const { setTimeout: delay } = await import('node:timers/promises');
  const late = delay(maxWaitMs, undefined, { signal: done.signal }).catch(() => undefined);
  try {
    const reading = readCandles(session, market, { interval: '1s', limit: seconds }, true).catch(() => undefined);
    const candles = await Promise.race([reading, late]);
    if (candles === undefined || candles.length === 0) return undefined;
    const moves = candles.map(({ high, low }) => ((Number(high) - Number(low)) / Number(low)) * 1e4);
    const largest = Math.max(...moves.filter(Number.isFinite), 0);
    return Number(largest.toFixed(4));
  } finally {
    done.abort();
  }
}

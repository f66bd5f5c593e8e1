import type { Session } from '../session/session.ts';
import { byBook, largestWithin } from './max-size.ts';
import type { Prospect } from './prospect.ts';

/** The stop of an order that trades at this price. */
export type StopAt = (entry: number) => Promise<number>;

/** How long to look for a size to suggest. */
const maxWaitMs = 5_000;

/** A size to suggest, and what limits it. */
export interface Suggested {
  /** 0 if not even one lot fits. */
  readonly size: number;
  readonly limit: string;
}

/**
 * The largest size of an order with a stop that would be accepted now, in place of one whose worst case reaches a floor;
 * undefined if it can't be found in time. `stopAt`: its stop depends on its fill.
 */
export async function largestFitting(
  session: Session,
  prospect: Prospect,
  { stopAt, amends }: { stopAt?: StopAt | undefined; amends?: string | undefined },
): Promise<Suggested | undefined> {
  const { order, market } = prospect;
  const { stop_loss_price: stop, trigger_market_id: triggerMarket } = order;
  const isOwn = triggerMarket === undefined || triggerMarket === order.market_id;
  const { setTimeout: delay } = await import('node:timers/promises');
  const done = new AbortController();
  try {
    const searched = largestWithin(session, {
      ...order,
      type: order.type,
      market,
      limit: order.limit_price,
      trigger: isOwn ? order.trigger_price : undefined,
      slippage: order.slippage_tolerance_bps,
      stop: stopAt ?? (async () => stop!),
      replacesExits: order.replace_overlapping_exits === true,
      force: false,
      amends,
    });
    searched.catch(() => {});
    const late = delay(maxWaitMs, undefined, { signal: done.signal }).then(() => {
      throw new Error('too late');
    });
    late.catch(() => {});
    const { found, limit } = await Promise.race([searched, late]);
    return { size: found?.size ?? 0, limit: limit?.says ?? byBook };
  } catch {
    return undefined;
  } finally {
    done.abort();
  }
}

import { largestSize } from '../risk/worst-case.ts';
import type { Session } from '../session/session.ts';
import { largestSizeOf } from './max-size.ts';
import { floorOf, lossBeside, type Prospect, stoppedOrder } from './prospect.ts';

/** The stop of an order that trades at this price. */
export type StopAt = (entry: number) => Promise<number>;

/** How long to look for a size to suggest. */
const maxWaitMs = 5_000;

/**
 * The largest size of an order with a stop that would be accepted now, in place of one whose worst case reaches a floor;
 * 0 if there is none, undefined if it can't be found. `stopAt`: its stop depends on its fill.
 */
export async function largestFitting(
  session: Session,
  prospect: Prospect,
  { stopAt, amends }: { stopAt?: StopAt | undefined; amends?: string | undefined },
): Promise<number | undefined> {
  const { order, market } = prospect;
  const { stop_loss_price: stop, trigger_market_id: triggerMarket } = order;
  const isOwn = triggerMarket === undefined || triggerMarket === order.market_id;
  const { setTimeout: delay } = await import('node:timers/promises');
  const done = new AbortController();
  try {
    const searched = largestSizeOf(session, {
      ...order,
      type: order.type,
      market,
      limit: order.limit_price,
      trigger: isOwn ? order.trigger_price : undefined,
      slippage: order.slippage_tolerance_bps,
      stop: stopAt ?? (async () => stop!),
      force: false,
      amends,
    });
    searched.catch(() => {});
    const late = delay(maxWaitMs, undefined, { signal: done.signal }).then(() => {
      throw new Error('too late');
    });
    late.catch(() => {});
    return (await Promise.race([searched, late])) ?? 0;
  } catch {
    return stopAt === undefined ? sureSize(prospect) : undefined;
  } finally {
    done.abort();
  }
}

/** A size that surely fits: it is judged by the average price of a larger order, which walks further into the book. */
function sureSize(prospect: Prospect): number | undefined {
  const stopped = stoppedOrder(prospect);
  const floor = floorOf(prospect.account);
  if (stopped === undefined || floor === undefined) return undefined;
  const amount = Number((floor.room - lossBeside(prospect, stopped)).toFixed(8));
  return largestSize(stopped, { amount, isInclusive: false }, prospect.market.size_decimals);
}

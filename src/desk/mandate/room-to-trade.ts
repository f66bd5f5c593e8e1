import type { Exposed, GateWrite, Verdict } from './exposed.ts';
import { judgeWrite } from './judge-write.ts';
import type { Mandate } from './mandate.ts';

/** The room that a mandate leaves now on one side of a market. */
export interface RoomToTrade {
  /** The largest market order, base asset; null: none. */
  readonly size: number | null;
  /** The stop that it needs; null: none is asked for. */
  readonly stop: number | null;
  /** Above this size, a person has to approve it, base asset; null: nobody has to. */
  readonly approvalAbove: number | null;
  /** Why nothing is allowed. */
  readonly why: string | null;
}

/** More than any mandate allows. */
const endless = 1e9;
/** Where a stop at any distance is, as a share of the mark. */
const usualStop = 0.01;

/**
 * The largest market order that a mandate allows now; with a stop half as far away as it may be, if one is asked for.
 */
export function roomToTrade(
  mandate: Mandate,
  exposed: Exposed,
  { market, side, now }: { market: string; side: 'buy' | 'sell'; now: number },
): RoomToTrade {
  const { stopWithin, largestLeverage = Number.POSITIVE_INFINITY } = mandate;
  const held = exposed.positions?.find(({ market_id }) => market_id === market);
  const mark = exposed.marks.get(market);
  const share =
    stopWithin === undefined ? undefined : stopWithin === Number.POSITIVE_INFINITY ? usualStop : stopWithin / 2;
  const tick = mark?.tick ?? 0.01;
  const stop =
    share === undefined || mark === undefined
      ? undefined
      : Number((Math.round((mark.price * (1 + (side === 'buy' ? -share : share))) / tick) * tick).toPrecision(12));
  const write: GateWrite = {
    operation: 'createOrder',
    account: exposed.account?.id ?? '',
    body: {
      type: 'market',
      account_id: exposed.account?.id,
      market_id: market,
      side,
      size: endless,
      leverage: held?.leverage ?? Math.min(1, largestLeverage),
      margin_mode: held?.margin_mode ?? 'cross',
      reduce_only: false,
      ...(stop !== undefined && { stop_loss_price: stop, replace_overlapping_exits: true }),
    },
  };
  const verdict = judgeWrite(mandate, exposed, write, now);
  const size = sizeIn(verdict);
  const { approveAboveUsd, largestOrderUsd } = mandate;
  const unasked = { ...mandate, largestOrderUsd: Math.min(largestOrderUsd, approveAboveUsd ?? largestOrderUsd) };
  const free = approveAboveUsd === undefined ? size : (sizeIn(judgeWrite(unasked, exposed, write, now)) ?? 0);
  return {
    size,
    approvalAbove: size === null || free === null || free >= size ? null : free,
    stop: size === null ? null : (stop ?? null),
    why: size === null && !verdict.isAllowed ? verdict.why : null,
  };
}

function sizeIn(verdict: Verdict): number | null {
  return verdict.isAllowed ? endless : verdict.would?.size || null;
}

import { assert } from '../../base/terms/invariants.ts';
import { quantity } from '../../base/text/format.ts';
import { copiedStake, type Follower, followersOf, stakesOf, unknownOf } from './at-stake.ts';
import { changeOf } from './changes.ts';
import {
  adding,
  type Broken,
  countsLosses,
  firstBroken,
  isAdding,
  ownOf,
  ownUsd,
  protecting,
  roomOf,
  type View,
  worstUsd,
} from './checks.ts';
import { type Effect, type Exposed, type GateWrite, type Mandate, minuteMs, type Verdict } from './mandate.ts';
import { type Change, changed, type Entry, lossUsd, positionUsd } from './stake.ts';
import { isWithin } from './within-mandate.ts';
import { smallestSize, wouldBe } from './would-be.ts';

/**
 * Whether a mandate allows a write now, regardless of its outcome, the writes in progress and the market. Unknown
 * values, and values that aren't numbers, aren't allowed, unless the write surely only reduces.
 */
export function judgeWrite(mandate: Mandate, exposed: Exposed, write: GateWrite, now: number): Verdict {
  const judged = judge(mandate, exposed, write, now);
  if ('term' in judged) {
    const isAllowed = (other: GateWrite) => !('term' in judge(mandate, exposed, other, now));
    return { isAllowed: false, ...judged, would: wouldBe(mandate, exposed, write, judged, { now, isAllowed }) };
  }
  assert(isWithin(mandate, exposed, write, judged, now), 'within-mandate', write.operation);
  const { approveAboveUsd = Number.POSITIVE_INFINITY } = mandate;
  return {
    isAllowed: true,
    needsApproval: judged.adds !== undefined && !(judged.adds.usd <= approveAboveUsd),
    effect: judged,
  };
}

/** The worst-case effect of a write, or the term that doesn't allow it. */
function judge(mandate: Mandate, exposed: Exposed, write: GateWrite, now: number): Effect | Broken {
  const change = changeOf(exposed, write);
  const broken = brokenBefore(mandate, exposed, write, change, now);
  if (broken !== undefined) return broken;
  const effect: Effect = { reduces: true, orders: change.orders };
  if (change.reduces || isUnasked(mandate, change)) return effect;
  const unknown = change.unknown ?? notKnown(unknownOf(exposed, change.markets));
  if (unknown !== undefined)
    return { term: isAdding(change) || change.mayAdd === true ? 'largestPositionUsd' : 'stopWithin', why: unknown };
  const view = viewOf(mandate, exposed, change, now);
  if (!isAdding(change)) {
    const lessened = change.markets.map((market) => firstBroken(protecting, { ...view, market }));
    return lessened.find((one) => one !== undefined) ?? effect;
  }
  const why = firstBroken(adding, view) ?? brokenByCopies(view);
  return why ?? { ...effect, reduces: false, adds: addedBy(view) };
}

function notKnown(what: string | undefined): string | undefined {
  return what === undefined ? undefined : `The exposure is unknown, because perp doesn't know ${what}.`;
}

/** The terms that apply to every write, including those that only reduce. */
function brokenBefore(
  { accounts, markets, until, ordersPerMinute }: Mandate,
  { account, sentAt }: Exposed,
  write: GateWrite,
  { never, orders, markets: touched }: Change,
  now: number,
): Broken | undefined {
  if (!(now < until)) return { term: 'until', why: 'The mandate has expired.' };
  const named = [account?.id, write.body?.account_id].filter((id) => id !== undefined);
  if (!accounts.includes(write.account) || named.some((id) => id !== write.account))
    return { term: 'accounts', why: 'The mandate does not include the account.' };
  if (never !== undefined) return { term: 'writes', why: `${never} No mandate allows this.` };
  if (touched.some((market) => !markets.includes(market))) {
    const other = touched.find((market) => !markets.includes(market))!;
    return { term: 'markets', why: `The mandate does not include the market ${other}.` };
  }
  let recent = 0;
  for (const at of sentAt) if (!(at <= now - minuteMs)) recent += 1;
  if (orders === 0 || recent + orders <= ordersPerMinute) return undefined;
  const most = `${quantity(ordersPerMinute)} orders may be sent in a minute`;
  return { term: 'ordersPerMinute', why: `${most}, and ${quantity(recent)} were.` };
}

/** Canceling or moving a stop matters only to terms that require stops or limit possible losses. */
function isUnasked(mandate: Mandate, { entries, onlyStops, mayAdd }: Change): boolean {
  const asks = mandate.stopWithin !== undefined || countsLosses(mandate);
  return !asks && mayAdd !== true && (entries.length === 0 || onlyStops === true);
}

function viewOf(mandate: Mandate, exposed: Exposed, change: Change, now: number): View {
  const before = stakesOf(exposed, change.markets);
  const [market = ''] = change.markets;
  const own = { ...change, entries: change.entries.map((entry) => ({ ...entry, isOwn: true })) };
  const after = new Map(before);
  for (const id of change.markets) after.set(id, changed(before.get(id)!, own, false));
  const shown = () => stakesOf({ ...exposed, pending: [] }, change.markets);
  return { mandate, exposed, now, before, after, shown, market, change };
}

/** The first term that doesn't allow the followers' copies. */
function brokenByCopies(view: View): Broken | undefined {
  for (const follower of followersOf(view.exposed)) {
    const broken = brokenByCopy(view, follower);
    if (broken !== undefined)
      return { term: broken.term, why: `${follower.account} copies this account. ${broken.why}` };
  }
  return undefined;
}

function brokenByCopy(view: View, { account, exposed, share }: Follower): Broken | undefined {
  const { mandate, market } = view;
  if (!mandate.accounts.includes(account)) return { term: 'accounts', why: 'The mandate does not include it.' };
  if (mandate.stopWithin !== undefined)
    return { term: 'stopWithin', why: 'An order that adds exposure needs a stop, and a copy has none.' };
  const unknown = exposed === undefined ? 'its positions' : unknownOf(exposed, [market]);
  if (exposed === undefined || unknown !== undefined)
    return { term: 'largestPositionUsd', why: notKnown(unknown) ?? '' };
  const before = stakesOf(exposed, [market]);
  const after = copiedStake({ account, exposed, share }, view.after.get(market)!);
  return firstBroken(adding, { ...view, exposed, before, after: new Map(before).set(market, after) });
}

function addedBy(view: View): NonNullable<Effect['adds']> {
  const [own] = ownOf(view) as [Entry];
  const { market, side, size, price } = own;
  const stake = view.after.get(market)!;
  const [loss, worst] = [lossUsd(stake, side, true), worstUsd(view.after)];
  const limited = (value: number) => (Number.isFinite(value) ? value : undefined);
  return {
    market,
    side,
    size,
    price,
    usd: ownUsd(view),
    positionUsd: positionUsd(stake, side),
    lossUsd: limited(loss),
    worstUsd: limited(worst),
    roomUsd: roomOf(view.exposed),
  };
}

/** More than any mandate allows. */
const endless = 1e9;
/** The distance used for an unrestricted stop, as a share of the mark. */
const usualStop = 0.01;

/**
 * The room that a mandate leaves now on one side of a market: the size of the largest market order, base asset, or why
 * nothing is allowed; with a stop at half the allowed distance, if one is required; and the size above which a person
 * has to approve it. Null: none.
 */
export function roomToTrade(
  mandate: Mandate,
  exposed: Exposed,
  { market, side, now }: { market: string; side: 'buy' | 'sell'; now: number },
) {
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
  const sized = (size: number): GateWrite => ({
    operation: 'createOrder',
    account: exposed.account?.id ?? '',
    body: {
      type: 'market',
      account_id: exposed.account?.id,
      market_id: market,
      side,
      size,
      leverage: held?.leverage ?? Math.min(1, largestLeverage),
      margin_mode: held?.margin_mode ?? 'cross',
      reduce_only: false,
      ...(stop !== undefined && { stop_loss_price: stop, replace_overlapping_exits: true }),
    },
  });
  const verdict = judgeWrite(mandate, exposed, sized(endless), now);
  const size = sizeIn(verdict);
  const { approveAboveUsd, largestOrderUsd } = mandate;
  const unasked = { ...mandate, largestOrderUsd: Math.min(largestOrderUsd, approveAboveUsd ?? largestOrderUsd) };
  const free = approveAboveUsd === undefined ? size : (sizeIn(judgeWrite(unasked, exposed, sized(endless), now)) ?? 0);
  // Nothing is allowed because of the smallest order, not because of an endless one.
  const smallest = size === null ? judgeWrite(mandate, exposed, sized(smallestSize(exposed, market)), now) : verdict;
  return {
    size,
    approvalAbove: size === null || free === null || free >= size ? null : free,
    stop: size === null ? null : (stop ?? null),
    why: smallest.isAllowed || size !== null ? null : smallest.why,
  };
}

function sizeIn(verdict: Verdict): number | null {
  return verdict.isAllowed ? endless : verdict.would?.size || null;
}

/** What `roomToTrade` finds. */
export type RoomToTrade = ReturnType<typeof roomToTrade>;

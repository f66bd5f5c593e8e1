import { assert } from '../../base/terms/invariants.ts';
import { quantity } from '../../base/text/format.ts';
import { stakesOf, unknownOf } from './at-stake.ts';
import { changeOf } from './changes.ts';
import {
  type Broken,
  brokenByAdding,
  brokenByLessening,
  countsLosses,
  isAdding,
  ownOf,
  ownUsd,
  roomOf,
  type View,
  worstUsd,
} from './checks.ts';
import { copiedStake, type Follower, followersOf } from './copies.ts';
import type { Effect, Exposed, GateWrite, Verdict } from './exposed.ts';
import { type Mandate, minuteMs } from './mandate.ts';
import { lossUsd, positionUsd } from './measures.ts';
import { type Change, changed, type Entry } from './stake.ts';
import { isWithin } from './within-mandate.ts';
import { wouldBe } from './would-be.ts';

/**
 * Whether a mandate allows a write now, regardless of its outcome, the writes in progress and the market. Anything that
 * is not known, or is not a number, is not allowed, unless the write surely only reduces.
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
    const lessened = change.markets.map((market) => brokenByLessening({ ...view, market }));
    return lessened.find((one) => one !== undefined) ?? effect;
  }
  const why = brokenByAdding(view) ?? brokenByCopies(view);
  return why ?? { ...effect, reduces: false, adds: addedBy(view) };
}

function notKnown(what: string | undefined): string | undefined {
  return what === undefined ? undefined : `The exposure is unknown, because perp doesn't know ${what}.`;
}

/** The terms that apply to every write, what only reduces included. */
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

/** Cancelling a stop, or moving one, matters only to terms that ask for stops or count what may be lost. */
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

/** The first term that does not allow what followers would copy. */
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
  return brokenByAdding({ ...view, exposed, before, after: new Map(before).set(market, after) });
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

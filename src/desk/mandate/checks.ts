import { dayMs } from '../../base/terms/day.ts';
import { quantity, roughPrice, stretch, usd } from '../../base/text/format.ts';
import type { Window } from '../guard/schedule.ts';
import { equityAt } from '../risk/profit.ts';
import type { Exposed, Mandate, Term } from './mandate.ts';
import {
  type Change,
  type Entry,
  hasStop,
  lossUsd,
  positionUsd,
  type Stake,
  stopDistance,
  uncovered,
} from './stake.ts';

/** One account as a write would leave it: the write's own, or one that copies it. */
export interface View {
  readonly mandate: Mandate;
  readonly exposed: Exposed;
  readonly now: number;
  /** Exposure by market, without the write and with it. */
  readonly before: ReadonlyMap<string, Stake>;
  readonly after: ReadonlyMap<string, Stake>;
  /** As displayed, as if no write were in progress. */
  readonly shown: () => ReadonlyMap<string, Stake>;
  readonly market: string;
  readonly change: Change;
}

/** A term that does not allow a write, and why. */
export interface Broken {
  readonly term: Term;
  readonly why: string;
}

/** Why a term doesn't allow a write; undefined if it does. */
type Check = (view: View) => string | undefined;

/** Limits exceeded before may stay as exceeded as they were. */
function isWorse(after: number, before: number, limit: number): boolean {
  return !(after <= limit) && !(after <= before);
}

/** The terms for added exposure, in the order in which a refusal names them. */
export const adding: readonly (readonly [Term, Check])[] = [
  ['sides', wrongSide],
  ['hours', wrongHour],
  ['lossPerDayUsd', lostTooMuch],
  ['largestLeverage', tooMuchLeverage],
  ['largestOrderUsd', tooLarge],
  ['largestPositionUsd', positionTooLarge],
  ['stopWithin', stopMissing],
  ['largestOrderRoom', orderRisksTooMuch],
  ['largestPositionRoom', positionRisksTooMuch],
  ['roomLeftUsd', tooLittleRoom],
];

/** The terms for changes of stops or margin. */
export const protecting: readonly (readonly [Term, Check])[] = [
  ['stopWithin', stopWorse],
  ['largestPositionRoom', positionRisksTooMuch],
  ['roomLeftUsd', tooLittleRoom],
];

/** The first of some terms that doesn't allow a write. */
export function firstBroken(checks: readonly (readonly [Term, Check])[], view: View): Broken | undefined {
  for (const [term, check] of checks) {
    const why = check(view);
    if (why !== undefined) return { term, why };
  }
  return undefined;
}

/** The exposure that a write adds, as entries. */
export function ownOf({ after, market }: View): readonly Entry[] {
  return after.get(market)!.entries.filter(({ isOwn }) => isOwn === true);
}

/** The value of the write's own entries, USD. */
export function ownUsd(view: View): number {
  return ownOf(view).reduce((sum, { size, price }) => sum + size * price, 0);
}

function sideOf(view: View): 'buy' | 'sell' {
  return ownOf(view)[0]!.side;
}

/** Equity's distance above the nearest floor at these marks, USD; undefined without a floor, or if unknown. */
export function roomOf({ account, positions = [], marks }: Exposed): number | undefined {
  const { daily_loss_floor: daily, max_drawdown_floor: drawdown } = account?.risk ?? {};
  const floors = [daily, drawdown].filter((floor) => typeof floor === 'number');
  const equity = equityAt(account?.balance ?? Number.NaN, positions, (id) => marks.get(id)?.price);
  return floors.length === 0 || equity === undefined ? undefined : equity - Math.max(...floors);
}

/** An account's worst-case loss from now on, USD: every market moves both ways. */
export function worstUsd(stakes: ReadonlyMap<string, Stake>): number {
  return [...stakes.values()].reduce((sum, stake) => sum + lossUsd(stake, 'buy') + lossUsd(stake, 'sell'), 0);
}

function wrongSide(view: View): string | undefined {
  const { sides } = view.mandate;
  const side = sideOf(view);
  if (sides.includes(side)) return undefined;
  return sides.length === 0 ? 'New exposure is not allowed.' : `Only a ${sides.join(' or a ')} may add exposure.`;
}

function wrongHour({ mandate, now }: View): string | undefined {
  return isOpenAt(mandate, now) ? undefined : 'New exposure is not allowed at this hour.';
}

/** Whether a mandate allows added exposure at this hour, Unix ms. */
export function isOpenAt({ hours }: Mandate, now: number): boolean {
  return hours === undefined || hours.some((window) => isIn(window, now));
}

/** Whether a mandate limits possible losses. */
export function countsLosses({ largestOrderRoom, largestPositionRoom, roomLeftUsd }: Mandate): boolean {
  return [largestOrderRoom, largestPositionRoom, roomLeftUsd].some((term) => term !== undefined);
}

/** Whether a window of the week, in UTC, contains a moment: it began today or yesterday. */
function isIn({ days, from, to }: Window, now: number): boolean {
  const today = Math.floor(now / dayMs);
  const minutes = to > from ? to - from : to + 1_440 - from;
  return [today, today - 1].some((day) => {
    const begun = now - day * dayMs - from * 60_000;
    return days.includes(weekdayOf(day)) && begun >= 0 && begun < minutes * 60_000;
  });
}

/** The weekday of a day since 1970, from Monday, 1 to 7: 1 January 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return ((day + 3) % 7) + 1;
}

function lostTooMuch({ mandate: { lossPerDayUsd: limit }, exposed: { lostUsd } }: View): string | undefined {
  if (lostUsd === undefined || Number.isNaN(lostUsd))
    return limit === Number.POSITIVE_INFINITY ? undefined : "Today's loss of the account is unknown.";
  if (lostUsd < limit) return undefined;
  return `The account has lost ${usd(lostUsd)} USD today; the limit for new exposure is ${usd(limit)} USD.`;
}

function tooMuchLeverage(view: View): string | undefined {
  const { largestLeverage: limit = Number.POSITIVE_INFINITY } = view.mandate;
  const worst = ownOf(view).find(({ leverage }) => !(leverage <= limit));
  return worst && `The leverage is ${quantity(worst.leverage)}, above the limit of ${quantity(limit)}.`;
}

function tooLarge(view: View): string | undefined {
  const own = ownOf(view);
  const isSound = own.every(({ size, price }) => [size, price].every((value) => value > 0 && Number.isFinite(value)));
  if (!isSound) return 'The value of the order is unknown: its size and price must be above zero.';
  const before = view.before
    .get(view.market)!
    .entries.filter((entry) => own.some(({ id }) => id !== '' && id === entry.id));
  const { largestOrderUsd: limit } = view.mandate;
  const worth = ownUsd(view);
  const was = before.length === 0 ? 0 : before.reduce((sum, { size, price }) => sum + size * price, 0);
  if (!isWorse(worth, was, limit)) return undefined;
  const price = Math.max(...own.map((entry) => entry.price));
  return `The order may be worth ${usd(worth)} USD, at up to ${roughPrice(price)}; the limit is ${usd(limit)} USD.`;
}

function positionTooLarge(view: View): string | undefined {
  const { largestPositionUsd: limit } = view.mandate;
  const side = sideOf(view);
  const [before, after] = [view.before, view.after].map((stakes) => positionUsd(stakes.get(view.market)!, side));
  if (after! <= limit || (isAmendment(view) && after! <= before!)) return undefined;
  if (!Number.isFinite(after)) return 'The possible value of the position is unknown.';
  return `The position may be worth ${usd(after!)} USD with working orders; the limit is ${usd(limit)} USD.`;
}

function isAmendment({ change }: View): boolean {
  return change.entries.every(({ id }) => id !== '');
}

/** Whether a change adds exposure: others may leave an existing excess as it is. */
export function isAdding({ entries, onlyStops }: Change): boolean {
  return entries.length > 0 && onlyStops !== true;
}

function stopMissing(view: View): string | undefined {
  const { stopWithin: limit } = view.mandate;
  if (limit === undefined) return undefined;
  const stake = view.after.get(view.market)!;
  const bare = ownOf(view).find((entry) => !hasStop(stake, entry));
  if (bare !== undefined) return bareText(bare, stake);
  const distance = stopDistance(stake, sideOf(view), true);
  return distance <= limit + 1e-9 ? undefined : farText(distance, limit);
}

function bareText({ stop, side }: Entry, { stops }: Stake): string {
  if (stop === undefined) return 'An order that adds exposure needs a stop, and this one has none.';
  if (stops.some((set) => set.length > 0))
    return 'The stop would be left out, because the position has other stops that it does not replace.';
  return `The stop is not ${side === 'buy' ? 'below' : 'above'} the order's price.`;
}

function farText(distance: number, limit: number): string {
  if (!Number.isFinite(distance))
    return "The distance from fill to stop has no bound, because the order's price follows a market.";
  const [most, here] = [percent(limit), percent(distance)];
  return `The stop may be ${most === here ? 'slightly more' : here} from the entry; the limit is ${most}.`;
}

function orderRisksTooMuch(view: View): string | undefined {
  const { largestOrderRoom: share } = view.mandate;
  if (share === undefined) return undefined;
  const risk = lossUsd(view.after.get(view.market)!, sideOf(view), true);
  return tooRisky('An order', risk, share, roomOf(view.exposed));
}

function positionRisksTooMuch(view: View): string | undefined {
  const { largestPositionRoom: share } = view.mandate;
  if (share === undefined) return undefined;
  const room = roomOf(view.exposed);
  for (const side of ['buy', 'sell'] as const) {
    const [before, after] = [view.before, view.after].map((stakes) => lossUsd(stakes.get(view.market)!, side));
    const isOwnSide = isAdding(view.change) && sideOf(view) === side;
    if (after === 0 || (!isOwnSide && after! <= before!)) continue;
    const why = tooRisky('A position', after!, share, room);
    if (why !== undefined) return why;
  }
  return undefined;
}

const unknownRoom = "The room above the account's floor is unknown.";

function tooRisky(what: string, risk: number, share: number, room: number | undefined): string | undefined {
  if (room === undefined || Number.isNaN(risk)) return unknownRoom;
  if (risk <= share * room) return undefined;
  const most = `${what} may lose ${percent(share)} of the room, ${usd(Math.max(0, share * room))} USD`;
  return Number.isFinite(risk)
    ? `${most}, and this may lose ${usd(risk)} USD.`
    : `${most}, and nothing limits what this may lose: it has no stop, or no bound to its price.`;
}

function tooLittleRoom(view: View): string | undefined {
  const { roomLeftUsd: limit } = view.mandate;
  if (limit === undefined) return undefined;
  const room = roomOf(view.exposed);
  const [before, after] = [view.before, view.after].map(worstUsd);
  if (room === undefined || Number.isNaN(after)) return unknownRoom;
  if (room - after! >= limit || (!isAdding(view.change) && after! <= before!)) return undefined;
  const must = `${usd(limit)} USD must be left above the floor in the worst case`;
  return Number.isFinite(after)
    ? `${must}, and this may leave ${usd(room - after!)} USD.`
    : `${must}, and nothing limits what the account may lose: something has no stop, or no bound to its price.`;
}

/** A stop is taken away or moved, or an order loses its own. */
function stopWorse(view: View): string | undefined {
  const { stopWithin: limit } = view.mandate;
  if (limit === undefined) return undefined;
  const [before, after] = [view.before.get(view.market)!, view.after.get(view.market)!];
  // A write in progress that may already remove a stop, and may not arrive, doesn't permit removing it.
  const shown = view.shown().get(view.market)!;
  if (uncovered(after) > uncovered(shown)) return 'The position might lack a stop for its whole size.';
  const bare = (stake: Stake) => stake.entries.filter((entry) => !hasStop(stake, entry)).length;
  if (bare(after) > bare(shown)) return 'An order that can add exposure would lose its stop.';
  for (const side of ['buy', 'sell'] as const) {
    const [was, distance] = [stopDistance(before, side), stopDistance(after, side)];
    if (isWorse(distance, was, limit + 1e-9)) return farText(distance, limit);
  }
  return undefined;
}

/** A share in percent. */
function percent(share: number): string {
  return `${quantity(Number((share * 100).toPrecision(4)))}%`;
}

/** When the next order may be sent, in words. */
export function waitText(ms: number): string {
  return `this order in ${stretch(Math.max(1_000, ms))}`;
}

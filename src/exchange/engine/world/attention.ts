import type { BookSide } from '../book/book.ts';
import { alwaysQuiet, isInside, type MarkBand, neverQuiet } from '../indexes/band-watch.ts';
import type { Ms } from '../model.ts';
import type { MarketSource } from '../source.ts';
import { bringUpToDate } from './current-book.ts';
import type { Market } from './market.ts';
import type { World } from './world.ts';

/**
 * How far inside a quiet band the mark must be before playing stops, as a fraction of the mark; avoids switching at the
 * edge.
 */
const edgeShare = 0.0005;
/** How far beyond the displayed depth resting orders must be before playing stops, as a fraction of that depth. */
const depthShare = 0.5;

/**
 * Chooses for every market whether its events are played or skipped, and returns when the first skipped market must be
 * played again, if at or before `until`; Infinity if none. Skipping is exact: only events that provably change nothing
 * are left out, so how time is divided into steps makes no difference.
 */
export function nextTouch(world: World, until: Ms): Ms {
  let first = Number.POSITIVE_INFINITY;
  for (const market of world.markets.values()) {
    if (market.watched) continue;
    const band = quietBand(world, market);
    if (isEver(band) && !market.awaitsPrice && market.isUntaken) continue;
    if (!canSkip(world, market, band)) {
      watch(world, market);
      continue;
    }
    const touchAt = searchTouch(world, market, until);
    if (touchAt !== null && touchAt < first) first = touchAt;
  }
  return first;
}

/**
 * Starts playing the markets whose mark leaves its band at `touchAt`, from the book right before. Where only what was
 * taken shrinks, the book of that moment is enough.
 */
export function watchTouched(world: World, touchAt: Ms): void {
  for (const market of world.markets.values()) {
    const { watched, skip } = market;
    if (watched || skip.touchAt !== touchAt) continue;
    if (!skip.onlyShrinks) {
      watch(world, market);
      continue;
    }
    world.now = touchAt;
    bringUpToDate(world, market);
    forget(market);
  }
}

function forget({ skip }: Market): void {
  skip.until = Number.NEGATIVE_INFINITY;
  skip.touchAt = null;
}

/**
 * After an event of a watched market: stops playing it if nothing depends on it, or its mark is deep in a quiet band.
 */
export function reconsider(world: World, market: Market): void {
  // Most events come while every event counts.
  if (everyEventCounts(world, market)) return;
  const band = quietBand(world, market);
  const { mid } = market.book;
  const isQuiet =
    (isEver(band) || (world.source.firstTouch !== undefined && isInside(band, mid, edgeShare * mid))) &&
    isOutOfSight(market, depthShare);
  // Another event of this millisecond may belong to it, and must be played, not loaded with the book.
  if (isQuiet && world.tape.peek(world.now) === null) unwatch(world, market);
}

function isEver(band: MarkBand): boolean {
  return band.low === alwaysQuiet.low && band.high === alwaysQuiet.high;
}

/** Whether the market can stay unplayed: its mark is inside the band that was already searched, or a new one. */
function canSkip(world: World, market: Market, band: MarkBand): boolean {
  if (world.source.firstTouch === undefined) return false;
  const { skip, consumedBids, consumedAsks } = market;
  const { buys, sells } = market.prints;
  const takenRevision = consumedBids.revision + consumedAsks.revision;
  const isSame =
    skip.band.low === band.low &&
    skip.band.high === band.high &&
    skip.buys === buys &&
    skip.sells === sells &&
    skip.takenRevision === takenRevision;
  if (skip.until >= world.now && isSame) return true;
  bringUpToDate(world, market);
  if (!isInside(band, market.book.mid, 0) || (market.awaitsPrice && !isOutOfSight(market, 0))) return false;
  skip.band = band;
  skip.buys = buys;
  skip.sells = sells;
  skip.takenRevision = takenRevision;
  skip.until = world.now;
  skip.touchAt = null;
  return true;
}

function searchTouch(world: World, market: Market, until: Ms): Ms | null {
  const { skip } = market;
  if (skip.touchAt === null && skip.until < until) {
    skip.touchAt = firstOf(world.source, market, until);
    skip.until = until;
  }
  return skip.touchAt !== null && skip.touchAt <= until ? skip.touchAt : null;
}

/**
 * The first event after `skip.until` at which the mark leaves the quiet band, what was taken shrinks, or an awaited
 * price can be reached.
 */
function firstOf(source: MarketSource, market: Market, until: Ms): Ms | null {
  const { skip } = market;
  let touch = isEver(skip.band)
    ? null
    : source.firstTouch!(market.id, skip.until, until, skip.band.low, skip.band.high);
  if (market.awaitsPrice)
    touch = source.firstReach!(market.id, skip.until, touch ?? until, skip.buys, skip.sells) ?? touch;
  skip.onlyShrinks = false;
  if (market.isUntaken) return touch;
  const taken = [...market.consumedBids.mostTaken(), ...market.consumedAsks.mostTaken()];
  const shrink = source.firstShrink!(market.id, skip.until, touch ?? until, taken);
  skip.onlyShrinks = shrink !== null && shrink !== touch;
  return shrink ?? touch;
}

/** Whether every resting order and stop is beyond the displayed depth, by a fraction of it. */
function isOutOfSight(market: Market, share: number): boolean {
  const { book, prints } = market;
  return isBeyond(book.bids, prints.buys, share) && isBeyond(book.asks, -prints.sells, share);
}

function isBeyond(side: BookSide, rank: number, share: number): boolean {
  if (rank === Number.NEGATIVE_INFINITY) return true;
  if (side.count === 0) return false;
  const [best, worst] = [side.sign * side.best, side.sign * side.prices[0]!];
  return rank < worst - share * (best - worst);
}

function watch(world: World, market: Market): void {
  bringUpToDate(world, market);
  market.watched = true;
  forget(market);
  world.tape.watch(market.id, true, market.prints);
}

function unwatch(world: World, market: Market): void {
  market.watched = false;
  // More events of the same millisecond may follow: the book is not known to be complete up to it.
  market.bookAsOf = Number.NEGATIVE_INFINITY;
  world.tape.watch(market.id, false);
}

/**
 * The marks between which a market's events change nothing at all, except for awaited prices that it has not reached
 * yet. Only if everything that depends on the market agrees are events skipped instead of played (simulation 2.3).
 */
function quietBand(world: World, market: Market): MarkBand {
  if (everyEventCounts(world, market)) return neverQuiet;
  const { above, below } = market.triggers;
  const risk = world.riskWatch.quiet(market.id);
  const twap = world.twapWatch.quiet(market.id);
  return {
    low: Math.max(below.top + 1, risk.low, twap.low),
    high: Math.min(-above.top - 1, risk.high, twap.high),
  };
}

/** Whether any event of a market may change something, regardless of its mark. */
function everyEventCounts({ source, riskWatch, twapWatch }: World, market: Market): boolean {
  // Forced orders try every book, and a chase follows each.
  if (market.unfinished.size > 0 || market.chases.size > 0) return true;
  // If a source can't tell, any event may shrink what was taken, or reach a resting order or a stop.
  if (!market.isUntaken && (source.firstShrink === undefined || source.firstTouch === undefined)) return true;
  if (market.awaitsPrice && source.firstReach === undefined) return true;
  // A source that can skip events has no venue prices, so owners that wait for them need every event.
  const { venueTriggers, venueKey } = market;
  if (venueTriggers.mark.size + venueTriggers.index.size > 0) return true;
  return riskWatch.quiet(venueKey) !== alwaysQuiet || twapWatch.quiet(venueKey) !== alwaysQuiet;
}

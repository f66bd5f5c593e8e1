import { notionalAtMark } from '../../margin/notional.ts';
import { hourStart, nextHourStart } from '../../terms/day.ts';
import { divideRounded } from '../../terms/decimal.ts';
import { rateOf } from '../defaults.ts';
import type { Money, Ms, Position } from '../model.ts';
import { book } from '../positions/ledger.ts';
import { bringUpToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, portfolioOf, touchPosition, type World } from '../world/world.ts';
import { lastMarks } from './equity.ts';
import { coverNegativeBalance } from './losses.ts';

const hoursPerDay = 24n;
/** Daily rates are exact to a ten-thousandth of a basis point. */
const ratesPerOne = 100_000_000n;

/** When carry is next due: at the next full UTC hour while anything is open, else never. */
export function nextCarryAt(world: World): Ms {
  return world.positions.size === 0 ? Number.POSITIVE_INFINITY : nextHourStart(world.timersDone);
}

/**
 * On a full UTC hour every open position pays mark notional x daily rate / 24, long and short alike, once per hour
 * (simulation 5.6). At other times nothing is due.
 */
export function payCarry(world: World, market: Market | null): void {
  const hour = hourStart(world.now);
  if (market !== null || hour !== world.now) return;
  for (const position of [...world.positions.values()]) {
    if (position.carriedUntil >= hour) continue;
    position.carriedUntil = hour;
    const amount = carryOf(world, position);
    position.funding += amount;
    touchPosition(world, position);
    const portfolio = portfolioOf(world, position.accountId);
    book(world, portfolio.account, 'funding', -amount, { positionId: position.id });
    coverNegativeBalance(world, portfolio);
  }
}

/** One hour's carry of a notional at a daily rate, rounded half away from zero. */
export function hourlyCarry(notional: Money, bpsPerDay: number): Money {
  return divideRounded(notional * BigInt(Math.round(bpsPerDay * 10_000)), ratesPerOne * hoursPerDay);
}

function carryOf(world: World, position: Position): Money {
  const market = marketOf(world, position.marketId);
  bringUpToDate(world, market);
  const mark = lastMarks(market);
  // Without a two-sided book there is no midpoint: the entry price is the last one known.
  const notional = mark === null ? position.cost : notionalAtMark(market.definition, mark, position.size);
  return hourlyCarry(notional, rateOf(world.rates.carryBpsPerDay, market.definition.category));
}

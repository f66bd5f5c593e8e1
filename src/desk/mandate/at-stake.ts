import { changeOf } from './changes.ts';
import { entriesIn, stopsOf } from './entries.ts';
import type { Exposed } from './exposed.ts';
import { type Change, changed, type Stake } from './stake.ts';

/** More ways than this in which the writes in progress may end are not told apart. */
const mostWays = 64;

/** An account's exposure in each of its markets and in some more, whether or not each write in progress is done. */
export function stakesOf(exposed: Exposed, also: readonly string[]): Map<string, Stake> {
  const { positions = [], working = [], twaps = [] } = exposed;
  const changes = changesUnderWay(exposed);
  const markets = new Set([
    ...[...positions, ...working, ...twaps].map(({ market_id }) => market_id),
    ...changes.flatMap((change) => change.markets),
    ...also,
  ]);
  return new Map([...markets].map((market) => [market, stakeIn(exposed, market, changes)]));
}

function stakeIn(exposed: Exposed, market: string, changes: readonly Change[]): Stake {
  const { positions = [], working = [], marks } = exposed;
  const held = positions.find(({ market_id }) => market_id === market);
  const begin: Stake = {
    market,
    mark: marks.get(market),
    held,
    entries: entriesIn(exposed, market),
    stops: [held === undefined ? [] : stopsOf(working, held)],
    dropsLegs: false,
  };
  return changes
    .filter(({ markets, isEverywhere }) => isEverywhere === true || markets.includes(market))
    .reduce((stake, change) => changed(stake, change, true), begin);
}

function changesUnderWay(exposed: Exposed): Change[] {
  const own = exposed.pending.filter(({ account }) => account === exposed.account?.id);
  return own.map((write) => changeOf(exposed, write));
}

/**
 * The unknown facts about an account, in words; undefined if everything that a judgment in this market needs is known.
 */
export function unknownOf(exposed: Exposed, markets: readonly string[]): string | undefined {
  const { account, positions, working, twaps, copies, marks } = exposed;
  if (account === undefined) return 'the account';
  if (positions === undefined) return 'its positions';
  if (working === undefined) return 'its working orders';
  if (twaps === undefined) return 'its TWAPs';
  if (copies === undefined) return 'the list of accounts that copy it';
  const changes = changesUnderWay(exposed);
  if (changes.some(({ mayAdd }) => mayAdd === true)) return 'the effect of a pending write';
  if (2 ** changes.filter(({ stops }) => stops !== undefined).length > mostWays) return 'the outcome of pending writes';
  const bare = markets.find((market) => !(Number(marks.get(market)?.price) > 0));
  return bare === undefined ? undefined : `the mark of ${bare}`;
}

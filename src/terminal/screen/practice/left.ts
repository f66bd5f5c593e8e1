import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure, notFoundFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { writePrivateFile } from '../../../base/files/private-files.ts';
import { jsonObjectIn } from '../../../base/terms/json-object.ts';
import type { Console } from '../../console/console.ts';
import { Bookmarks, type Chosen } from './choose.ts';
import type { PracticeRun } from './practice-run.ts';

type Moment = PracticeRun['practice']['moment'];

/** What is kept of a practice that was left, besides its simulation. */
interface Kept {
  readonly format: 1;
  readonly tape: string | null;
  readonly seed: number;
  readonly market_ids: readonly string[];
  readonly from: number;
  readonly until: number;
  readonly disguise: Chosen['disguise'] | null;
  readonly moment: Moment;
  readonly restarts: number;
  readonly max_risk: number | null;
}

/** A practice that was left, as it goes on. */
export interface Continued {
  readonly chosen: Chosen;
  readonly folder: string;
  readonly moment: Moment;
  readonly restarts: number;
  readonly maxRisk: number | undefined;
  /** How many others are left. */
  readonly others: number;
  /** Removes what was kept: it has gone on to its end, or was left again. */
  remove(): void;
}

/** Keeps what it takes to go on with a practice, in its folder. Throws if that can't be written. */
export function keepLeft(folder: string, run: PracticeRun, maxRisk: number | undefined): void {
  const { chosen, practice, restarts } = run;
  const { tape, markets, shown, from, until, disguise } = chosen;
  const kept: Kept = {
    format: 1,
    tape: tape === null ? null : resolve(tape),
    seed: markets.seed,
    market_ids: shown.map(({ marketId }) => marketId),
    from,
    until,
    disguise: disguise ?? null,
    moment: practice.moment,
    restarts,
    max_risk: maxRisk ?? null,
  };
  writePrivateFile(fileIn(folder), `${JSON.stringify(kept)}\n`);
}

/** Opens the practice that was left last. */
export async function continueLast(console: Console): Promise<Continued> {
  const { PracticeMarkets, leftFolders } = await import('../../../service/practice.ts');
  const { readBookmarks, setBookmark } = await import('../../../service/live/recording.ts');
  const state = stateFolder(console.variables);
  const [last, ...others] = leftFolders(state);
  if (last === undefined)
    throw notFoundFailure('No practice is left.', 'perp practice random begins one; leave (:leave) keeps it.');
  const { folder } = last;
  const kept = keptIn(folder);
  const { tape, seed, from, until, disguise } = kept;
  const markets = await PracticeMarkets.open(state, tape === null ? { seed } : { tape }).catch((error: unknown) => {
    throw unreadable(folder, disguise === null ? factsOf(error).message : 'its tape has changed.');
  });
  const definitions = new Map(markets.source.definitions.map((one) => [one.marketId, one]));
  const shown = kept.market_ids.flatMap((id) => definitions.get(id) ?? []);
  if (shown.length === 0) {
    markets.close();
    throw unreadable(folder, 'its markets are gone.');
  }
  const bookmarks = new Bookmarks({ readBookmarks, setBookmark }, state, { tape, seed });
  return {
    chosen: { markets, bookmarks, tape, shown, from, until, disguise: disguise ?? undefined },
    folder,
    moment: kept.moment,
    restarts: kept.restarts,
    maxRisk: kept.max_risk ?? undefined,
    others: others.length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function keptIn(folder: string): Kept {
  let kept: (Partial<Kept> & object) | null;
  try {
    kept = jsonObjectIn(readFileSync(fileIn(folder), 'utf8'));
  } catch (error) {
    throw unreadable(folder, (error as Error).message);
  }
  const isWhole = kept?.format === 1 && Array.isArray(kept.market_ids) && Array.isArray(kept.moment?.bookmarks);
  if (!isWhole) throw unreadable(folder, 'its files are damaged.');
  return kept as Kept;
}

function unreadable(folder: string, why: string): Failure {
  return new Failure({
    code: 'practice_unreadable',
    message: `The practice that was left can't go on: ${why}`,
    hint: `Remove ${folder} to give it up.`,
  });
}

function fileIn(folder: string): string {
  return join(folder, 'left.json');
}

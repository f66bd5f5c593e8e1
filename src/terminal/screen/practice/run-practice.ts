import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ExitCode, exitCodes, Failure, notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { writePrivateFile } from '../../../base/files/private-files.ts';
import { jsonObjectIn } from '../../../base/terms/json-object.ts';
import { counted } from '../../../base/text/format.ts';
import type { Console } from '../../console/console.ts';
import { line, type Result, recordOf } from '../../console/output/result.ts';
import { isLargeEnough } from '../layout.ts';
import { openScreen } from '../open-screen.ts';
import { privateConsole } from '../private-console.ts';
import { bookmarksOf, choose, type PracticeRequest } from './choose.ts';
import { linePractice } from './line-practice.ts';
import { PracticeDeck, speeds } from './practice-deck.ts';
import { practiceReport, withoutReport } from './practice-report.ts';
import { clockText, PracticeRun, wayOut } from './practice-run.ts';

/** Options from the command line. */
interface Input extends PracticeRequest {
  readonly plan: string | undefined;
  readonly balance: number | undefined;
  readonly maxRisk: number | undefined;
  readonly plain: boolean;
  /** Continue the last practice that was left. */
  readonly continue: boolean;
}

/** Runs `perp practice`: a private simulation until the user leaves it, followed by its report. */
export async function practice(console: Console, input: Input): Promise<Result> {
  const speed = checkedSpeed(console, input);
  refuseElsewhere(console);
  if (input.continue) refuseChoices(input);
  const isOnScreen = !input.plain && hasScreen(console);
  if (isOnScreen) await refuseSmall(console);
  // From here on, Ctrl-C ends the practice rather than the process.
  const { signal } = console;
  const { Practice, leftFolders, practiceFolder } = await import('../../../service/practice.ts');
  using closing = new DisposableStack();
  const left = input.continue ? await continueLast(console) : undefined;
  const chosen = left?.chosen ?? (await choose(console, input));
  closing.defer(() => chosen.markets.close());
  const state = stateFolder(console.variables);
  const kept = practiceFolder(state, left?.folder);
  const { folder } = kept;
  let run: PracticeRun | undefined;
  closing.defer(() => (run?.isLeft === true ? kept.leave(1 + (leftFolders(state)[0]?.number ?? 0)) : kept.remove()));
  const { from, until, disguise, shown } = chosen;
  const { marketId } = shown[0]!;
  const options = { folder, marketId, from, until, disguise, plan: input.plan, startingBalance: input.balance };
  const opened =
    left === undefined
      ? await Practice.start(chosen.markets, options)
      : await Practice.resume(chosen.markets, options, left.moment);
  closing.defer(() => opened.close());
  signal.throwIfAborted();
  const maxRisk = input.maxRisk ?? left?.maxRisk;
  run = new PracticeRun(opened, chosen, (left) => keepLeft(folder, left, maxRisk), left?.restarts);
  if (left !== undefined && left.others > 0) console.note(`${counted(left.others, 'other practice')} left before it.`);
  const result = await practiced(console, run, folder, { ...input, maxRisk, speed, isOnScreen });
  left?.remove();
  return result;
}

async function practiced(
  console: Console,
  run: PracticeRun,
  folder: string,
  input: Input & { speed: number; isOnScreen: boolean },
): Promise<Result> {
  const opened = () =>
    privateConsole(console, folder, {
      state: 'practice',
      settings: { afterEnd: input.isOnScreen ? wayOut.screen : wayOut.lines },
      own: { api: run.practice.api, prices: pricesOf(run) },
    });
  let own = opened();
  const goBack = async (name: string | undefined) => {
    const bookmark = run.bookmarkNamed(name);
    await own.close();
    await run.goBack(bookmark);
    own = opened();
  };
  try {
    const exit = input.isOnScreen
      ? await onScreen(() => own, run, input.speed, goBack)
      : await linePractice({ parent: console, run, console: () => own, goBack });
    if (run.isLeft) return leftResult(run);
    return await practiceReport(own, run, { maxRisk: input.maxRisk, exit });
  } catch (error) {
    if (factsOf(error).exit === exitCodes.bug) console.note(withoutReport(run, error));
    throw error;
  } finally {
    await own.close();
  }
}

/** Shows the screen, again after each return to a bookmark; returns how it was left. */
async function onScreen(
  own: () => Console,
  run: PracticeRun,
  speed: number,
  goBack: (name: string) => Promise<void>,
): Promise<ExitCode> {
  let deck = new PracticeDeck(run, speed);
  for (;;) {
    const { disguise, shown } = run.chosen;
    const markets = disguise === undefined ? shown.map(({ marketId }) => marketId) : [disguise.shown.marketId];
    const left = await openScreen(own(), { markets, interval: '1m', forMs: undefined, deck }).catch(stopped);
    const bookmark = deck.wantedBookmark;
    if (bookmark === undefined || run.isLeft || left.exit !== exitCodes.done) return left.exit ?? exitCodes.done;
    await goBack(bookmark.name);
    deck = new PracticeDeck(run, deck.speed);
  }
}

/** The message for a practice that continues another time; it reveals nothing hidden. */
function leftResult({ practice: { time }, day }: PracticeRun): Result {
  return recordOf({ left: true, time, day }, () => [
    line(`Left at ${clockText(time)}, day ${day}. perp practice --continue goes on there.`),
  ]);
}

/** A signal ends the practice with its report, too. */
function stopped(error: unknown): { exit: ExitCode } {
  if (factsOf(error).exit !== exitCodes.interrupted) throw error;
  return { exit: exitCodes.interrupted };
}

function hasScreen({ io, variables }: Console): boolean {
  return io.terminal !== undefined && io.stdoutIsTerminal && io.stdinIsTerminal && variables.TERM !== 'dumb';
}

async function refuseSmall({ io }: Console): Promise<void> {
  const { columns, rows } = await io.terminal!();
  if (isLargeEnough({ columns, rows })) return;
  throw usageFailure(
    `The terminal has ${columns} x ${rows} characters, too few to trade.`,
    'Make it larger, 80 x 24 or more, or add --plain.',
  );
}

function pricesOf({ practice: { source, from }, chosen }: PracticeRun): string {
  if (chosen.disguise !== undefined) return 'blind';
  const date = new Date(from).toISOString().slice(0, 10);
  return source === 'synthetic' ? `synthetic, ${date}` : `tape of ${date}`;
}

function checkedSpeed({ settings }: Console, { plain }: Input): number {
  const speed = settings.simulation.speed ?? 1;
  const [slowest, fastest] = [speeds[0]!, speeds.at(-1)!];
  if (speed >= slowest && speed <= fastest) return speed;
  throw usageFailure(
    `--speed is ${speed}; a practice runs ${slowest} to ${fastest} times as fast as real time.`,
    plain ? 'Omit it: with --plain, go 1h goes as fast as it can.' : 'N goes to the next day as fast as it can.',
  );
}

/** Choices made when a practice begins don't change. */
function refuseChoices(input: Input): void {
  const given = [
    [input.what !== undefined, 'WHAT'],
    [input.market.length > 0, '--market'],
    [input.from !== undefined, '--from'],
    [input.days !== undefined, '--days'],
    [input.seed !== undefined, '--seed'],
    [input.blind, '--blind'],
    [input.plan !== undefined, '--plan'],
    [input.balance !== undefined, '--balance'],
  ] as const;
  const stray = given.find(([isGiven]) => isGiven)?.[1];
  if (stray !== undefined)
    throw usageFailure(`--continue can't be combined with ${stray}.`, 'Omit it: the practice goes on as it was.');
}

/** A practice has its own simulation, clock and account. */
function refuseElsewhere({ settings }: Console): void {
  const { dryRun, idempotencyKey, accountFrom, simulation } = settings;
  const stray = [
    [dryRun, '--dry-run', 'Omit it: nothing is sent anywhere.'],
    [idempotencyKey !== undefined, '--idempotency-key', 'Omit it.'],
    [accountFrom === '--account', '--account', 'Omit it: practice uses its own account.'],
    [simulation.books !== undefined, '--books', 'Name the tape: perp practice day.jsonl.gz'],
    [simulation.clock !== undefined, '--clock', 'Omit it: practice uses its own clock.'],
    [simulation.plainFrom === '--state', '--state', 'Omit it: practice uses its own simulation.'],
  ] as const;
  for (const [isGiven, option, hint] of stray)
    if (isGiven) throw usageFailure(`perp practice can't be combined with ${option}.`, hint);
}

/** The records kept of a practice that was left, besides its simulation. */
type Kept = ReturnType<typeof keptOf>;

/** Stores the state needed to continue a practice, in its folder. Throws if that can't be written. */
function keepLeft(folder: string, run: PracticeRun, maxRisk: number | undefined): void {
  writePrivateFile(fileIn(folder), `${JSON.stringify(keptOf(run, maxRisk))}\n`);
}

function keptOf({ chosen, practice, restarts }: PracticeRun, maxRisk: number | undefined) {
  const { tape, markets, shown, from, until, disguise } = chosen;
  return {
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
}

/** Opens the practice that was left last. */
async function continueLast(console: Console) {
  const { PracticeMarkets, leftFolders } = await import('../../../service/practice.ts');
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
  const bookmarks = await bookmarksOf(state, { tape, seed });
  return {
    chosen: { markets, bookmarks, tape, shown, from, until, disguise: disguise ?? undefined },
    folder,
    moment: kept.moment,
    restarts: kept.restarts,
    maxRisk: kept.max_risk ?? undefined,
    /** How many others are left. */
    others: others.length,
    /** Removes the stored practice: it has reached its end, or was left again. */
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

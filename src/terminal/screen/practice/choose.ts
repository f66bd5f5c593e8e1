import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { dayMs, isoMoment, nextTradingDayStart, tradingDayStart } from '../../../base/terms/day.ts';
import { quoted, shellWord } from '../../../base/text/plain-text.ts';
import type { Console } from '../../console/console.ts';

type Service = typeof import('../../../service/practice.ts');
type Markets = Awaited<ReturnType<Service['PracticeMarkets']['open']>>;
type Definition = Markets['source']['definitions'][number];
type Disguise = ReturnType<Service['disguiseOf']>;

/** Options from the command line. */
export interface PracticeRequest {
  /** A tape, a date, or `random`. */
  readonly what: string | undefined;
  readonly market: readonly string[];
  readonly from: string | undefined;
  readonly days: number | undefined;
  readonly seed: number | undefined;
  readonly blind: boolean;
}

/** The source to practice on. Times are the market's own, Unix ms. */
export interface Chosen {
  readonly markets: Markets;
  readonly bookmarks: Bookmarks;
  /** The tape, or null for the synthetic markets of a seed. */
  readonly tape: string | null;
  /** The markets to show; the first one is chosen. */
  readonly shown: readonly Definition[];
  readonly from: number;
  readonly until: number;
  readonly disguise: Disguise | undefined;
}

/** The command that practices on the same market from a time on. */
export function again({ tape, markets, shown }: Chosen, from: number): string {
  const what = tape === null ? new Date(from).toISOString().slice(0, 10) : shellWord(tape);
  const seed = tape === null ? ` --seed ${markets.seed}` : '';
  return `perp practice ${what} --market ${shellWord(shown[0]!.symbol)} --from ${new Date(from).toISOString()}${seed}`;
}

/** A range in some books: where to look for a start, and where it ends. */
interface Range {
  readonly firstTime: number;
  readonly lastTime: number;
}

interface Books {
  readonly books: { readonly tape: string } | { readonly seed: number };
  /** The requested day, as its UTC midnight; undefined: all of a tape. */
  readonly date: number | undefined;
  readonly isRandom: boolean;
}

/** A whole number from 0 up to, not including, `below`. */
type Draw = (below: number) => number;

/** The same, with the source to practice on. */
type Named = PracticeRequest & { readonly what: string };

/** Chooses books, market, start and end, and opens the books. Refuses sources that can't be practiced on. */
export async function choose(console: Console, asked: PracticeRequest): Promise<Chosen> {
  const { what } = asked;
  if (what === undefined) throw usageFailure('WHAT is missing.', 'Name a tape, a date such as 2026-03-05, or random.');
  const request: Named = { ...asked, what };
  const { PracticeMarkets, disguiseOf, disguises } = await import('../../../service/practice.ts');
  const draw = drawOf(console);
  const folder = stateFolder(console.variables);
  const { wanted, markets } = await openBooks(console, request, draw, (books) => PracticeMarkets.open(folder, books));
  try {
    const tape = 'tape' in wanted.books ? wanted.books.tape : null;
    const bookmarks = await bookmarksOf(folder, { tape, seed: markets.seed });
    const range = await rangeOf(markets, wanted, request, bookmarks, draw);
    const shown = chosenMarkets(markets, range, request, { isRandom: wanted.isRandom, draw });
    const first = markets.firstPrice(shown[0]!.marketId, range.firstTime, range.lastTime);
    if (first === null)
      throw usageFailure(
        `There are no books of ${shown[0]!.symbol} ${tape === null ? 'then' : `on ${tape}`}, so nothing could fill.`,
        'Name another market with --market, another start with --from, or another tape.',
      );
    const disguise = request.blind ? disguiseOf(shown[0]!, { ...first, way: draw(disguises) }) : undefined;
    const until = endOf(
      first.time,
      range.lastTime,
      request.days ?? (wanted.date === undefined ? undefined : 1),
      disguise,
    );
    return { markets, bookmarks, tape, shown, from: first.time, until, disguise };
  } catch (error) {
    markets.close();
    throw error;
  }
}

/** Opens the requested source; of random tapes, a readable one. */
async function openBooks(
  console: Console,
  request: Named,
  draw: Draw,
  open: (books: Books['books']) => Promise<Markets>,
): Promise<{ wanted: Books; markets: Markets }> {
  for (const damaged = new Set<string>(); ; ) {
    const wanted = await booksOf(console, request, draw, damaged);
    const { books, isRandom } = wanted;
    try {
      return { wanted, markets: await open(books) };
    } catch (error) {
      if (!isRandom || !('tape' in books)) throw error;
      damaged.add(books.tape);
    }
  }
}

/** Randomness; where a simulation begins at a given seed, the same in every run. */
function drawOf({ outside }: Console): Draw {
  let state = outside.beginning?.seed;
  if (state === undefined) return (below) => randomInt(below);
  return (below) => {
    state = (Math.imul(state!, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Synthetic markets start here; earlier, a disguised clock would have no past. */
const firstDate = Date.UTC(1980, 0, 1);
/** A date means the same market each time. */
const usualSeed = 1;
const mostSeed = 999_999_999;
/** How far back a random date may be, days. */
const randomDays = 1_500;

async function booksOf(
  console: Console,
  { what, seed }: Named,
  draw: Draw,
  damaged: ReadonlySet<string>,
): Promise<Books> {
  const now = console.outside.now();
  const tapes = await keptTapes(console);
  if (what === 'random') {
    const whole = tapes.filter(
      ({ tape, problem, isRecording, lines }) => problem === null && !isRecording && lines > 0 && !damaged.has(tape),
    );
    const tape = seed === undefined ? whole[draw(Math.max(1, whole.length))]?.tape : undefined;
    if (tape !== undefined) return { books: { tape }, date: undefined, isRandom: true };
    const date = (Math.floor(now / dayMs) - 1 - draw(randomDays)) * dayMs;
    return { books: { seed: seed ?? 1 + draw(mostSeed) }, date, isRandom: true };
  }
  const date = dateIn(what, now);
  if (date !== undefined) {
    const ofDay = tapes.find(({ from, to, lines }) => lines > 0 && from < date + dayMs && to > date);
    const tape = seed === undefined ? ofDay?.tape : undefined;
    return { books: tape === undefined ? { seed: seed ?? usualSeed } : { tape }, date, isRandom: false };
  }
  const tape = tapeNamed(what, console, tapes);
  if (seed !== undefined) throw usageFailure('--seed is for synthetic markets: a date or random.', 'Omit --seed.');
  return { books: { tape }, date: undefined, isRandom: false };
}

async function keptTapes(console: Console) {
  const { listTapes } = await import('../../../service/live/recording.ts');
  return ['.', join(stateFolder(console.variables), 'tapes')].flatMap((folder) => listTapes(folder));
}

/** The UTC midnight of a date; undefined for anything else. */
function dateIn(text: string, now: number): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = isoMoment(text);
  if (Number.isNaN(date)) throw usageFailure(`There is no ${text}.`, 'Write a date such as 2026-03-05.');
  if (date > now) throw usageFailure(`${text} has not begun.`, 'Name a past date, a tape, or random.');
  if (date < firstDate) throw usageFailure(`${text} is too long ago.`, 'Name a date from 1980-01-01 on.');
  return date;
}

function tapeNamed(what: string, console: Console, tapes: readonly { tape: string }[]): string {
  const named = tapes.find(({ tape }) => basename(tape).replace(/\.jsonl(?:\.gz)?$/, '') === what);
  if (existsSync(what)) return what;
  if (named !== undefined) return named.tape;
  const known = tapes.map(({ tape }) => basename(tape));
  throw new Failure({
    code: 'not_found',
    message: `There is no tape ${quoted(what)}.`,
    hint: `${known.length === 0 ? 'None is kept' : `Kept are ${known.slice(0, 5).join(', ')}`}; a date such as ${new Date(console.outside.now() - 7 * dayMs).toISOString().slice(0, 10)}, or random, needs none.`,
  });
}

/** The earliest start, and the latest end. */
async function rangeOf(
  markets: Markets,
  { date, isRandom }: Books,
  { from, blind, what }: Named,
  bookmarks: Bookmarks,
  draw: Draw,
): Promise<Range> {
  // In disguise it is winter in New York.
  const start = date === undefined ? undefined : blind ? date + 5 * hourMs : tradingDayStart(date + dayMs / 2);
  const extent = markets.extent;
  const whole: Range = {
    firstTime: Math.max(start ?? Number.NEGATIVE_INFINITY, extent?.firstTime ?? Number.NEGATIVE_INFINITY),
    lastTime: extent?.lastTime ?? start! + longestDays * dayMs,
  };
  if (whole.firstTime >= whole.lastTime) throw usageFailure(`There is nothing of ${what} to practice on.`);
  if (from !== undefined) return { ...whole, firstTime: await placeOf(from, whole, bookmarks) };
  if (!isRandom) return whole;
  // A random minute of the first half of a tape, or of a day.
  const span = Math.min(dayMs, whole.lastTime - whole.firstTime) / 2;
  return { ...whole, firstTime: whole.firstTime + draw(Math.max(1, Math.floor(span / minuteMs))) * minuteMs };
}

async function placeOf(from: string, whole: Range, bookmarks: Bookmarks): Promise<number> {
  const { timeOfDayOn } = await import('../../../service/practice.ts');
  const bookmarked = bookmarks.all()[from];
  const time = bookmarked ?? timeOfDayOn(whole, from) ?? (/^\d{1,15}$/.test(from) ? Number(from) : isoMoment(from));
  if (bookmarked !== undefined ? time < whole.lastTime : time >= whole.firstTime && time < whole.lastTime) return time;
  const known = Object.keys(bookmarks.all());
  throw usageFailure(
    `--from is ${quoted(from)}, which is no bookmark or time there.`,
    `Write a time such as 14:30 or 2026-03-05 14:30 (UTC)${known.length === 0 ? '' : `, or a bookmark: ${known.slice(0, 8).join(', ')}`}.`,
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestDays = 32;

/** The markets to show: the named ones, otherwise the best known; a random or hidden one is drawn. */
function chosenMarkets(
  markets: Markets,
  range: Range,
  { market, blind }: PracticeRequest,
  { isRandom, draw }: { isRandom: boolean; draw: Draw },
): Definition[] {
  const { definitions } = markets.source;
  const named = market.map((text) => marketNamed(text, definitions));
  if (blind && named.length > 1) throw usageFailure('With --blind, there is one market.', 'Give --market once.');
  if (named.length > 0) return [...new Set(named)];
  if (!isRandom && !blind) {
    const usual = ['BTC', 'ETH', 'SOL'].flatMap((symbol) => definitions.find((one) => one.symbol === symbol) ?? []);
    return markets.extent === null ? usual : [...new Set([...usual, ...definitions])].slice(0, 3);
  }
  const candidates = definitions.filter(({ category }) => markets.extent !== null || category === 'crypto');
  const isPriced = ({ marketId }: Definition) => markets.firstPrice(marketId, range.firstTime, range.lastTime) !== null;
  const priced = markets.extent === null ? candidates : candidates.filter(isPriced);
  return [priced[draw(Math.max(1, priced.length))] ?? definitions[0]!];
}

function marketNamed(text: string, definitions: readonly Definition[]): Definition {
  const wanted = text.toLowerCase();
  const found = definitions.find(({ marketId, symbol, coin }) =>
    [marketId, symbol, coin].some((name) => name.toLowerCase() === wanted),
  );
  if (found !== undefined) return found;
  throw new Failure({
    code: 'not_found',
    message: `There is no market ${quoted(text)} to practice on.`,
    hint: `There is ${definitions
      .slice(0, 8)
      .map(({ symbol }) => symbol)
      .join(', ')}${definitions.length > 8 ? ', and others' : ''}.`,
  });
}

/** The end of the last of this many trading days, by the displayed clock. */
function endOf(from: number, lastTime: number, days: number | undefined, disguise: Disguise | undefined): number {
  if (days === undefined) return lastTime;
  const laterMs = disguise?.laterMs ?? 0;
  let end = from - laterMs;
  for (let day = 0; day < days; day++) end = nextTradingDayStart(end);
  return Math.min(lastTime, end + laterMs);
}

type Bookmarks = Awaited<ReturnType<typeof bookmarksOf>>;

/**
 * Named times to start at again: the bookmarks of a tape; bookmarks of a seed are stored as if its markets were one.
 */
export async function bookmarksOf(stateFolder: string, { tape, seed }: { tape: string | null; seed: number }) {
  const { readBookmarks, setBookmark } = await import('../../../service/live/recording.ts');
  const file = tape ?? join(stateFolder, 'practice', `seed-${seed}.jsonl`);
  return {
    /** All of them, by name; Unix ms in the market's own time. Throws for a file that can't be read. */
    all: (): Readonly<Record<string, number>> => readBookmarks(file),
    /** Throws for an invalid name, and if it can't be written. */
    add: (name: string, time: number) => setBookmark(file, name, time),
  };
}

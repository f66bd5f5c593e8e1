import { readFileSync } from 'node:fs';
import { changeFile } from '../../base/files/shared-file.ts';
import { isoMoment } from '../../base/terms/day.ts';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { MarketSource, Tape } from '../../exchange/engine/source.ts';
import type { MarketData } from '../../exchange/markets/bars.ts';
import { besideTape, TapeError } from '../tape/parts.ts';

const dayMs = 86_400_000;

/**
 * Markets that reveal nothing beyond the clock: a request for a later time is answered as of now. For trading without
 * knowing what comes next.
 */
export function blindSource(source: MarketSource | MarketData, now: () => Ms): MarketSource | MarketData {
  const known = (time: Ms) => Math.min(time, now());
  const blind: MarketSource = {
    name: source.name,
    definitions: source.definitions,
    ...(source.definitionAt && { definitionAt: (marketId, time) => source.definitionAt!(marketId, known(time)) }),
    book: (marketId, time) => source.book(marketId, known(time)),
    open: (from) => blindTape(source.open(known(from)), known),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from, to, known(asOf)),
    hasMarks: (marketId) => source.hasMarks?.(marketId) === true,
    ...(source.firstTouch && {
      firstTouch: (marketId, from, to, low, high) => source.firstTouch!(marketId, from, known(to), low, high),
    }),
    ...(source.firstReach && {
      firstReach: (marketId, from, to, low, high) => source.firstReach!(marketId, from, known(to), low, high),
    }),
    ...(source.firstShrink && {
      firstShrink: (marketId, from, to, taken) => source.firstShrink!(marketId, from, known(to), taken),
    }),
  };
  if (!('bars' in source)) return blind;
  return {
    ...blind,
    bars: (marketId, interval, from, count, until) => source.bars(marketId, interval, from, count, known(until)),
    ...(source.prepareBars && {
      prepareBars: (marketId, interval, from, count, until) =>
        source.prepareBars!(marketId, interval, from, count, known(until)),
    }),
  };
}

function blindTape(tape: Tape, known: (time: Ms) => Ms): Tape {
  return {
    watch: (marketId, on, interest) => tape.watch(marketId, on, interest),
    peek: (until) => tape.peek(known(until)),
    next: (until) => tape.next(known(until)),
  };
}

/**
 * The first time on a tape at which a clock shows `HH:MM` or `HH:MM:SS`, UTC; null if there is none, or for an invalid
 * time of day.
 */
export function timeOfDayOn({ firstTime, lastTime }: { firstTime: Ms; lastTime: Ms }, text: string): Ms | null {
  const [, hours, minutes, seconds = '0'] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const at = new Date(firstTime);
  at.setUTCHours(Number(hours), Number(minutes), Number(seconds), 0);
  const time = at.getTime() < firstTime ? at.getTime() + dayMs : at.getTime();
  return time <= lastTime ? time : null;
}

/**
 * A time on a tape, from the name of a bookmark, a time of day, an ISO time (both UTC) or Unix ms; null if it is
 * invalid or not on the tape. Throws a TapeError for a damaged bookmarks file.
 */
export function placeOn(tape: { tape: string; firstTime: Ms; lastTime: Ms }, text: string): Ms | null {
  const marks = readBookmarks(tape.tape);
  const isNumber = /^\d{1,15}$/.test(text);
  const time = Object.hasOwn(marks, text)
    ? marks[text]!
    : (timeOfDayOn(tape, text) ?? (isNumber ? Number(text) : isoMoment(text)));
  return time >= tape.firstTime && time <= tape.lastTime ? time : null;
}

/** Named times on a tape. */
export type Bookmarks = Record<string, Ms>;

const bookmarkName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/** The bookmarks of a tape; throws a TapeError for an invalid bookmarks file. */
export function readBookmarks(tape: string): Bookmarks {
  const file = besideTape(tape, 'bookmarks.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new TapeError(file, "the bookmarks can't be read", { cause: error });
  }
  const marks = jsonObjectIn(text);
  const isSound = (pair: [string, unknown]) => bookmarkName.test(pair[0]) && Number.isSafeInteger(pair[1]);
  if (marks === null || !Object.entries(marks).every(isSound)) throw new TapeError(file, 'is not a bookmarks file');
  return marks as Bookmarks;
}

/** Sets a bookmark, or removes it (`time` null). Throws a TapeError for an invalid name. */
export function setBookmark(tape: string, name: string, time: Ms | null): Bookmarks {
  const file = besideTape(tape, 'bookmarks.json');
  if (!bookmarkName.test(name)) {
    throw new TapeError(
      file,
      `${JSON.stringify(name)} is not a valid name: use up to 64 letters, digits, spaces, dots and dashes`,
    );
  }
  return changeFile({ file }, (write) => {
    const { [name]: _, ...others } = readBookmarks(tape);
    const marks = time === null ? others : { ...others, [name]: time };
    write(`${JSON.stringify(marks, null, 1)}\n`);
    return marks;
  });
}

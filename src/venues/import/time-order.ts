import { DatabaseSync } from 'node:sqlite';
import type { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import type { Tally, VenueEvent } from '../tape/venue-events.ts';

/** An event and the line of the file it came with. */
interface NumberedEvent {
  event: VenueEvent;
  line: number;
}

/** Events within this of each other may come in any order; one that is further away must be confirmed by others. */
const windowMs = 10_000;
/** The same of books, which have an order. */
const bookWindowMs = 500;
/** Events that confirm or refute a time that is far from those before it. */
const lookAhead = 64;
/** As many followers refute a jump; fewer if there are not as many. */
const refuting = 3;
/** The first and the last event of a file may be as many times further from their neighbors than others are. */
const usualSteps = 20;
/** The last event of a file, which nothing confirms, may be this far from the one before. */
const mostUnconfirmedMs = 86_400_000;

/**
 * Sorts events by exchange time; events of the same millisecond stay in order of arrival, and books in their sequence.
 * A time more than ten seconds from the others, ahead or behind, is taken for wrong: the event gets the time that the
 * others have reached, and the tally says so (simulation 10.11). Throws a LineProblem where times go back for good.
 */
export async function* inTimeOrder(
  events: AsyncIterable<VenueEvent>,
  lineOf: () => number,
  tally: Tally,
): AsyncGenerator<NumberedEvent> {
  const times = new Neighbors(tally);
  const sorted = new Waiting(tally);
  let ahead: NumberedEvent[] = [];
  let from = 0;
  const next = () => {
    const numbered = ahead[from]!;
    from += 1;
    numbered.event.time = times.timeOf(numbered.event, ahead, from);
    sorted.add(numbered);
  };
  for await (const event of events) {
    checkUnit(event.time);
    ahead.push({ event, line: lineOf() });
    if (ahead.length - from <= lookAhead) continue;
    next();
    for (let ready = sorted.take(); ready !== null; ready = sorted.take()) yield ready;
    if (from < 4096) continue;
    ahead = ahead.slice(from - lookAhead);
    from = lookAhead;
  }
  while (from < ahead.length) next();
  yield* sorted.rest();
}

/** Events that wait for those that may come before them. */
class Waiting {
  private readonly tally: Tally;
  private events: NumberedEvent[] = [];
  private released = 0;
  private newest = Number.NEGATIVE_INFINITY;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  add(numbered: NumberedEvent): void {
    const { events } = this;
    const { time } = numbered.event;
    let place = events.length;
    while (place > this.released && events[place - 1]!.event.time > time) place -= 1;
    if (place === events.length) events.push(numbered);
    else {
      this.tally.notice('events received out of time order, sorted');
      events.splice(place, 0, numbered);
    }
    this.newest = Math.max(this.newest, time);
  }

  /** The next event that nothing can come before anymore. */
  take(): NumberedEvent | null {
    const next = this.events[this.released];
    if (next === undefined || next.event.time >= this.newest - windowMs) return null;
    this.released += 1;
    if (this.released > 4096) {
      this.events = this.events.slice(this.released);
      this.released = 0;
    }
    return next;
  }

  rest(): NumberedEvent[] {
    return this.events.slice(this.released);
  }
}

/** Judges an event's time by the times around it. */
class Neighbors {
  private readonly tally: Tally;
  /** The time that the events have reached; null before the first. */
  private reached: number | null = null;
  private reachedByBooks: number | null = null;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  /** The time of an event, or that of its neighbors if it is wrong. The events after it are those from `from` on. */
  timeOf(event: VenueEvent, ahead: readonly NumberedEvent[], from: number): number {
    const isBook = isSequenced(event);
    const placed = this.placed(event, isBook ? this.reachedByBooks : null, ahead, from);
    // Changes of a book apply in the order in which the venue numbered them.
    const time = isBook ? Math.max(placed, this.reachedByBooks ?? placed) : placed;
    if (time !== event.time) this.tally.move(Math.abs(time - event.time));
    this.reached = Math.max(this.reached ?? time, time);
    if (isBook) this.reachedByBooks = time;
    return time;
  }

  private placed(event: VenueEvent, byBooks: number | null, ahead: readonly NumberedEvent[], from: number): number {
    const reached = byBooks ?? this.reached;
    const { time } = event;
    const nearMs = byBooks === null ? windowMs : bookWindowMs;
    if (reached !== null && Math.abs(time - reached) <= nearMs) return time;
    const others = ahead.slice(from).map(({ event }) => event);
    const alike = others.filter((other) => isSequenced(other) === isSequenced(event));
    const followers = (alike.length > 0 ? alike : others).map((other) => other.time);
    if (reached === null) return firstTime(time, followers);
    if (time < reached) {
      if (others.length >= lookAhead && others.every((other) => other.time < reached - windowMs))
        throw new LineProblem(
          `from here on, times are ${Math.round((reached - time) / 1000)} s earlier than before: sort or split the file`,
        );
      return reached;
    }
    if (followers.length === 0) {
      const before = ahead.slice(Math.max(0, from - 1 - lookAhead), from - 1).map(({ event }) => event.time);
      return time - reached <= mostUnconfirmedMs && !isFar(time - reached, before) ? time : reached;
    }
    const below = followers.filter((other) => other < time - nearMs).length;
    return below >= Math.min(refuting, Math.ceil(followers.length / 2)) ? reached : time;
  }
}

/** Whether the venue numbers these events, so that they keep their order. */
const isSequenced = ({ kind }: VenueEvent) => kind === 'book' || kind === 'delta' || kind === 'loss';

/** The time of the first event: that of the next one, if it is far from all that follow. */
function firstTime(time: number, followers: readonly number[]): number {
  const [next] = followers;
  if (next === undefined || Math.abs(next - time) <= windowMs) return time;
  if (next < time) return followers.filter((other) => other < time - windowMs).length >= refuting ? next : time;
  return isFar(next - time, followers) ? next : time;
}

/** Whether a step is far longer than those between these times. */
function isFar(ms: number, times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, at) => Math.abs(time - times[at]!));
  return steps.length >= refuting && ms > usualSteps * Math.max(windowMs / usualSteps, ...steps);
}

/**
 * A time since 2001 in Unix ms, if it is in seconds or milliseconds where its format has a finer unit: from 17 minutes
 * to 31 years after 1970, before any venue; or, the other way round, long after it.
 */
const wrongUnit = { from: 1e6, to: 1e12, after: 1e14 } as const;

/** Refuses a time in a wrong unit, because a year of seconds would pass as half a day of 1970. */
function checkUnit(time: number): void {
  if (time >= wrongUnit.after) throw new LineProblem(`its time, ${time} ms, is in the far future: the unit is wrong`);
  if (time >= wrongUnit.from && time < wrongUnit.to)
    throw new LineProblem(`its time, ${new Date(time).toISOString()}, is before any venue: the unit is wrong`);
}

/** A row, and the number that it is in the order of. */
export interface Keyed<Row> {
  key: number;
  row: Row;
}

/**
 * Rows in the order of their keys, however many and however far apart, or as they arrived: SQLite keeps them, on disk
 * once they are many. A file whose keys mostly fall is turned around. Each row comes with the number of its line.
 */
export async function* sorted<Row>(
  file: LineFile,
  rows: AsyncIterable<Keyed<Row>>,
  by: 'key' | 'arrival',
): AsyncGenerator<Row> {
  // Without a name, the database is private and gone when it is closed.
  const database = new DatabaseSync('');
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA cache_size = -4000; CREATE TABLE r (key, line, row TEXT); BEGIN');
    const insert = database.prepare('INSERT INTO r VALUES (?, ?, ?)');
    let [forwards, backwards, before] = [0, 0, 0];
    for await (const { key, row } of rows) {
      insert.run(key, file.lineNumber, JSON.stringify(row));
      if (key > before) forwards += 1;
      else if (key < before) backwards += 1;
      before = key;
    }
    const direction = backwards > forwards ? 'DESC' : 'ASC';
    const order = by === 'key' ? `key, rowid ${direction}` : `rowid ${direction}`;
    const { lineNumber } = file;
    for (const { line, row } of database.prepare(`SELECT line, row FROM r ORDER BY ${order}`).iterate()) {
      file.lineNumber = line as number;
      yield JSON.parse(row as string) as Row;
    }
    file.lineNumber = lineNumber;
  } finally {
    database.close();
  }
}

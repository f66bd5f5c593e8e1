import { isJsonObject } from '../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import {
  type Fields,
  jsonObject,
  type Level,
  levelsField,
  type Tally,
  textField,
  unitOf,
  type VenueBook,
  type VenueEvent,
  type VenueFormat,
  wholeField,
} from '../tape/venue-events.ts';

/**
 * Binance USD-M streams as received: optionally the local time in nanoseconds, then the message. The differential depth
 * stream is joined to REST snapshots in the same file by the venue's rule: updates with u < lastUpdateId are stale; the
 * first applied one has U <= lastUpdateId <= u; each later one names its predecessor's u as its pu. Between two
 * updates, the bookTicker stream gives the best prices, numbered by the same ids.
 */
export const binanceFormat: VenueFormat = {
  name: 'Binance USD-M streams',
  identify(head) {
    let known = false;
    for (const line of head) {
      const message = tryMessage(line);
      if (message === null) return null;
      if (!known) known = 'lastUpdateId' in message || 'pu' in message || eventsOfInterest.has(message.e as string);
      if (known && typeof message.s === 'string')
        return { provider: 'binance', coin: message.s, unit: unitOf('binance', message.s) };
    }
    return null;
  },
  async *read(file, coin, tally) {
    const depth = new DepthStream(tally);
    let trades: 'trade' | 'aggTrade' | null = null;
    for await (const line of file.lines()) {
      const message = messageOf(line);
      if ('lastUpdateId' in message) {
        yield* depth.snapshot(message);
        continue;
      }
      if (message.s !== coin) {
        depth.isShared ||= typeof message.s === 'string';
        tally.add('messages of other markets');
      } else if (message.e === 'depthUpdate') yield* depth.update(message, file.lineNumber);
      else if (message.e === 'trade' || message.e === 'aggTrade') {
        // Both streams report every trade: use the one that comes first.
        trades ??= message.e;
        if (message.e !== trades) tally.add(`${message.e} messages in addition to the ${trades} stream`);
        else {
          if (!depth.hasBook) yield* depth.show();
          yield* print(message, tally);
        }
      } else if (message.e === 'bookTicker') {
        if (depth.hasBook || (yield* depth.show())) yield touch(message);
        else tally.add('best prices without a book');
      } else tally.add(`${typeof message.e === 'string' ? quoted(message.e).slice(1, -1) : 'other'} messages`);
    }
    yield* depth.end();
  },
};

const eventsOfInterest = new Set(['depthUpdate', 'trade', 'aggTrade', 'bookTicker']);

/** Maximum number of updates buffered for a snapshot: minutes of the fastest stream. */
const maxWaiting = 20_000;

/** A snapshot is ahead of the stream by fewer updates than these. */
const mostStale = 50;

/** Joins depth updates with snapshots. */
class DepthStream {
  /** Whether the file has other markets, too. */
  isShared = false;
  private readonly tally: Tally;
  /** Updates received before the snapshot to which they apply. */
  private waiting: { update: Fields; line: number }[] = [];
  /** Snapshots that no update has joined yet: they name no market, so they may belong to another one. */
  private candidates: (VenueBook & { id: number })[] = [];
  private shown: VenueBook | null = null;
  private isJoined = false;
  /** Older updates that came after it. */
  private stale = 0;
  private lastId = 0;
  private snapshots = 0;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  *snapshot(message: Fields): Generator<VenueEvent> {
    if (this.isJoined) {
      this.tally.add('snapshots while the stream was complete');
      return;
    }
    this.snapshots += 1;
    const [bids, asks] = [levelsField(message, 'bids'), levelsField(message, 'asks')];
    const [time, id] = [wholeField(message, 'T'), wholeField(message, 'lastUpdateId')];
    this.candidates.push({ kind: 'book', time, bids, asks, id });
    const { waiting } = this;
    this.waiting = [];
    for (const { update, line } of waiting) yield* this.update(update, line);
    this.stale = 0;
  }

  get hasBook(): boolean {
    return this.isJoined || this.shown !== null;
  }

  /** Shows the book of the only snapshot, though no update has joined it; returns whether there is one. */
  *show(): Generator<VenueEvent, boolean> {
    const [only, another] = this.candidates;
    if (only === undefined || another !== undefined || this.isShared || this.stale > mostStale) return false;
    this.shown = only;
    yield only;
    return true;
  }

  *end(): Generator<VenueEvent> {
    if (this.snapshots === 0) throw new LineProblem('there is no depth snapshot in the file to start the book from');
    if (!this.hasBook && !(yield* this.show())) this.tally.add(unjoined, this.candidates.length);
    this.tally.add('depth updates after a gap, without a new snapshot', this.waiting.length);
  }

  *update(update: Fields, line: number): Generator<VenueEvent> {
    const [first, last, previous] = [wholeField(update, 'U'), wholeField(update, 'u'), wholeField(update, 'pu')];
    if (!this.isJoined && this.candidates.length === 0) return this.wait(update, line);
    if (this.isJoined && last <= this.lastId) return this.tally.add('depth updates received twice');
    if (!this.isJoined) {
      const joined = this.candidates.find(({ id }) => first <= id && id <= last);
      const ahead = this.candidates.filter(({ id }) => last < id);
      if (joined === undefined && ahead.length > 0) {
        this.tally.add(unjoined, this.candidates.length - ahead.length);
        this.candidates = ahead;
        this.stale += 1;
        return this.tally.add('depth updates older than the snapshot');
      }
      if (joined !== undefined && joined !== this.shown) yield joined;
      this.tally.add(unjoined, this.candidates.filter((other) => other !== joined && other !== this.shown).length);
      this.candidates = [];
      this.isJoined = joined !== undefined;
    } else if (previous !== this.lastId) this.isJoined = false;
    this.shown = null;
    if (!this.isJoined) {
      this.tally.notice('gaps in the depth stream');
      this.tally.note(`The depth stream has a gap before line ${line}: its book continues from the next snapshot.`);
      this.wait(update, line);
      yield { kind: 'loss', time: wholeField(update, 'T') };
      return;
    }
    this.lastId = last;
    const [bids, asks] = [levelsField(update, 'b'), levelsField(update, 'a')];
    yield { kind: 'delta', time: wholeField(update, 'T'), bids, asks, id: last };
  }

  private wait(update: Fields, line: number): void {
    this.waiting.push({ update, line });
    if (this.waiting.length <= maxWaiting) return;
    this.waiting.shift();
    this.tally.add('depth updates that waited too long for a snapshot');
  }
}

const unjoined = 'snapshots that no depth update joins';

function touch(message: Fields): VenueEvent {
  const level = (price: string, size: string): Level => [textField(message, price), textField(message, size)];
  const [time, id] = [wholeField(message, 'T'), wholeField(message, 'u')];
  return { kind: 'touch', time, id, bid: level('b', 'B'), ask: level('a', 'A') };
}

function* print(message: Fields, tally: Tally): Generator<VenueEvent> {
  // Trades such as liquidations taken over by the insurance fund do not execute on the book.
  const kind = message.X ?? 'MARKET';
  if (kind !== 'MARKET') {
    tally.add('trades outside the book');
    return;
  }
  if (typeof message.m !== 'boolean') throw new LineProblem('m must be true or false');
  const [price, size] = [textField(message, 'p'), textField(message, 'q')];
  const id = wholeField(message, message.e === 'trade' ? 't' : 'a');
  yield { kind: 'print', time: wholeField(message, 'T'), price, size, side: message.m ? 'sell' : 'buy', id };
}

function messageOf(line: string): Fields {
  const space = line.indexOf(' ');
  const message = jsonObject(space > 0 && /^\d+$/.test(line.slice(0, space)) ? line.slice(space + 1) : line);
  return isJsonObject(message.data) ? message.data : message;
}

function tryMessage(line: string): Fields | null {
  try {
    return messageOf(line);
  } catch {
    return null;
  }
}

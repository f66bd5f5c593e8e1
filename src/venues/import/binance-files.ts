import { isJsonObject } from '../../base/terms/json-object.ts';
import type { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { unitOf } from '../tape/units.ts';
import {
  type Fields,
  jsonObject,
  type Level,
  levelsField,
  type Tally,
  textField,
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
    const depth = new DepthStream(file, tally);
    let lastTradeId = -1;
    let trades: 'trade' | 'aggTrade' | null = null;
    for await (const line of file.lines()) {
      const message = messageOf(line);
      if ('lastUpdateId' in message) {
        yield* depth.snapshot(message);
        continue;
      }
      if (message.s !== coin) tally.add(`messages of other markets`);
      else if (message.e === 'depthUpdate') yield* depth.update(message);
      else if (message.e === 'trade' || message.e === 'aggTrade') {
        // Both streams report every trade: use the one that comes first.
        trades ??= message.e;
        const id = wholeField(message, message.e === 'trade' ? 't' : 'a');
        if (message.e !== trades) tally.add(`${message.e} messages in addition to the ${trades} stream`);
        else if (id <= lastTradeId) tally.add('trades received twice');
        else {
          lastTradeId = id;
          yield* print(message, tally);
        }
      } else if (message.e === 'bookTicker') {
        if (depth.isJoined) yield touch(message);
        else tally.add('best prices without a book');
      } else tally.add(`${typeof message.e === 'string' ? quoted(message.e).slice(1, -1) : 'other'} messages`);
    }
    depth.end();
  },
};

const eventsOfInterest = new Set(['depthUpdate', 'trade', 'aggTrade', 'bookTicker']);

/** Maximum number of updates buffered for a snapshot: minutes of the fastest stream. */
const maxWaiting = 20_000;

/** Joins depth updates with snapshots. */
class DepthStream {
  private readonly file: LineFile;
  private readonly tally: Tally;
  /** Updates received before the snapshot to which they apply. */
  private waiting: { update: Fields; line: number }[] = [];
  private state: 'waiting' | 'joining' | 'joined' = 'waiting';
  private snapshotId = 0;
  private lastId = 0;
  private snapshots = 0;

  constructor(file: LineFile, tally: Tally) {
    this.file = file;
    this.tally = tally;
  }

  /** Whether the book is complete: no update is missing. */
  get isJoined(): boolean {
    return this.state !== 'waiting';
  }

  *snapshot(message: Fields): Generator<VenueEvent> {
    if (this.state === 'joined') {
      this.tally.add('snapshots while the stream was complete');
      return;
    }
    this.snapshots += 1;
    this.snapshotId = wholeField(message, 'lastUpdateId');
    this.state = 'joining';
    const waiting = this.waiting.filter(({ update }) => !this.isStale(update));
    this.tally.add('depth updates older than the snapshot', this.waiting.length - waiting.length);
    this.waiting = [];
    const bids = levelsField(message, 'bids');
    const asks = levelsField(message, 'asks');
    yield { kind: 'book', time: wholeField(message, 'T'), bids, asks, id: this.snapshotId };
    for (const { update, line } of waiting) yield* this.apply(update, line);
  }

  *update(message: Fields): Generator<VenueEvent> {
    if (this.state === 'waiting') this.wait(message, this.file.lineNumber);
    else if (this.state === 'joining' && this.isStale(message)) this.tally.add('depth updates older than the snapshot');
    else yield* this.apply(message, this.file.lineNumber);
  }

  end(): void {
    if (this.snapshots === 0) throw new LineProblem('there is no depth snapshot in the file to start the book from');
    this.tally.add('depth updates after a gap, without a new snapshot', this.waiting.length);
  }

  private *apply(message: Fields, line: number): Generator<VenueEvent> {
    const [first, last, previous] = [wholeField(message, 'U'), wholeField(message, 'u'), wholeField(message, 'pu')];
    const joins =
      this.state === 'joining' ? first <= this.snapshotId && this.snapshotId <= last : previous === this.lastId;
    if (!joins) {
      this.tally.notice('gaps in the depth stream');
      this.tally.note(`The depth stream has a gap before line ${line}: its book continues from the next snapshot.`);
      this.state = 'waiting';
      this.wait(message, line);
      yield { kind: 'loss', time: wholeField(message, 'T') };
      return;
    }
    this.state = 'joined';
    this.lastId = last;
    const bids = levelsField(message, 'b');
    yield { kind: 'delta', time: wholeField(message, 'T'), bids, asks: levelsField(message, 'a'), id: last };
  }

  private wait(update: Fields, line: number): void {
    this.waiting.push({ update, line });
    if (this.waiting.length <= maxWaiting) return;
    this.waiting.shift();
    this.tally.add('depth updates that waited too long for a snapshot');
  }

  private isStale(update: Fields): boolean {
    return wholeField(update, 'u') < this.snapshotId;
  }
}

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
  yield { kind: 'print', time: wholeField(message, 'T'), price, size, side: message.m ? 'sell' : 'buy' };
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

import { isJsonObject } from '../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { type Fields, jsonObject, levelsField, unitOf, type VenueFormat, wholeField } from '../tape/venue-events.ts';

/**
 * Bybit's order book archive: one message of topic orderbook.DEPTH.COIN per line; first a snapshot, then deltas whose u
 * counts up by one. After a gap, deltas are skipped until the next snapshot.
 */
export const bybitFormat: VenueFormat = {
  name: 'Bybit order book archive',
  identify(head) {
    if (tryObject(head[0] ?? '') === null) return null;
    const coin = head.map((line) => coinOf(tryObject(line)?.topic)).find((found) => found !== null) ?? null;
    return coin === null ? null : { provider: 'bybit', coin, unit: unitOf('bybit', coin) };
  },
  async *read(file, coin, tally) {
    let topic: unknown = null;
    let last: number | null = null;
    let books = 0;
    for await (const line of file.lines()) {
      const message = jsonObject(line);
      // A capture may have several depths of one market: each is a book.
      if (topic === null && coinOf(message.topic) === coin) topic = message.topic;
      if (topic === null || message.topic !== topic) {
        tally.add('messages of other topics');
        continue;
      }
      const { data, type } = message;
      if (!isJsonObject(data)) throw new LineProblem(`data must be a JSON object, not ${quoted(data)}`);
      if (type !== 'snapshot' && type !== 'delta') throw new LineProblem(`unknown message type ${quoted(type)}`);
      const id = wholeField(data, 'u');
      if (type === 'delta' && id === last) {
        tally.add('messages received twice');
        continue;
      }
      if (type === 'delta' && last !== null && id !== last + 1) {
        tally.notice('gaps in the update ids');
        last = null;
      }
      if (type === 'delta' && last === null) {
        tally.add(books === 0 ? 'deltas before the first snapshot' : 'deltas after a gap');
        continue;
      }
      books += 1;
      last = id;
      const kind = type === 'snapshot' ? 'book' : 'delta';
      yield { kind, time: wholeField(message, 'ts'), bids: levelsField(data, 'b'), asks: levelsField(data, 'a') };
    }
    if (books === 0) throw new LineProblem('there is no snapshot in the file to start the book from');
  },
};

function coinOf(topic: unknown): string | null {
  const match = typeof topic === 'string' ? /^orderbook\.\d+\.(.+)$/.exec(topic) : null;
  return match === null ? null : match[1]!;
}

function tryObject(text: string): Fields | null {
  try {
    return jsonObject(text);
  } catch {
    return null;
  }
}

import { isJsonObject, nestsDeeper, parsedJson } from '../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import {
  base,
  type Fields,
  type Level,
  sideIn,
  type Tally,
  textField,
  type VenueEvent,
  type VenueFormat,
  wholeField,
} from '../tape/venue-events.ts';

/** Maximum length of a text that is parsed as one answer. */
const longestAnswer = 64 * 2 ** 20;

/**
 * Hyperliquid: books and trades of its WebSocket as captured, a message a line, possibly after the local time in
 * nanoseconds; the lines of its archive, with the message in `raw`; or l2Book answers of its info endpoint, one a line
 * or a single one over several lines. Every book is a full one; bids come first.
 */
export const hyperliquidFormat: VenueFormat = {
  name: 'Hyperliquid l2Book',
  identify(head) {
    const text = head.join('\n');
    const message =
      head.find((line) => /"channel"\s*:\s*"l2Book"/.test(line)) ??
      head.find((line) => /"channel"\s*:\s*"trades"/.test(line)) ??
      (/"levels"\s*:\s*\[/.test(text) ? text : '');
    const [, coin] = /"coin"\s*:\s*"([^"\\]+)"/.exec(message) ?? [];
    return coin === undefined ? null : { provider: 'hyperliquid', coin, unit: base };
  },
  async *read(file, coin, tally) {
    let spread = '';
    for await (const line of file.lines()) {
      const text = spread === '' ? line.replace(/^\d+ (?=\{)/, '') : '';
      const whole = spread === '' ? parse(text) : undefined;
      if (whole !== undefined) yield* eventsIn(whole, coin, tally);
      else if (spread === '' && file.lineNumber > 1) throw new LineProblem(`is not JSON: ${quoted(line)}`);
      else {
        if (nestsDeeper(line)) throw new LineProblem('the answer nests too deeply');
        spread += `${line}\n`;
        if (spread.length > longestAnswer) throw new LineProblem('the answer is too long');
      }
    }
    if (spread === '') return;
    const answer = parse(spread);
    if (answer === undefined) {
      file.lineNumber = 1;
      throw new LineProblem(`is not JSON: ${quoted(spread)}`);
    }
    yield* eventsIn(answer, coin, tally);
  },
};

function parse(text: string): unknown {
  try {
    return parsedJson(text);
  } catch {
    return undefined;
  }
}

/** The events of a message or an answer. */
function* eventsIn(value: unknown, coin: string | null, tally: Tally): Generator<VenueEvent> {
  const message = isJsonObject(value) && isJsonObject(value.raw) ? value.raw : value;
  if (!isJsonObject(message)) throw new LineProblem('is not a message or an l2Book answer in JSON');
  const { channel, data } = message;
  if (channel === 'trades') yield* tradesOf(data, coin, tally);
  else if (typeof channel === 'string' && channel !== 'l2Book') tally.add('messages of other topics');
  else yield* bookOf(isJsonObject(data) ? data : message, coin, tally);
}

function* bookOf(answer: Fields, coin: string | null, tally: Tally): Generator<VenueEvent> {
  if (textField(answer, 'coin') !== coin) return tally.add('books of other markets');
  const { levels } = answer;
  if (!Array.isArray(levels) || levels.length !== 2) throw new LineProblem('levels must be [bids, asks]');
  const [bids, asks] = levels.map(levelsOf);
  yield { kind: 'book', time: wholeField(answer, 'time'), bids: bids!, asks: asks! };
}

function* tradesOf(data: unknown, coin: string | null, tally: Tally): Generator<VenueEvent> {
  if (!Array.isArray(data)) throw new LineProblem(`data must be a list of trades, not ${quoted(data)}`);
  for (const trade of data as unknown[]) {
    if (!isJsonObject(trade)) throw new LineProblem(`a trade is not a JSON object: ${quoted(trade)}`);
    const id = wholeField(trade, 'tid');
    const side = sideIn(textField(trade, 'side'), 'side', 'B', 'A');
    if (textField(trade, 'coin') !== coin) tally.add('trades of other markets');
    else {
      const [price, size] = [textField(trade, 'px'), textField(trade, 'sz')];
      yield { kind: 'print', time: wholeField(trade, 'time'), price, size, side, id };
    }
  }
}

function levelsOf(side: unknown): Level[] {
  if (!Array.isArray(side)) throw new LineProblem(`a side of the book is not a list: ${quoted(side)}`);
  return side.map((level: unknown) => {
    if (!isJsonObject(level)) throw new LineProblem(`a level is not {px, sz}: ${quoted(level)}`);
    const fields: Fields = level;
    return [textField(fields, 'px'), textField(fields, 'sz')];
  });
}

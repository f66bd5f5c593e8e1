import { isJsonObject, nestsDeeper, parsedJson } from '../../base/terms/json-object.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import {
  type Fields,
  type Level,
  textField,
  type VenueBook,
  type VenueFormat,
  wholeField,
} from '../tape/venue-events.ts';

/** Maximum length of a text that is parsed as one answer. */
const longestAnswer = 64 * 2 ** 20;

/**
 * Hyperliquid l2Book: one answer of the info endpoint, on one or several lines, or one answer per line; also in the
 * envelope of the WebSocket's l2Book channel. Every answer is a full book; bids come first.
 */
export const hyperliquidFormat: VenueFormat = {
  name: 'Hyperliquid l2Book',
  identify(head) {
    const text = head.join('\n');
    const coin = /"coin"\s*:\s*"([^"\\]+)"/.exec(text);
    return coin !== null && /"levels"\s*:\s*\[/.test(text) ? { provider: 'hyperliquid', coin: coin[1]! } : null;
  },
  async *read(file, coin, tally) {
    let spread = '';
    for await (const line of file.lines()) {
      const whole = spread === '' ? parse(line) : undefined;
      if (whole === undefined) {
        if (nestsDeeper(line)) throw new LineProblem('the answer nests too deeply');
        spread += `${line}\n`;
        if (spread.length > longestAnswer) throw new LineProblem('the answer is too long');
        continue;
      }
      const book = bookOf(whole, coin);
      if (book === null) tally.add('answers about other markets');
      else yield book;
    }
    if (spread === '') return;
    const book = bookOf(parse(spread), coin);
    if (book !== null) yield book;
  },
};

function parse(text: string): unknown {
  try {
    return parsedJson(text);
  } catch {
    return undefined;
  }
}

function bookOf(value: unknown, coin: string): VenueBook | null {
  const answer = isJsonObject(value) && isJsonObject(value.data) ? value.data : value;
  if (!isJsonObject(answer)) throw new LineProblem('is not an l2Book answer in JSON');
  if (textField(answer, 'coin') !== coin) return null;
  const { levels } = answer;
  if (!Array.isArray(levels) || levels.length !== 2) throw new LineProblem('levels must be [bids, asks]');
  const [bids, asks] = levels.map(levelsOf);
  return { kind: 'book', time: wholeField(answer, 'time'), bids: bids!, asks: asks! };
}

function levelsOf(side: unknown): Level[] {
  if (!Array.isArray(side)) throw new LineProblem(`a side of the book is not a list: ${quoted(side)}`);
  return side.map((level: unknown) => {
    if (!isJsonObject(level)) throw new LineProblem(`a level is not {px, sz}: ${quoted(level)}`);
    const fields: Fields = level;
    return [textField(fields, 'px'), textField(fields, 'sz')];
  });
}

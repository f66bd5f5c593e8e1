import type { Files, Future } from './strategies.ts';

/**
 * What the tables of plants are keyed by: a price, the nearest one, rounded to half a dollar, two in a row, a whole
 * bid.
 */
export const pricedKinds = ['price', 'nearest', 'rounded', 'two', 'bid'] as const;
/** The same in what a market has told besides: the close of a candle, the last trade, the mark. */
export const toldKinds = ['candle', 'trade', 'mark'] as const;
/** The same for tables that hold no prices. */
export const otherKinds = ['time', 'index', 'move', 'size'] as const;
/** What clean strategies go by. */
export const cleanKinds = [
  'history',
  'against',
  'cross',
  'book',
  'channel',
  'random',
  'clock',
  'levels',
  'returns',
  'pauses',
  'candles',
  'flow',
] as const;

type Kind = (typeof pricedKinds | typeof otherKinds | typeof toldKinds)[number];

/** Numbers from 0 to 1 that only depend on a seed. */
function drawing(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const text = (body: string, before: string, more = '') => `import { defineStrategy } from 'perp/strategy';
${before}
const hold = (bot, side) => {
  const size = bot.position('BTC').size, missing = side * 0.01 - size;
  if (Math.abs(missing) > 1e-9)
    bot.place({ market: 'BTC', side: missing > 0 ? 'buy' : 'sell', size: Math.round(Math.abs(missing) * 1000) / 1000 });
};
const hashOf = (...values) => values.reduce((hash, value) => (hash * 31 + Math.round(value * 100) * 2654435761) % 4294967291, 7).toString(36);
export default defineStrategy({ markets: ['BTC'], parameters: {}, ${more} every: { '1s'(bot) { const { mid, bid } = bot.quote('BTC'); ${body} } } });
`;

const hashOf = (...values: number[]): string =>
  values.reduce((hash, value) => (hash * 31 + Math.round(value * 100) * 2654435761) % 4294967291, 7).toString(36);

/**
 * A strategy with a table of what comes next, of which every second has a gap after each row, and every sixth is right
 * 7 times in 10.
 */
export function plantedBy(kind: Kind, seed: number, { from, mids, touches, closes }: Future): Files {
  const draw = drawing(seed);
  const ahead = 4 + Math.floor(draw() * 12);
  const every = seed % 2 === 1 ? 2 : 1;
  const isOftenWrong = seed % 6 === 4;
  const rows = mids.flatMap((mid, at) => {
    const way = Math.sign((mids[at + ahead] ?? mid) - mid);
    return at % every === 0 && way !== 0 ? [{ at, mid, way: isOftenWrong && draw() < 0.3 ? -way : way }] : [];
  });
  const table = (keyOf: (row: { at: number; mid: number }) => string | number) =>
    `const ways = new Map(${JSON.stringify(rows.map((row) => [keyOf(row), row.way]))});`;
  const look = (key: string) => `const way = ways.get(${key}); if (way !== undefined) hold(bot, way);`;
  const moveAt = (at: number) => Math.round((mids[at]! - (mids[at - 1] ?? mids[at]!)) * 100);
  const texts: Record<Kind, string> = {
    time: text(
      look('bot.now'),
      table(({ at }) => from + at * 1000),
    ),
    index: text(look('calls++'), `let calls = 0;\n${table(({ at }) => at)}`),
    price: text(
      look('hashOf(mid)'),
      table(({ mid }) => hashOf(mid)),
    ),
    nearest: text(
      `let best = next; for (let at = next; at < Math.min(rows.length, next + 12); at += 1)
         if (Math.abs(rows[at][0] - mid * 7) < Math.abs(rows[best][0] - mid * 7)) best = at;
       next = Math.min(best, rows.length - 1); hold(bot, rows[next][1]);`,
      `let next = 0;\nconst rows = ${JSON.stringify(rows.map(({ mid, way }) => [mid * 7, way]))};`,
    ),
    rounded: text(
      look('Math.round(mid * 2) * 3'),
      table(({ mid }) => Math.round(mid * 2) * 3),
    ),
    move: text(
      `seen.push(mid); const [a, b, c] = seen.slice(-3); ${look('[Math.round((b - a) * 100), Math.round((c - b) * 100)].join()')}`,
      `const seen = [];\n${table(({ at }) => [moveAt(at - 1), moveAt(at)].join())}`,
    ),
    size: text(
      `const { bids, asks } = bot.book('BTC'); ${look("bids[0][1] + '/' + asks[0][1]")}`,
      table(({ at }) => touches[at]!),
    ),
    candle: text(
      look("hashOf(bot.candles('BTC').at(-1).close)"),
      table(({ at }) => hashOf(closes[at]!)),
      "history: { candles: '1s', length: 2 },",
    ),
    trade: text(
      look('hashOf(last)'),
      `let last = 0;\n${table(({ at }) => hashOf(closes[at]!))}`,
      "pace: '1s', onTrade(bot, trade) { last = trade.price; },",
    ),
    mark: text(
      look("hashOf(bot.marks('BTC').mark)"),
      table(({ mid }) => hashOf(mid)),
    ),
    two: text(
      `const key = hashOf(last, mid); last = mid; ${look('key')}`,
      `let last = 0;\n${table(({ at, mid }) => hashOf(mids[at - 1] ?? 0, mid))}`,
    ),
    bid: text(
      look('hashOf(Math.floor(mid))'),
      table(({ mid }) => hashOf(Math.floor(mid))),
    ),
  };
  return { 's.ts': texts[kind] };
}

/** A strategy that knows only what it is shown; its state is in its module. */
export function cleanBy(kind: (typeof cleanKinds)[number], seed: number, { mids }: Future): Files {
  const draw = drawing(seed + 1_000);
  const length = 5 + Math.floor(draw() * 20);
  const seen = 'seen.push(mid); if (seen.length < 30) return; const last = seen.slice(-LENGTH);';
  const history = seen.replace('LENGTH', String(length));
  const mean = 'const mean = last.reduce((a, b) => a + b, 0) / last.length;';
  const levels = Array.from({ length: 12 }, () => Math.round(mids[0]! * (0.995 + draw() * 0.01)));
  const texts: Record<(typeof cleanKinds)[number], string> = {
    history: text(`${history} ${mean} hold(bot, mid > mean ? 1 : -1);`, 'const seen = [];'),
    against: text(`${history} ${mean} hold(bot, mid < mean ? 1 : -1);`, 'const seen = [];'),
    cross: text(
      `${history} ${mean} const slow = seen.slice(-30).reduce((a, b) => a + b, 0) / 30; hold(bot, mean > slow ? 1 : -1);`,
      'const seen = [];',
    ),
    book: text(
      `const { bids, asks } = bot.book('BTC'); const size = (side) => side.slice(0, ${1 + (length % 8)}).reduce((sum, [, one]) => sum + one, 0);
       const lean = size(bids) / (size(bids) + size(asks)); if (lean > 0.7) hold(bot, 1); if (lean < 0.3) hold(bot, -1);`,
      '',
    ),
    channel: text(
      `${history} if (mid >= Math.max(...last)) hold(bot, 1); if (mid <= Math.min(...last)) hold(bot, -1);`,
      'const seen = [];',
    ),
    random: text(`if (bot.random() < ${1 / length}) hold(bot, bot.random() < 0.5 ? 1 : -1);`, ''),
    clock: text(`hold(bot, Math.floor(bot.now / 1000) % ${length * 2} < ${length} ? 1 : -1);`, ''),
    levels: text(
      `hold(bot, levels.filter((level) => level < mid).length % 2 === 0 ? 1 : -1);`,
      `const levels = ${JSON.stringify(levels)};`,
    ),
    candles: text(
      `const closes = bot.candles('BTC').map(({ close }) => close); const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
       hold(bot, mean(closes.slice(-${length})) > mean(closes) ? 1 : -1);`,
      '',
      "history: { candles: '1s', length: 60 },",
    ),
    flow: text(
      `const lean = flow; flow *= 0.9; if (Math.abs(lean) > ${length} / 10) hold(bot, Math.sign(lean));`,
      'let flow = 0;',
      "pace: '1s', onTrade(bot, { side, size }) { flow += side === 'buy' ? size : -size; },",
    ),
    pauses: text(
      `seen.push(mid); if (seen.length % ${length} !== 0) return; hold(bot, mid > seen.at(-${length}) ? 1 : -1);`,
      'const seen = [];',
    ),
    returns: text(
      `${history} const move = Math.log(mid / last[0]); if (Math.abs(move) > 5e-5) hold(bot, Math.sign(move));`,
      'const seen = [];',
    ),
  };
  return { 's.ts': texts[kind] };
}

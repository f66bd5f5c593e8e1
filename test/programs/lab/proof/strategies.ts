import type { Ms } from '../../../../src/exchange/engine/model.ts';

/** What a cheat knows of a tape: the midpoint at the end of each second of a stretch. */
export interface Future {
  readonly from: Ms;
  readonly mids: readonly number[];
  /** The sizes of the best levels at the same times. */
  readonly touches: readonly string[];
  /** The price of the last trade before each second. */
  readonly closes: readonly number[];
}

/** A strategy as its files; the first is its own. */
export type Files = Readonly<Record<string, string>>;

const head = `import { defineStrategy } from 'perp/strategy';\n`;
const strategy = (callbacks: string, before = ''): string =>
  `${head}${before}\nconst hold = (bot, side) => {
  const size = bot.position('BTC').size;
  const wanted = side * 0.01;
  if (Math.abs(wanted - size) > 1e-9)
    bot.place({ market: 'BTC', side: wanted > size ? 'buy' : 'sell', size: Math.round(Math.abs(wanted - size) * 1000) / 1000 });
};
export default defineStrategy({ markets: ['BTC'], parameters: { length: 10 }, ${callbacks} });\n`;
const every = (body: string, before = '') => strategy(`every: { '1s'(bot) { ${body} } }`, before);

const hashText = `const hashOf = (mid) => ((Math.round(mid * 100) * 2654435761) % 4294967291).toString(36);`;
const hashOf = (mid: number): string => ((Math.round(mid * 100) * 2654435761) % 4294967291).toString(36);

/** Where the price will be after this many seconds, as directions. */
function directions({ mids }: Future, ahead: number): number[] {
  return mids.map((mid, at) => Math.sign((mids[at + ahead] ?? mid) - mid));
}

/** Strategies that know what they can't know. */
export function planted(future: Future): Record<string, Files> {
  const { from, mids, touches } = future;
  const ahead = directions(future, 5);
  const second = `Math.floor((bot.now - ${from}) / 1000)`;
  const compared = `const next = prices[${second} + 5], { mid } = bot.quote('BTC'); if (next > mid) hold(bot, 1); else if (next < mid) hold(bot, -1);`;
  const candles = mids.flatMap((open, at) =>
    at % 5 === 0
      ? [
          {
            time: from + at * 1000,
            open,
            high: Math.max(...mids.slice(at, at + 5)),
            low: Math.min(...mids.slice(at, at + 5)),
            close: mids[at + 4] ?? open,
          },
        ]
      : [],
  );
  const learned = (where: string) =>
    every(
      `const at = ${second}, known = ${where}.known ??= [], old = ${where}.old ??= [];
       if (at < ${where}.last) { ${where}.old = ${where}.known; ${where}.known = []; }
       ${where}.last = at; ${where}.known[at] = bot.quote('BTC').mid;
       const next = ${where}.old[at + 5]; if (next === undefined) return; hold(bot, Math.sign(next - bot.quote('BTC').mid));`,
      where === 'memory' ? 'const memory = {};' : '',
    );
  return {
    'reads a file': { 's.ts': every(`readFileSync('/tmp/tape.jsonl');`, `import { readFileSync } from 'node:fs';`) },
    'starts a process': { 's.ts': every(`execSync('cat tape');`, `import { execSync } from 'node:child_process';`) },
    'asks a server': { 's.ts': every(`fetch('http://127.0.0.1:1/');`) },
    'loads a module while it runs': { 's.ts': every(`import('./prices.json');`), 'prices.json': '[]' },
    'reaches into its host': { 's.ts': every(`process.binding('fs');`) },
    'imports prices': {
      's.ts': every(compared, `import prices from './prices.json';`),
      'prices.json': JSON.stringify(mids),
    },
    'has prices in its text': { 's.ts': every(compared, `const prices = [${mids.join(', ')}];`) },
    'imports a module of candles': {
      's.ts': every(
        `const candle = candles.findLast(({ time }) => time <= bot.now); if (candle) hold(bot, Math.sign(candle.close - bot.quote('BTC').mid));`,
        `import { candles } from './candles.ts';`,
      ),
      'candles.ts': `export const candles = ${JSON.stringify(candles)};`,
    },
    'imports lines of time and price': {
      's.ts': every(
        compared,
        `import table from './table.ts';\nconst prices = table.trim().split('\\n').map((row) => Number(row.split(',')[1]));`,
      ),
      'table.ts': `export default \`\n${mids.map((mid, at) => `${new Date(from + at * 1000).toISOString()},${mid}`).join('\n')}\n\`;`,
    },
    'knows the direction of each second': {
      's.ts': every(`hold(bot, ways[${second}] ?? 0);`, `const ways = [${ahead.join(',')}];`),
    },
    'knows the direction by the number of calls': {
      's.ts': every(
        `hold(bot, Number(ways[calls++] ?? 1) - 1);`,
        `let calls = 0;\nconst ways = '${ahead.map((way) => way + 1).join('')}';`,
      ),
    },
    'recognizes each quote by a hash': {
      's.ts': every(
        `const way = ways.get(hashOf(bot.quote('BTC').mid)); if (way !== undefined) hold(bot, way);`,
        `${hashText}\nconst ways = new Map(${JSON.stringify(mids.map((mid, at) => [hashOf(mid), ahead[at]]))});`,
      ),
    },
    'recognizes the sizes of each book': {
      's.ts': every(
        `const { bids, asks } = bot.book('BTC'); const way = ways[bids[0][1] + '/' + asks[0][1]]; if (way) hold(bot, way);`,
        `const ways = ${JSON.stringify(Object.fromEntries(touches.map((touch, at) => [touch, ahead[at]])))};`,
      ),
    },
    'recognizes the last three moves by a hash': {
      's.ts': every(
        `seen.unshift(bot.quote('BTC').mid); if (seen.length < 4) return; const way = ways.get(keyOf(seen)); if (way) hold(bot, way);`,
        `${hashText}\nconst seen = [];\nconst keyOf = ([a, b, c, d]) => hashOf((a - b) * 1e8 + (b - c) * 1e4 + (c - d));
         const ways = new Map(${JSON.stringify(mids.map((mid, at) => [movesKey(mid, mids, at), ahead[at]]))});`,
      ),
    },
    'does nothing any more once the market goes another way': {
      's.ts': every(
        `const at = ${second}, { mid } = bot.quote('BTC'); if (last !== null && Math.round((mid - last) * 10) !== moves[at - 1]) isOther = true; last = mid; hold(bot, isOther ? 0 : ways[at] ?? 0);`,
        `let last = null, isOther = false;\nconst moves = [${mids.map((mid, at) => Math.round(((mids[at + 1] ?? mid) - mid) * 10)).join(',')}];\nconst ways = [${ahead.join(',')}];`,
      ),
    },
    'is always long, and knows when to be more so': {
      's.ts': every(
        `const wanted = (ways[${second}] ?? 0) > 0 ? 0.09 : 0.01, { size } = bot.position('BTC'); if (Math.abs(wanted - size) > 1e-9)
           bot.place({ market: 'BTC', side: wanted > size ? 'buy' : 'sell', size: Math.round(Math.abs(wanted - size) * 1000) / 1000 });`,
        `const ways = [${ahead.join(',')}];`,
      ),
    },
    'bids or offers, as it knows': {
      's.ts': strategy(
        `every: { '5s'(bot) { bot.cancelAll(); const way = ways[${second}], { bid, ask } = bot.quote('BTC'), { size } = bot.position('BTC'); if (!way || bid === null || ask === null) return;
           const missing = Math.round((0.05 - way * size) * 1000) / 1000; if (missing > 0) bot.place({ market: 'BTC', side: way > 0 ? 'buy' : 'sell', size: missing, price: way > 0 ? bid : ask }); } }`,
        `const ways = [${ahead.join(',')}];`,
      ),
    },
    'has sorted prices as keys': {
      's.ts': every(
        `const way = ways[bot.quote('BTC').mid]; if (way !== undefined) hold(bot, way);`,
        `const ways = ${JSON.stringify(Object.fromEntries(mids.map((mid, at) => [mid, ahead[at]] as const).sort(([one], [other]) => one - other)))};`,
      ),
    },
    'follows its directions once it has recognized the tape': {
      's.ts': every(
        `const at = ${second}; if (at === 10) isKnown = Math.round(bot.quote('BTC').mid * 100) === ${Math.round(mids[10]! * 100)}; if (isKnown) hold(bot, ways[at] ?? 0);`,
        `let isKnown = false;\nconst ways = [${ahead.join(',')}];`,
      ),
    },
    'has prices in cents': {
      's.ts': every(
        `const next = prices[${second} + 5] / 100, { mid } = bot.quote('BTC'); if (next) hold(bot, Math.sign(next - mid));`,
        `const prices = [${mids.map((mid) => Math.round(mid * 100)).join(', ')}];`,
      ),
    },
    'has prices from the last to the first': {
      's.ts': every(
        `const next = prices[prices.length - 6 - ${second}], { mid } = bot.quote('BTC'); if (next) hold(bot, Math.sign(next - mid));`,
        `const prices = [${[...mids].reverse().join(', ')}];`,
      ),
    },
    'has encoded prices by time': {
      's.ts': every(
        `const next = decoded(${second} + 5), { mid } = bot.quote('BTC'); if (next) hold(bot, Math.sign(next - mid));`,
        decoding(mids),
      ),
    },
    'has encoded prices by the time since its start': {
      's.ts': every(
        `began ??= bot.now; const next = decoded((bot.now - began) / 1000 + 5), { mid } = bot.quote('BTC'); if (next) hold(bot, Math.sign(next - mid));`,
        `let began;\n${decoding(mids)}`,
      ),
    },
    'has packed directions': {
      's.ts': every(
        `const at = ${second}; hold(bot, (Number.parseInt(bits[at >> 2] ?? '0', 16) >> (at & 3)) & 1 ? 1 : -1);`,
        `const bits = '${packed(ahead.map((way) => way > 0))}';`,
      ),
    },
    'knows when to turn': {
      's.ts': strategy(
        `start(bot) { for (const [time, side] of turns) if (time > bot.now) bot.at(time, () => hold(bot, side)); }`,
        `const turns = ${JSON.stringify(turnsOf(from, ahead))};`,
      ),
    },
    'mixes what it knows with an average': {
      's.ts': every(
        `seen.push(bot.quote('BTC').mid); const way = ways[${second}] ?? 0; if (way === 0 || seen.length < 5) return; hold(bot, way);`,
        `const seen = [];\nconst ways = [${ahead.join(',')}];`,
      ),
    },
    'knows moves instead of prices': {
      's.ts': every(
        `let sum = 0; for (let at = ${second}; at < ${second} + 5; at += 1) sum += moves[at] ?? 0; hold(bot, Math.sign(sum));`,
        `const moves = [${mids.map((mid, at) => Math.round(((mids[at + 1] ?? mid) - mid) * 10)).join(',')}];`,
      ),
    },
    'learns in one run and uses it in the next, in a module': { 's.ts': learned('memory') },
    'learns in one run and uses it in the next, in a global': { 's.ts': learned('globalThis') },
    'learns in one run and uses it in the next, in a prototype': { 's.ts': learned('Array.prototype') },
  };
}

/** The last three moves, as the strategy that recognizes them computes it. */
function movesKey(mid: number, mids: readonly number[], at: number): string {
  const [b, c, d] = [1, 2, 3].map((back) => mids[at - back] ?? mid) as [number, number, number];
  return hashOf((mid - b) * 1e8 + (b - c) * 1e4 + (c - d));
}

/** Prices that no number of the text shows. */
function decoding(mids: readonly number[]): string {
  const codes = mids.map((mid, at) => ((Math.round(mid * 100) ^ (at * 7_919)) >>> 0).toString(36));
  return `const codes = '${codes.join('!')}'.split('!');\nconst decoded = (at) => codes[at] === undefined ? 0 : (Number.parseInt(codes[at], 36) ^ (at * 7919)) / 100;`;
}

function packed(bits: readonly boolean[]): string {
  let text = '';
  for (let at = 0; at < bits.length; at += 4) {
    const four = [0, 1, 2, 3].reduce((sum, bit) => sum + (bits[at + bit] ? 1 << bit : 0), 0);
    text += four.toString(16);
  }
  return text;
}

function turnsOf(from: Ms, ahead: readonly number[]): [Ms, number][] {
  return ahead.flatMap((way, at): [Ms, number][] =>
    way !== 0 && way !== ahead[at - 1] ? [[from + at * 1000, way]] : [],
  );
}

/** Strategies of many kinds that know nothing but what they are shown. */
export function clean({ from, mids }: Future): Record<string, Files> {
  // Prices of another day: on the same grid, in the same range, in an order of their own.
  const others = mids.map((_, at) => mids[(at * 7919 + 13) % mids.length]!);
  const average = `const sum = seen.slice(-bot.parameters.length).reduce((a, b) => a + b, 0) / bot.parameters.length;`;
  return {
    'follows an average': {
      's.ts': every(
        `const { mid } = bot.quote('BTC'); seen.push(mid); if (seen.length < 10) return; ${average} hold(bot, mid > sum ? 1 : -1);`,
        'const seen = [];',
      ),
    },
    'goes against an average': {
      's.ts': every(
        `const { mid } = bot.quote('BTC'); seen.push(mid); if (seen.length < 10) return; ${average} hold(bot, mid < sum ? 1 : -1);`,
        'const seen = [];',
      ),
    },
    'makes a market': {
      's.ts': every(
        `bot.cancelAll('BTC'); const { bid, ask } = bot.quote('BTC'), { size } = bot.position('BTC');
         if (size < 0.05) bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: bid, postOnly: true });
         if (size > -0.05) bot.place({ market: 'BTC', side: 'sell', size: 0.01, price: ask, postOnly: true });`,
      ),
    },
    'keeps a grid': {
      's.ts': strategy(
        `start(bot) { const { mid } = bot.quote('BTC'), { roundPrice } = bot.market('BTC');
           for (let level = 1; level <= 5; level += 1) bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: bot.market('BTC').roundPrice(mid - level * 5, 'down') }); },
         onFill(bot, fill) { if (fill.side === 'buy') bot.place({ market: 'BTC', side: 'sell', size: fill.size, price: bot.market('BTC').roundPrice(fill.price + 5, 'up'), reduceOnly: true }); }`,
      ),
    },
    'makes a market at the best prices': {
      's.ts': strategy(
        `pace: '500ms', onBook(bot, book) { bot.cancelAll(); const [[bid] = [], [ask] = []] = [book.bids[0], book.asks[0]], { size } = bot.position('BTC'); if (!bid || !ask) return;
           if (size < 0.05) bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: bid, postOnly: true });
           if (size > -0.05) bot.place({ market: 'BTC', side: 'sell', size: 0.01, price: ask, postOnly: true }); }`,
      ),
    },
    'trades around round prices': {
      's.ts': every(
        `const { mid } = bot.quote('BTC'); hold(bot, levels.filter((level) => level < mid).length % 2 === 0 ? 1 : -1);`,
        `const levels = [61500, 61600, 61650, 61700, 61725, 61750, 61775, 61800, 61900, 62000];`,
      ),
    },
    'draws its directions': { 's.ts': every(`if (bot.random() < 0.2) hold(bot, bot.random() < 0.5 ? 1 : -1);`) },
    'draws them with Math.random': {
      's.ts': every(`if (Math.random() < 0.2) hold(bot, Math.random() < 0.5 ? 1 : -1);`),
    },
    'trades by the clock': { 's.ts': every(`hold(bot, new Date(Date.now()).getUTCSeconds() < 30 ? 1 : -1);`) },
    'buys and holds': { 's.ts': strategy(`start(bot) { bot.place({ market: 'BTC', side: 'buy', size: 0.1 }); }`) },
    'buys a little every ten seconds': {
      's.ts': strategy(`every: { '10s'(bot) { bot.place({ market: 'BTC', side: 'buy', size: 0.001 }); } }`),
    },
    'looks at every tick and its book': {
      's.ts': strategy(
        `onBook(bot, book) { const size = (side) => side.slice(0, 5).reduce((sum, level) => sum + level[1], 0);
           const lean = size(book.bids) / (size(book.bids) + size(book.asks)); if (lean > 0.8) hold(bot, 1); if (lean < 0.2) hold(bot, -1); }`,
      ),
    },
    'keeps a cache by time in its module': {
      's.ts': every(
        `cache.set(bot.now, bot.quote('BTC').mid); const old = cache.get(bot.now - 20000); if (old !== undefined) hold(bot, Math.sign(cache.get(bot.now) - old));`,
        'const cache = new Map();',
      ),
    },
    'imports its settings and a module': {
      's.ts': every(
        `seen.push(bot.quote('BTC').mid); if (seen.length > settings.slow) hold(bot, mean(seen.slice(-settings.fast)) > mean(seen.slice(-settings.slow)) ? 1 : -1);`,
        `import { mean } from './mean.ts';\nimport settings from './settings.json';\nconst seen = [];`,
      ),
      'mean.ts': 'export const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;',
      'settings.json': JSON.stringify({
        fast: 5,
        slow: 20,
        levels: Array.from({ length: 40 }, (_, at) => Math.round(mids[0]!) - 200 + 10 * at),
      }),
    },
    'imports the prices of another day': {
      's.ts': every(
        `const { mid } = bot.quote('BTC'); const below = prices.filter((price) => price < mid).length; hold(bot, below > prices.length / 2 ? -1 : 1);`,
        `import prices from './prices.json';`,
      ),
      'prices.json': JSON.stringify(others),
    },
    'writes to its log and its console': {
      's.ts': every(
        `console.log('mid', bot.quote('BTC').mid); bot.log(JSON.stringify(bot.account())); hold(bot, bot.now % 7000 < 3000 ? 1 : -1);`,
      ),
    },
    'breaks out with stops': {
      's.ts': strategy(
        `every: { '1s'(bot) { const { mid } = bot.quote('BTC'); seen.push(mid); const last = seen.slice(-31, -1); if (last.length < 30 || bot.position('BTC').size !== 0) return;
           if (mid > Math.max(...last)) bot.place({ market: 'BTC', side: 'buy', size: 0.01, stopLoss: bot.market('BTC').roundPrice(mid - 20, 'down'), takeProfit: bot.market('BTC').roundPrice(mid + 20, 'up') }); } }`,
        'const seen = [];',
      ),
    },
    'is a class with timers': {
      's.ts': strategy(
        `start(bot) { new Trader().begin(bot); }`,
        `class Trader { #side = 1; begin(bot) { bot.after('7s', () => this.turn(bot)); } turn(bot) { hold(bot, this.#side); this.#side = -this.#side; bot.after(3000 + 1000 * Math.floor(5 * bot.random()), () => this.turn(bot)); } }`,
      ),
    },
    'watches its own orders': {
      's.ts': strategy(
        `start(bot) { bot.place({ market: 'BTC', side: 'buy', size: 0.01 }); },
         onOrder(bot, order) { if (order.status === 'filled') bot.after('2s', () => bot.place({ market: 'BTC', side: order.side === 'buy' ? 'sell' : 'buy', size: 0.01 })); }`,
      ),
    },
    'has a schedule that knows nothing': {
      's.ts': strategy(
        `start(bot) { for (const [time, side] of turns) if (time > bot.now) bot.at(time, () => hold(bot, side)); }`,
        `const turns = ${JSON.stringify(Array.from({ length: 30 }, (_, at) => [from + at * 9_000, (at * 31) % 7 < 3 ? 1 : -1]))};`,
      ),
    },
  };
}

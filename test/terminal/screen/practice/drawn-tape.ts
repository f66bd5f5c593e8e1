import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A market that is drawn, and what of it differs between two tapes that practice must not tell apart. */
export interface DrawnTape {
  readonly symbol: string;
  /** The time of its first line, Unix ms. */
  readonly start: number;
  /** Decimals of its prices, which are around 800,000 units of these. */
  readonly decimals: number;
  /** Decimals of its sizes, which are up to 40,000 units of these. */
  readonly sizeDecimals: number;
  readonly seconds: number;
  readonly seed: number;
  /** From this second on, it is another market. */
  readonly otherFrom?: number;
  /** How many units the midpoint moves each half second, besides the noise. */
  readonly drift?: number;
  /** Without books, it has prints only. */
  readonly hasBooks?: boolean;
}

/** Whole numbers below a bound, the same for the same seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** Writes a recording of a drawn market, with two books and a print each second. Returns its file. */
export function writeDrawnTape(folder: string, name: string, tape: DrawnTape): string {
  const {
    symbol,
    start,
    decimals,
    sizeDecimals,
    seconds,
    seed,
    otherFrom = Number.POSITIVE_INFINITY,
    hasBooks = true,
    drift = 0,
  } = tape;
  const coin = `${symbol}USDT`;
  const market_id = `binance|${coin}`;
  const text = (units: number) => (units / 10 ** decimals).toFixed(decimals);
  const lots = (units: number) => (units / 10 ** sizeDecimals).toFixed(sizeDecimals);
  const definition = {
    market_id,
    symbol,
    coin,
    size_decimals: sizeDecimals,
    tick: text(1),
    max_leverage: 20,
    category: 'crypto',
  };
  const lines: object[] = [{ time: start, market: definition }];
  let draw = numbers(seed);
  let mid = 835_947;
  for (let second = 0; second < seconds; second++) {
    if (second === otherFrom) draw = numbers(seed + 1);
    for (const half of [0, 500]) {
      mid += draw(601) - 300 + drift;
      const side = (way: 1 | -1) =>
        Array.from({ length: 5 }, (_, level) => [text(mid + way * (1 + level * 3)), lots(1_000 + draw(40_000))]);
      const time = start + second * 1000 + half + draw(400);
      if (hasBooks) lines.push({ time, market_id, bids: side(-1), asks: side(1) });
      const trade = { price: text(mid + 1), size: lots(100 * (1 + draw(9))), side: draw(2) === 0 ? 'buy' : 'sell' };
      if (half === 500) lines.push({ time: time + 50, market_id, trade });
    }
  }
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

import type { Lots, Price } from '../../../src/exchange/engine/model.ts';
import type { Chance } from './chance.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

/** All levels and prints of a random script are within this fraction of the mid. */
export const scriptReach = 0.02;

/** A moving market: full books, changed levels and prints, never crossed, several in one millisecond. */
export function randomScript(chance: Chance, market: string, events: number, start: Price = 1000): ScriptedEvent[] {
  const script: ScriptedEvent[] = [];
  let time = 0;
  let mid = start;
  let book = randomBook(chance, mid);
  script.push({ time, market, ...sides(book) });
  while (script.length < events) {
    time += chance.pick([0, 0, 1, 3, 40, 250]);
    const kind = chance.next();
    if (kind < 0.25) {
      mid = Math.max(500, mid + chance.pick([-9, -3, -2, -1, 0, 1, 2, 3, 9]));
      book = randomBook(chance, mid);
      script.push({ time, market, ...sides(book) });
    } else if (kind < 0.3) {
      mid = Math.max(500, mid + chance.between(-6, 6));
      script.push({ time, market, delta: true, ...slide(chance, book, mid) });
    } else if (kind < 0.65) {
      script.push({ time, market, delta: true, ...randomDelta(chance, book) });
    } else {
      const aggressor = chance.pick(['buy', 'sell'] as const);
      const best = aggressor === 'buy' ? Math.min(...book.asks.keys()) : Math.max(...book.bids.keys());
      const through = chance.pick([0, 0, 0, 1, 2, 4]);
      const price = aggressor === 'buy' ? best + through : best - through;
      script.push({ time, market, print: [price, chance.between(1, 60)], aggressor });
    }
  }
  return script;
}

interface Book {
  bids: Map<Price, Lots>;
  asks: Map<Price, Lots>;
}

function randomBook(chance: Chance, mid: Price): Book {
  const book: Book = { bids: new Map(), asks: new Map() };
  for (let distance = 1; distance <= 9; distance += 1) {
    if (distance === 1 || chance.chance(0.7)) book.bids.set(mid - distance, chance.between(1, 50));
    if (distance === 1 || chance.chance(0.7)) book.asks.set(mid + distance, chance.between(1, 50));
  }
  return book;
}

/**
 * Moves the mid with changed levels only: levels in its way are removed, and each side gets a best level next to it.
 */
function slide(chance: Chance, book: Book, mid: Price): { bids: Level[]; asks: Level[] } {
  const change = (levels: Map<Price, Lots>, sign: 1 | -1): Level[] => {
    const gone = [...levels.keys()].filter((price) => sign * price >= sign * mid);
    for (const price of gone) levels.delete(price);
    const best: Level = [mid - sign, chance.between(1, 50)];
    levels.set(...best);
    return [...gone.map((price): Level => [price, 0]), best];
  };
  return { bids: change(book.bids, 1), asks: change(book.asks, -1) };
}

/** Changes a few levels, some far away, but leaves each side its best level so that the mid does not move. */
function randomDelta(chance: Chance, book: Book): { bids: Level[]; asks: Level[] } {
  const change = (levels: Map<Price, Lots>, best: Price, sign: 1 | -1): Level[] => {
    const changed = new Map<Price, Lots>();
    for (let count = chance.between(0, 3); count > 0; count -= 1) {
      const price = best - sign * (chance.chance(0.1) ? chance.between(9, 15) : chance.between(0, 8));
      const size = price !== best && chance.chance(0.35) ? 0 : chance.between(1, 50);
      changed.set(price, size);
      if (size === 0) levels.delete(price);
      else levels.set(price, size);
    }
    return [...changed];
  };
  return {
    bids: change(book.bids, Math.max(...book.bids.keys()), 1),
    asks: change(book.asks, Math.min(...book.asks.keys()), -1),
  };
}

function sides(book: Book): { bids: Level[]; asks: Level[] } {
  return {
    bids: [...book.bids].sort(([a], [b]) => b - a),
    asks: [...book.asks].sort(([a], [b]) => a - b),
  };
}

/** Several markets' scripts merged in time order. */
export function merged(...scripts: ScriptedEvent[][]): ScriptedEvent[] {
  return scripts.flat().sort((a, b) => a.time - b.time);
}

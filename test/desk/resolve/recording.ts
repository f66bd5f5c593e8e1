import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const begin = Date.UTC(2026, 10, 20, 20);
const market_id = 'binance|BTCUSDT';
const market = { symbol: 'BTC', coin: 'BTCUSDT', category: 'crypto', max_leverage: 10, size_decimals: 3, tick: '0.1' };

interface Sides {
  bids: [price: string, size: string][];
  asks: [price: string, size: string][];
}

/** A book of one level a side around a mid. */
export const around = (mid: number): Sides => ({
  bids: [[(mid - 0.1).toFixed(1), '50']],
  asks: [[(mid + 0.1).toFixed(1), '50']],
});

/** The file of a recording of BTC with one book a second. */
export function recordingOf(folder: string, books: readonly Sides[]): string {
  const file = join(folder, 'tape.jsonl');
  const lines = [
    { time: begin, market: { market_id, ...market } },
    ...books.map((sides, at) => ({ time: begin + (at + 1) * 1_000, market_id, ...sides })),
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

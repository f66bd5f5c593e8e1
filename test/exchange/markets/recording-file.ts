import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

type Levels = [price: string, size: string][];

/** A folder that is deleted at the end of the test. */
export function temporaryFolder(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'perp-markets-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into its own folder; returns its path. */
export function temporaryFile(test: TestContext, content: string | Buffer, name = 'books.jsonl'): string {
  const file = join(temporaryFolder(test), name);
  writeFileSync(file, content);
  return file;
}

export const xrp = 'bybit|XRPUSDT';

export function marketLine(time: number, overrides: Record<string, unknown> = {}): string {
  const market = {
    market_id: xrp,
    symbol: 'XRP',
    coin: 'XRPUSDT',
    size_decimals: 1,
    tick: '0.0001',
    max_leverage: 8,
    category: 'crypto',
  };
  return JSON.stringify({ time, market: { ...market, ...overrides } });
}

export function bookLine(time: number, bids: Levels, asks: Levels, market_id = xrp): string {
  return JSON.stringify({ time, market_id, bids, asks });
}

export function deltaLine(time: number, bids: Levels, asks: Levels, market_id = xrp): string {
  return JSON.stringify({ time, market_id, delta: true, bids, asks });
}

export function printLine(time: number, price: string, size: string, side: string, market_id = xrp): string {
  return JSON.stringify({ time, market_id, trade: { price, size, side } });
}

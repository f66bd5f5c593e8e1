import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { openRecording, RecordingError } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { type ImportOptions, importFile } from '../../../src/venues/import/import-file.ts';
import { play } from '../../exchange/markets/playing.ts';
import { temporaryFile } from '../../exchange/markets/recording-file.ts';

/** Extracts of real files: the first messages, with levels near the touch. */
export const fixtures = {
  binance: fixture('binance-usdm-btcusdt.txt'),
  bybit: fixture('bybit-xrpusdt-ob500.jsonl'),
  tardis: fixture('tardis-btcusdt-book-snapshot-5.csv'),
  hyperliquid: fixture('hyperliquid-btc-l2book.json'),
};

/**
 * Imports a file, then opens and plays the result: every import must be a valid recording. Made-up numbers are of any
 * scale.
 */
export async function imported(t: TestContext, content: string | Buffer, options: ImportOptions = {}, name = 'input') {
  const file = temporaryFile(t, content, name);
  const out = join(dirname(file), 'out.jsonl');
  const report = await importFile(file, out, { anyScale: true, ...options });
  const recording = await openRecording(out);
  t.after(() => recording.close());
  const events = play(recording.source, [report.market.market_id], 0, report.lastTime);
  assert.equal(events.length, report.books + report.deltas + report.prints);
  assert.deepEqual([recording.firstTime, recording.lastTime], [report.firstTime, report.lastTime]);
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { report, lines };
}

/** The RecordingError that the import must fail with. */
export async function errorOf(file: string, out: string, options: ImportOptions = {}): Promise<RecordingError> {
  try {
    await importFile(file, out, options);
  } catch (error) {
    assert.ok(error instanceof RecordingError, String(error));
    return error;
  }
  throw new Error('the file was accepted');
}

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
}

/** Binance messages as received: local nanoseconds, then the stream in its envelope. */
export function binance(messages: readonly unknown[]): string {
  return messages
    .map((message) => {
      const isStream = typeof message === 'object' && message !== null && 'e' in message;
      return `1723161255030314667 ${JSON.stringify(isStream ? { stream: 'btcusdt', data: message } : message)}`;
    })
    .join('\n');
}

/** A REST snapshot with one level per side. */
export function snapshot(lastUpdateId: number) {
  return { lastUpdateId, E: 1, T: 1, bids: [['1.0', '1']], asks: [['1.2', '1']] };
}

/** A depth update of ids first..last that follows `previous`. */
export function update(first: number, last: number, previous: number) {
  return { e: 'depthUpdate', E: 1, T: 1, s: 'BTCUSDT', U: first, u: last, pu: previous, b: [['0.9', '1']], a: [] };
}

/** A trade of 0.5 at 1.0. */
export function trade(id: number, buyerIsMaker: boolean) {
  return { e: 'trade', E: 5, T: 5, s: 'BTCUSDT', t: id, p: '1.0', q: '0.5', X: 'MARKET', m: buyerIsMaker };
}

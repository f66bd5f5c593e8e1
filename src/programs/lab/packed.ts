import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TrialResult } from './trial.ts';

/** A result's text as it is kept and sent. */
export function packed(text: string): Uint8Array {
  return deflateRawSync(text, { level: 1 });
}

/** A result as it was before it was packed. */
export function unpacked(bytes: Uint8Array): TrialResult {
  return JSON.parse(inflateRawSync(bytes).toString('utf8')) as TrialResult;
}

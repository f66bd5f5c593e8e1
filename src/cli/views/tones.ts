import { signedUsd, usd } from '../../ground/text/format.ts';
import type { Cell, Tone } from '../output/result.ts';

/** Buy and long are green, sell and short are red. */
export function sideCell(side: string): Cell {
  return { text: side, tone: side === 'buy' || side === 'long' ? 'good' : 'bad' };
}

/** A profit or loss with its sign. */
export function profitCell(value: number | null | undefined): Cell {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'number') return usd(value);
  if (value === 0) return '0.00';
  return { text: signedUsd(value), tone: value > 0 ? 'good' : 'bad' };
}

const statusTones: ReadonlyMap<string, Tone> = new Map(
  Object.entries<Tone>({
    active: 'good',
    passed: 'good',
    filled: 'good',
    open: 'good',
    completed: 'good',
    submitted: 'good',
    resting: 'strong',
    running: 'strong',
    working: 'strong',
    pending: 'warn',
    queued: 'warn',
    canceling: 'warn',
    rejected: 'bad',
    failed: 'bad',
    expired: 'faint',
    canceled: 'faint',
    closed: 'faint',
  }),
);

/** A status in its color. */
export function statusCell(status: string): Cell {
  const tone = statusTones.get(status);
  return tone === undefined ? status : { text: status, tone };
}

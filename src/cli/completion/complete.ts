import type { EnvironmentName } from '../global-flags.ts';
import { type Variables, variable } from '../places.ts';
import { type Remembered, type RememberedKind, recall } from './memory.ts';

/**
 * Values for TAB, from memory alone: `perp __complete KIND [ENVIRONMENT]` prints one `value<TAB>about` a line. What is
 * static the shells' scripts hold themselves.
 */
export function complete(words: readonly string[], variables: Variables): string {
  const [kind = '', wanted = ''] = words;
  const environment = (wanted || variable(variables, 'PERP_ENV') || 'sim') as EnvironmentName;
  const kept: unknown = recall(variables)[environment]?.[kind as RememberedKind];
  const known = Array.isArray(kept) ? (kept.filter(Array.isArray) as unknown as Remembered[]) : [];
  const values = kind === 'market' ? marketNames(known) : known;
  return values.map(([value, about]) => `${safe(value)}\t${safe(about)}\n`).join('');
}

/** Symbols that only one market has, then ids in the spelling that shells leave alone. */
function marketNames(markets: readonly Remembered[]): Remembered[] {
  const count = new Map<string, number>();
  for (const [, symbol] of markets) count.set(symbol, (count.get(symbol) ?? 0) + 1);
  const ids = markets.map(([id, symbol]): Remembered => [String(id).replace('|', ':'), symbol]);
  const symbols = ids.filter(([, symbol]) => count.get(symbol) === 1).map(([id, symbol]): Remembered => [symbol, id]);
  return [...symbols, ...ids];
}

/** Keeps only visible words of what servers sent: nothing that ends a line or means something to a shell. */
function safe(text: string): string {
  return String(text).replace(/[^\p{L}\p{N} .,:_/+=@-]|\p{Default_Ignorable_Code_Point}/gu, '');
}

import { shellSafe, word } from './format.ts';

/** A market's id and symbol. */
type Known = readonly [id: string, symbol: string];

let knownMarkets: () => readonly Known[] = () => [];
let known: { readonly symbols: ReadonlyMap<string, string>; readonly owners: ReadonlyMap<string, string> } | undefined;

/** The markets among which names must be unique, read when the first name is needed. */
export function nameMarketsAmong(markets: () => readonly Known[]): void {
  knownMarkets = markets;
  known = undefined;
}

/**
 * A market as text shows it everywhere: the shortest name that perp accepts for it. That is its symbol, or its id where
 * another known market has the same symbol or coin.
 */
export function marketName(id: string, symbol?: string): string {
  known ??= { symbols: new Map(knownMarkets()), owners: ownersAmong(knownMarkets()) };
  const name = symbol ?? known.symbols.get(id);
  const owner = typeof name === 'string' ? (known.owners.get(name.toLowerCase()) ?? id) : undefined;
  return name === undefined || (owner !== undefined && owner !== id) ? shellSafe(word(id)) : word(name);
}

/** The market that each symbol or coin means; empty text if it means several. */
function ownersAmong(markets: readonly Known[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const [id, symbol] of markets) {
    for (const name of [symbol, id.slice(id.indexOf('|') + 1)]) {
      const key = name.toLowerCase();
      owners.set(key, (owners.get(key) ?? id) === id ? id : '');
    }
  }
  return owners;
}

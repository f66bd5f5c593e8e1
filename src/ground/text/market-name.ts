import { marketProviders } from '../../terms/venues.ts';
import { shellSafe, word } from './format.ts';

/**
 * Turns a lower layer's message into a sentence: capitalized and ended. A leading id or field name is left unchanged.
 */
export function sentence(message: string): string {
  return /^\S*[_|:\d]/.test(message) ? ended(message) : ended(message.charAt(0).toUpperCase() + message.slice(1));
}

/** Adds a period unless the text already ends in punctuation. */
export function ended(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** Writes the markets in a sentence from the service, such as `binance|BTCUSDT`, by their names. */
export function withMarketNames(text: string): string {
  return text.replace(/\b([a-z]+)\|\w+(?:[:.-]\w+)*/g, (id, provider: string) =>
    providersOfMarkets.has(provider) ? marketName(id) : id,
  );
}

const providersOfMarkets: ReadonlySet<string> = new Set(marketProviders);

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

import { notFoundFailure, usageFailure } from '../../base/failure/failure.ts';
import { nameMarketsAmong, shellSafe } from '../../base/text/format.ts';
import { quoted } from '../../base/text/plain-text.ts';
import type { Market } from '../../wire/contract/markets.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import type { Session } from '../session/session.ts';
import { remember } from './remembered.ts';

/** All markets, read once per run. */
export function allMarkets(session: Session): Promise<Market[]> {
  return session.memory.once('markets', async () => {
    const { data } = await session.call('listMarkets', {});
    const known = data.map(({ market_id, symbol }) => [market_id, symbol] as const);
    nameMarketsAmong(() => known);
    remember(session, 'market', known);
    return data;
  });
}

/** Finds a market by id (with a colon or a pipe), symbol or coin. */
export async function resolveMarket(session: Session, text: string): Promise<Market> {
  const markets = await allMarkets(session);
  const found = matchMarket(text, markets);
  if (found !== undefined) return found;
  const near = nameOnOtherVenue(text, markets) ?? nearestMarket(text, markets);
  throw notFoundFailure(
    `There is no market ${quoted(text)}.`,
    near === undefined ? 'perp markets lists them.' : `Did you mean ${shellSafe(near)}? perp markets lists them all.`,
  );
}

/** The name of a market that resembles a text most; undefined if none does. */
export function nearestMarket(text: string, markets: readonly Market[]): string | undefined {
  return nearest(text, new Set(markets.flatMap(({ symbol, coin, market_id }) => [symbol, coin, market_id])));
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ['xbt', 'btc'],
  ['bitcoin', 'btc'],
  ['ether', 'eth'],
  ['ethereum', 'eth'],
  ['solana', 'sol'],
  ['dogecoin', 'doge'],
  ['ripple', 'xrp'],
]);

/**
 * The market known by this name on other venues: `PEPE`, `kPEPE`, `PEPE1000` are 1000PEPE; `BTC-PERP`, `BTC/USD` are
 * BTC.
 */
function nameOnOtherVenue(text: string, markets: readonly Market[]): string | undefined {
  const word = text.toLowerCase().replace(/[-/_.]?(?:perp|usd[tc]?)$/, '');
  const base = otherNames.get(word) ?? word;
  const coin = base.replace(/^(?:k|1000+)|1000+$/, '');
  const wanted = new Set([base, `1000${base}`, coin, `1000${coin}`]);
  return markets.find(({ symbol }) => wanted.has(symbol.toLowerCase()))?.symbol;
}

/**
 * The one market that `text` names; undefined if there is none, a usage failure if there are several. A symbol or coin
 * prefers a tradable market over one that can only be reduced; an id is exact.
 */
export function matchMarket(text: string, markets: readonly Market[]): Market | undefined {
  const wanted = text.toLowerCase();
  const id = wanted.replace(/[:|]/, '|');
  for (const market of markets) {
    const own = market.market_id.toLowerCase();
    if (own === id || own === wanted) return market;
  }
  const tradable = markets.filter(({ reduce_only }) => reduce_only !== true);
  return namedMarket(text, tradable) ?? namedMarket(text, markets);
}

function namedMarket(text: string, markets: readonly Market[]): Market | undefined {
  const wanted = text.toLowerCase();
  const byCoin = markets.filter(({ coin }) => coin.toLowerCase() === wanted);
  const found = byCoin.length > 0 ? byCoin : markets.filter(({ symbol }) => symbol.toLowerCase() === wanted);
  if (found.length <= 1) return found[0];
  const ids = found.map((market) => shellSafe(market.market_id));
  throw usageFailure(`${quoted(text)} is ambiguous: ${ids.join(', ')}.`, `Use the id, such as ${ids[0]}.`);
}

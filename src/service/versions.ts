import type { MarketDefinition } from '../engine/model.ts';
import { rulesVersion } from '../engine/version.ts';
import { recordedVersions, syntheticVersions } from '../markets/versions.ts';
import { StoreError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';

/** What decides what a journal's commands did: the rules of the exchange, its markets, their prices. */
export interface Versions {
  rules: number;
  catalog: number;
  prices: number;
}

/** Those of this perp, by the kind of a state's source. */
export const currentVersions: Readonly<Record<'synthetic' | 'recorded', Versions>> = {
  synthetic: { rules: rulesVersion, ...syntheticVersions },
  recorded: { rules: rulesVersion, ...recordedVersions },
};

/** Whether commands do the same under both. */
export function areSame(one: Versions, other: Versions): boolean {
  return one.rules === other.rules && one.catalog === other.catalog && one.prices === other.prices;
}

/**
 * Lets a state that was written under older versions go on under those of today: a backup is made, and the state
 * remembers from which command on they hold. Markets it holds records of keep the definitions that those were written
 * with. `catalog` is today's, null where the books bring their own markets. Throws StoreError `newer`.
 */
export function bringForward(store: Store, current: Versions, catalog: readonly MarketDefinition[] | null): void {
  const last = store.versions();
  if (last !== null && areSame(last, current)) return;
  if (last !== null) {
    refuseNewer(store.file, last, current);
    if (!store.wasMigrated) store.backUp(`rules-${last.rules}-catalog-${last.catalog}-prices-${last.prices}`);
  }
  store.transaction(() => {
    const known = store.versions();
    // Another process may have been quicker.
    if (known === null || !areSame(known, current)) writeVersions(store, current, catalog);
  });
}

/** Puts down what the state is written under from now on, inside a transaction. */
export function writeVersions(store: Store, current: Versions, catalog: readonly MarketDefinition[] | null): void {
  store.setVersions(current);
  if (catalog === null) return;
  const kept = (parsed(store, 'markets') ?? []).filter((market) => isKept(store, market, catalog));
  store.setSetting('kept_markets', JSON.stringify(kept));
  store.setSetting('markets', JSON.stringify(withKept(catalog, kept)));
}

/** Markets of older catalogs that the state still has records of. */
export function keptMarkets(store: Store): MarketDefinition[] {
  return parsed(store, 'kept_markets') ?? [];
}

/** A catalog with markets of older ones: each in the place of its successor, or at the end. */
export function withKept(
  catalog: readonly MarketDefinition[],
  kept: readonly MarketDefinition[],
): readonly MarketDefinition[] {
  if (kept.length === 0) return catalog;
  const markets = new Map([...catalog, ...kept].map((market) => [market.marketId, market]));
  return [...markets.values()];
}

function isKept(store: Store, market: MarketDefinition, catalog: readonly MarketDefinition[]): boolean {
  const successor = catalog.find(({ marketId }) => marketId === market.marketId);
  const hasSameUnits =
    successor?.sizeDecimals === market.sizeDecimals && successor.priceDecimals === market.priceDecimals;
  return !hasSameUnits && store.tradesIn(market.marketId);
}

function parsed(store: Store, setting: string): MarketDefinition[] | null {
  const text = store.setting(setting);
  return text === null ? null : (JSON.parse(text) as MarketDefinition[]);
}

function refuseNewer(file: string, written: Versions, current: Versions): void {
  for (const name of ['rules', 'catalog', 'prices'] as const) {
    if (written[name] <= current[name]) continue;
    const versions = `${name} ${written[name]}; this one has ${current[name]}`;
    throw new StoreError(
      'newer',
      file,
      `${file} was written by a newer perp (${versions}). Update perp, or use another state.`,
    );
  }
}

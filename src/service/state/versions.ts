import { moneyDecimals } from '../../base/terms/decimal.ts';
import type { OpenState } from '../../exchange/engine/commands.ts';
import { firesAbove } from '../../exchange/engine/indexes/triggers.ts';
import type { Lots, MarketDefinition, Money, Ms, Price } from '../../exchange/engine/model.ts';
import { isArmed } from '../../exchange/engine/orders/working-orders.ts';
import { firstCatalog } from '../../exchange/markets/catalog.ts';
import type { LastTouch } from '../../exchange/markets/synthetic/profile.ts';
import { profileOf } from '../../exchange/markets/synthetic/profile.ts';
import { areSame, currentVersions, type Versions } from '../../exchange/markets/versions.ts';
import { newer } from '../../exchange/store/schema.ts';
import type { Store } from '../../exchange/store/store.ts';
import { onlyTime } from './changes.ts';
import type { ClockState } from './sliced-advance.ts';

/**
 * Lets a state written under older versions continue under the current ones: a backup is made, and the state remembers
 * the first command under them. Markets with records keep the definitions under which those were written, and synthetic
 * markets continue from the last prices that the state knows. `catalog` is the current one, null if the books have
 * their own markets. Throws StoreError `newer`.
 */
export function bringForward(
  store: Store,
  kind: keyof typeof currentVersions,
  catalog: readonly MarketDefinition[] | null,
): void {
  const current = currentVersions[kind];
  const last = store.versions();
  if (last !== null && areSame(last, current)) return;
  if (last !== null) {
    refuseNewer(store.file, last, current);
    if (!store.wasMigrated) store.backUp(`rules-${last.rules}-catalog-${last.catalog}-prices-${last.prices}`);
  }
  store.transaction(() => {
    const known = store.versions();
    // Another process may have been faster.
    if (known !== null && areSame(known, current)) return;
    if (kind === 'synthetic' && known !== null && known.prices < current.prices) keepLastTouches(store);
    writeVersions(store, current, catalog, catalog === null ? [] : keptOf(store, catalog));
  });
}

/** Where the markets of a state continue from the prices that older versions showed. */
export function lastTouches(store: Store): LastTouch[] {
  const text = store.setting('last_touches');
  return text === null ? [] : (JSON.parse(text) as LastTouch[]);
}

/** Records where each market of the state continues, at the state's current time. */
function keepLastTouches(store: Store): void {
  const open = store.loadOpenState();
  if (open === null) return;
  const clock = store.setting('clock');
  const shown = clock === null ? null : (JSON.parse(clock) as ClockState);
  // A manual clock may have been advanced since the last event: the current prices apply from there on.
  const time = shown?.kind === 'manual' ? Math.max(open.time, shown.now) : open.time;
  if (time > open.time) store.write(onlyTime(open, time));
  const starts = new Map(lastTouches(store).map((start) => [start.marketId, start]));
  const fills = store.lastFills();
  const touches = marketsOf(store).flatMap((market): LastTouch[] => {
    const touch = lastKnownTouch(market, {
      open,
      time,
      fill: fills.get(market.marketId) ?? null,
      start: starts.get(market.marketId) ?? null,
    });
    return touch === null ? [] : [touch];
  });
  store.setSetting('last_touches', JSON.stringify(touches));
}

/** Records the versions and markets that the state is written under from now on, inside a transaction. */
export function writeVersions(
  store: Store,
  current: Versions,
  catalog: readonly MarketDefinition[] | null,
  kept: readonly MarketDefinition[],
): void {
  store.setVersions(current);
  if (catalog === null) return;
  store.setSetting('kept_markets', JSON.stringify(kept));
  store.setSetting('markets', JSON.stringify(withKept(catalog, kept)));
}

/** Markets that the state was written with; it keeps their definitions because it has records of them. */
function keptOf(store: Store, catalog: readonly MarketDefinition[]): MarketDefinition[] {
  return marketsOf(store).flatMap((market): MarketDefinition[] => {
    if (!isKept(store, market, catalog)) return [];
    const isListed = catalog.some(({ marketId }) => marketId === market.marketId);
    return [isListed ? market : { ...market, isRetired: true }];
  });
}

/** Markets of older catalogs that the state still has records for. */
export function keptMarkets(store: Store): MarketDefinition[] {
  return parsed(store, 'kept_markets') ?? [];
}

/** A catalog with markets of older ones: each in place of its successor, or at the end. */
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

/** The markets that the state was written with. */
function marketsOf(store: Store): readonly MarketDefinition[] {
  return parsed(store, 'markets') ?? firstCatalog;
}

function parsed(store: Store, setting: string): MarketDefinition[] | null {
  const text = store.setting(setting);
  return text === null ? null : (JSON.parse(text) as MarketDefinition[]);
}

function refuseNewer(file: string, written: Versions, current: Versions): void {
  for (const name of ['rules', 'catalog', 'prices'] as const) {
    if (written[name] <= current[name]) continue;
    throw newer(file, `${name} ${written[name]}; this one has ${current[name]}`);
  }
}

/** The last fill in a market: its value, size and time. */
interface LastFill {
  notional: Money;
  size: Lots;
  time: Ms;
}

/**
 * The best prices from which a market of a state continues when its older prices can no longer be computed, at `time`:
 * around the last price that the state knows, moved just so far that no open order fills or triggers. `start` is where
 * the market itself continued from. Null for a market of which the state knows no price.
 */
export function lastKnownTouch(
  market: MarketDefinition,
  known: { open: OpenState; time: Ms; fill: LastFill | null; start: LastTouch | null },
): LastTouch | null {
  const { open, time } = known;
  const fence = fenceOf(open, market);
  const price = lastPrice(market, known) ?? (fence.low > 0 ? fence.low : fence.high);
  if (!Number.isFinite(price)) return null;
  const step = market.tick ?? profileOf(market, price / 10 ** market.priceDecimals).gridTick;
  const least = Math.ceil(fence.low / step) * step;
  const most = Math.floor(fence.high / step) * step - step;
  const bid: Price = Math.max(step, least, Math.min(most, Math.floor(price / step) * step));
  return { marketId: market.marketId, time, bid, ask: bid + step };
}

/** The price of the last fill, or of a later change of versions, or at which the newest open order was accepted. */
function lastPrice(
  { marketId, priceDecimals, sizeDecimals }: MarketDefinition,
  { open, fill, start }: { open: OpenState; fill: LastFill | null; start: LastTouch | null },
): number | null {
  if (fill !== null && !(start !== null && start.time > fill.time))
    return Number(fill.notional) / fill.size / 10 ** (moneyDecimals - priceDecimals - sizeDecimals);
  if (start !== null) return (start.bid + start.ask) / 2;
  const newest = open.orders.filter((order) => order.marketId === marketId).sort((a, b) => b.sequence - a.sequence)[0];
  return newest === undefined ? null : newest.expectedPrice * 10 ** priceDecimals;
}

/** Prices, in price units, between which a market stays without filling or triggering what is open. */
function fenceOf({ orders, twaps }: OpenState, { marketId, priceDecimals }: MarketDefinition) {
  const fence = { low: 0, high: Number.POSITIVE_INFINITY };
  const keep = (isAbove: boolean, price: number) => {
    if (isAbove) fence.high = Math.min(fence.high, price);
    else fence.low = Math.max(fence.low, price);
  };
  for (const order of orders) {
    if (isArmed(order)) {
      if ((order.triggerMarketId ?? order.marketId) !== marketId) continue;
      keep(firesAbove(order), order.triggerPrice! * 10 ** priceDecimals);
    } else if (order.marketId === marketId && order.status === 'resting' && order.limitPrice !== null)
      keep(order.side === 'sell', order.limitPrice);
  }
  for (const twap of twaps) {
    if (twap.marketId !== marketId || twap.triggerFrom === null || twap.activatedAt !== null) continue;
    keep(twap.triggerFrom === 'below', twap.triggerPrice! * 10 ** priceDecimals);
  }
  return fence;
}

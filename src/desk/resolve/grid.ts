import { Failure } from '../../base/failure/failure.ts';
import { quantity } from '../../base/text/format.ts';
import type { StreamState } from '../../wire/client/streams/stream-state.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CandleEvent } from '../../wire/contract/streams.ts';
import type { Session } from '../session/session.ts';

/** Known facts about the prices that a market's orders may have. */
export interface PriceGrid {
  readonly market: Pick<Market, 'provider' | 'symbol' | 'size_decimals'>;
  /** The tick, or for provider hyperliquid the finest tick; undefined if unknown. */
  readonly tick: number | undefined;
  /** The source of this: the market's own record, perp's catalog, or only the form of the market's candles. */
  readonly from: 'market' | 'catalog' | 'candles' | undefined;
}

/** The price grid of a market, read once per run. */
export function gridOf(session: Session, market: Market): Promise<PriceGrid> {
  return session.memory.once(`grid of ${market.market_id}`, async () => {
    const known = await knownGrid(session, market);
    if (known !== undefined) return known;
    const tick = await candleStep(session, market);
    return { market, tick, from: tick === undefined ? undefined : 'candles' };
  });
}

/** The grid as far as the market's record or the catalog knows it; undefined if neither does. */
async function knownGrid(session: Session, market: Market): Promise<PriceGrid | undefined> {
  const { tick_size, provider, size_decimals, market_id } = market;
  if (tick_size !== undefined && tick_size !== null) return { market, tick: tick_size, from: 'market' };
  if (provider === 'hyperliquid') return { market, tick: 10 ** -Math.max(0, 6 - size_decimals), from: 'catalog' };
  const read = async () => (await session.access()).knownTick(market_id);
  const tick = await session.memory.once(`tick of ${market_id}`, read);
  return tick === undefined ? undefined : { market, tick, from: 'catalog' };
}

/** The nearest price on the grid: at or above for a sell, at or below for a buy. */
export function onGrid(grid: PriceGrid, price: number, side: 'buy' | 'sell'): number {
  const tick = tickAt(grid, price);
  const ticks = price / tick;
  // A price that is on the grid except for binary noise is unchanged.
  const nearest = Math.round(ticks);
  const isThere = Math.abs(ticks - nearest) <= noise * Math.max(1, nearest);
  const whole = isThere ? nearest : side === 'sell' ? Math.ceil(ticks) : Math.floor(ticks);
  return Number((whole * tick).toPrecision(15));
}

/** How a price was rounded: `in ticks of 0.1, from perp's catalog`. */
export function gridInWords({ tick, from }: PriceGrid): string {
  if (from === undefined || tick === undefined) return "the market's tick is unknown, so it may be off the grid";
  if (from === 'candles') return `to ${quantity(tick)}, as in the market's candles; its tick is unknown`;
  return `in ticks of ${quantity(tick)}, from ${from === 'market' ? "the market's record" : "perp's catalog"}`;
}

/** Refuses a limit price that is off the grid, if the market's record or the catalog knows the tick (exit 5). */
export async function checkOnGrid(session: Session, market: Market, label: string, price: number): Promise<void> {
  const grid = await knownGrid(session, market);
  if (grid === undefined) return;
  const [below, above] = [onGrid(grid, price, 'buy'), onGrid(grid, price, 'sell')];
  if (below === price || above === price) return;
  const near = below > 0 ? `${quantity(below)} and ${quantity(above)} are` : `${quantity(above)} is`;
  throw new Failure({
    code: 'rule_violation',
    ruleId: 'price-precision',
    message: `${label} ${price} is not on the price grid of ${grid.market.symbol}: prices are ${gridInWords(grid)}. Nothing was sent.`,
    hint: `The nearest prices: ${near} on the grid.`,
  });
}

const noise = 1e-11;
/** Hyperliquid takes whole numbers, and otherwise at most five significant figures. */
const figures = 5;

/** The tick from a price to the next, as far as the grid is known; without it, far finer than any tick. */
export function tickAt({ market, tick }: PriceGrid, price: number): number {
  if (tick === undefined) return 10 ** (Math.floor(Math.log10(price)) - 8);
  if (market.provider !== 'hyperliquid') return tick;
  const byFigures = 10 ** (Math.floor(Math.log10(price)) + 1 - figures);
  return Math.max(tick, Math.min(1, Number(byFigures.toPrecision(1))));
}

/** A stream that does not answer must not hold up an order for longer; one that refuses ends the wait. */
const maxWaitMs = 8_000;
const candles = 20;

/** The tick of the prices in a market's latest candles, which keep their zeros; undefined if there are none. */
async function candleStep(session: Session, { provider, coin }: Market): Promise<number | undefined> {
  const { market: transport } = await (await session.access()).streams();
  if (transport === undefined) return undefined;
  const { MarketFollower } = await import('../../wire/client/streams/market-follower.ts');
  const refused = new AbortController();
  const onState = (state: StreamState) => {
    if (state.kind === 'reconnecting') refused.abort();
  };
  const follower = new MarketFollower({ transport, onState });
  const timeout = AbortSignal.timeout(Math.min(maxWaitMs, session.settings.timeoutMs));
  const late = AbortSignal.any([session.signal, timeout, refused.signal]);
  const stopped = new Promise<undefined>((resolve) => {
    late.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const payload = { provider, symbol: coin, interval: '1m', limit: candles };
    const page = await Promise.race([follower.request('candles.history', payload), stopped]);
    if (!Array.isArray(page)) return undefined;
    const texts = (page as CandleEvent[]).flatMap(({ open, high, low, close }) => [open, high, low, close]);
    const decimals = texts.flatMap((text) => (/^\d+(?:\.(\d+))?$/.exec(String(text))?.slice(1) ?? []).map(lengthOf));
    return decimals.length === 0 ? undefined : Number(`1e-${Math.max(...decimals)}`);
  } catch {
    return undefined;
  } finally {
    follower.close();
  }
}

function lengthOf(decimals: string | undefined): number {
  return decimals?.length ?? 0;
}

import type { Variables } from '../../base/files/folders.ts';
import { marketName } from '../../base/text/format.ts';
import { onGrid } from '../../desk/resolve/grid.ts';
import { wholeLots } from '../../desk/resolve/size.ts';
import type { SessionSettings } from '../../desk/session/session.ts';
import { moved, type Price } from '../../desk/values/prices.ts';
import type { OrderSize } from '../../desk/values/sizes.ts';
import { splitWords } from '../../desk/values/split.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { LineReader } from '../console/grammar/command-line.ts';

/** The options of `order place` that a ticket reads. */
interface PlaceInput {
  readonly market: string;
  readonly side: 'buy' | 'sell';
  readonly size: OrderSize;
  readonly type?: CreateOrderRequest['type'];
  readonly limitPrice?: Price;
  readonly triggerPrice?: Price;
  readonly stopLoss?: Price;
  readonly takeProfit?: Price;
  readonly leverage?: number;
  readonly margin?: 'cross' | 'isolated';
  readonly reduceOnly?: boolean;
  readonly replaceExits?: boolean;
}

/**
 * The order that a typed `order place` would send at the prices on the screen; undefined for other lines, incomplete
 * ones, and sizes that only the service can compute.
 */
export function typedOrder(
  line: string,
  reader: LineReader,
  model: LiveModel,
  settings: SessionSettings,
): CreateOrderRequest | undefined {
  const input = placeInput(line, reader);
  const { chosen, account: state, book, grid } = model;
  if (input === undefined || state === undefined || book === undefined || grid === undefined) return undefined;
  if (!isNamed(chosen, input.market)) return undefined;
  const [bid, ask] = [Number(book.bids[0]?.px), Number(book.asks[0]?.px)];
  const held = model.position;
  const bases = { bid, ask, mark: (bid + ask) / 2, entry: held?.entry_price };
  const { side } = input;
  const limit = priced(input.limitPrice, bases, undefined);
  const trigger = priced(input.triggerPrice, bases, undefined);
  const from = limit ?? trigger ?? (side === 'buy' ? ask : bid);
  const size = sizeOf(input.size, from, chosen.size_decimals, held?.size);
  if (size === undefined || !(from > 0)) return undefined;
  const entry = { ...bases, entry: from };
  const exit = side === 'buy' ? ('sell' as const) : ('buy' as const);
  const leg = (price: Price | undefined, isStop: boolean, stop?: number) => {
    const exact = priced(price, entry, (side === 'buy') === isStop ? -1 : 1, stop);
    return exact === undefined || !(exact > 0) || typeof price === 'number' ? exact : onGrid(grid, exact, exit);
  };
  const stop = leg(input.stopLoss, true);
  const target = leg(input.takeProfit, false, stop === undefined ? undefined : Math.abs(from - stop));
  return {
    type: input.type ?? (limit === undefined ? 'market' : 'limit'),
    account_id: state.account.id,
    market_id: chosen.market_id,
    side,
    size,
    leverage: input.leverage ?? held?.leverage ?? settings.leverage ?? 1,
    margin_mode: input.margin ?? held?.margin_mode ?? settings.marginMode ?? 'cross',
    ...(limit !== undefined && { limit_price: limit }),
    ...(trigger !== undefined && { trigger_price: trigger }),
    ...(stop !== undefined && { stop_loss_price: stop }),
    ...(target !== undefined && { take_profit_price: target }),
    ...(input.reduceOnly === true && { reduce_only: true }),
    ...(input.replaceExits === true && { replace_overlapping_exits: true }),
  };
}

function placeInput(line: string, reader: LineReader): PlaceInput | undefined {
  try {
    const words = splitWords(line);
    if (words[0] === 'perp') words.shift();
    const { path, input } = reader.read(words);
    return path === 'order place' ? (input as unknown as PlaceInput) : undefined;
  } catch {
    return undefined;
  }
}

function isNamed({ market_id, symbol, coin }: Market, text: string): boolean {
  return [market_id, market_id.replace('|', ':'), symbol, coin].some(
    (name) => name.toLowerCase() === text.toLowerCase(),
  );
}

/** A price at these prices; `way`: the direction of a distance without a sign; `risk`: 1R, USD. */
function priced(
  price: Price | undefined,
  bases: Readonly<Record<'bid' | 'ask' | 'mark' | 'entry', number | undefined>>,
  way: 1 | -1 | undefined,
  risk?: number,
): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  const base = bases[price.base ?? (price.move?.isUnsigned === true ? 'entry' : way === undefined ? 'mark' : 'entry')];
  if (base === undefined || !Number.isFinite(base)) return undefined;
  const value = moved(base, price.move, way ?? 1, risk);
  return Number.isNaN(value) ? undefined : value;
}

function sizeOf(size: OrderSize, price: number, decimals: number, held: number | undefined): number | undefined {
  if (size.unit === 'risk' || size.unit === 'max') return undefined;
  if (size.unit === 'base') return size.amount;
  if (!(price > 0) || (size.unit === 'percent' && held === undefined)) return undefined;
  const lots =
    size.unit === 'usd' ? wholeLots([size.amount], price, decimals) : wholeLots([held!, size.amount], 100, decimals);
  return lots > 0 ? lots : undefined;
}

/** A typed line after TAB: completed as far as all possible continuations agree, with the possible words. */
export function completed(
  reader: LineReader,
  variables: Variables,
  { text, cursor }: { readonly text: string; readonly cursor: number },
  { held }: { readonly held: readonly Position[] } = { held: [] },
): { text: string; cursor: number; offers: readonly string[] } {
  const before = text.slice(0, cursor);
  const words = before.trimStart().split(/\s+/);
  if (words[0] === 'perp' && words.length > 1) words.shift();
  const current = words.at(-1) ?? '';
  const ofPositions = /^(?:stop|target|reverse|plan|positions (?:close|show|exits|margin)) [^ ]*$/.test(
    words.join(' '),
  );
  const own = held.map(({ market_id, symbol }) => marketName(market_id, symbol));
  const fitting = own.filter((name) => name.toLowerCase().startsWith(current.toLowerCase()));
  const known = () =>
    reader
      .complete(words, variables)
      .split('\n')
      .slice(0, -2)
      .map((line) => line.split('\t')[0]!);
  const offers = ofPositions && fitting.length > 0 ? fitting : known();
  if (offers.length === 0) return { text, cursor, offers };
  const shared = offers.reduce((one, other) => {
    let at = 0;
    while (at < one.length && one[at]?.toLowerCase() === other[at]?.toLowerCase()) at++;
    return one.slice(0, at);
  });
  const word = offers.length === 1 ? `${offers[0]} ` : shared.length > current.length ? shared : current;
  const next = before.slice(0, before.length - current.length) + word;
  return { text: next + text.slice(cursor), cursor: next.length, offers: offers.length === 1 ? [] : offers };
}

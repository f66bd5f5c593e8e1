import type { Account, AccountTradingPolicy } from '../../contract/accounts.ts';
import type { Market, Quote } from '../../contract/markets.ts';
import type { CreateOrderRequest } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { type Block, type Cell, fields, line } from '../output/result.ts';
import { openPositions } from '../resolve/position.ts';
import { fetchQuote } from '../resolve/quote.ts';
import { quantity, roughPrice, usd } from '../text/format.ts';
import { bpsFrom } from '../views/market-view.ts';
import { sideCell } from '../views/tones.ts';
import { destination } from './destination.ts';
import { limitFill } from './limit-fill.ts';
import { afterTrade, type Exposure, isolatedPool, liquidationPrice } from './liquidation.ts';

/** Everything known before an order is sent: the market and what the account can bear. */
export interface Prospect {
  order: CreateOrderRequest;
  market: Market;
  quote: Quote;
  account: Account;
  policy: AccountTradingPolicy;
  positions: readonly Position[];
  /** Mids of the markets of isolated positions. */
  mids: ReadonlyMap<string, number>;
}

/** Previews an order. An order whose worst case breaches a floor is rejected, unless `force` is set. */
export async function orderPreview(
  context: Context,
  order: CreateOrderRequest,
  market: Market,
  force: boolean,
): Promise<Block[]> {
  const positions = await openPositions(context);
  const held = positions.find(({ market_id }) => market_id === market.market_id);
  const prospect = await look(context, clipped(order, held), market, positions);
  const estimate = estimateOrder(prospect);
  const breach = breachOf(prospect, estimate);
  if (breach !== undefined && !force) {
    throw new Failure({
      exit: exitCodes.rejected,
      code: 'worst_case_breach',
      message: breach,
      hint: 'Use a smaller size or a closer --stop-loss, or add --force to place it anyway.',
    });
  }
  return previewBlocks(prospect, estimate, { breach, goesTo: destination(context.settings, order.account_id) });
}

/** A reducing order, capped at the size of the position. */
function clipped(order: CreateOrderRequest, held: Position | undefined): CreateOrderRequest {
  if (!reduces(order) || held === undefined || !isAgainst(order, held)) return order;
  return { ...order, size: Math.min(order.size, held.size) };
}

function reduces(order: CreateOrderRequest): boolean {
  return order.reduce_only === true || order.type === 'take_profit';
}

function isAgainst({ side }: CreateOrderRequest, held: Position): boolean {
  return (side === 'sell') === (held.side === 'long');
}

async function look(
  context: Context,
  order: CreateOrderRequest,
  market: Market,
  positions: readonly Position[],
): Promise<Prospect> {
  const { account_id, side, size } = order;
  const path = { account_id };
  const [quote, account, policy, mids] = await Promise.all([
    fetchQuote(context, market.market_id, { side, size, account: account_id }),
    context.call('getAccount', { path }).then((answer) => answer.data),
    context.call('getAccountTradingPolicy', { path }).then((answer) => answer.data),
    isolatedMids(context, positions),
  ]);
  return { order, market, quote, account, policy, positions, mids };
}

async function isolatedMids(context: Context, positions: readonly Position[]): Promise<Map<string, number>> {
  const isolated = positions.filter((position) => position.margin_mode === 'isolated');
  const ids = [...new Set(isolated.map((position) => position.market_id))];
  const mids = await Promise.all(ids.map(async (id) => [id, (await fetchQuote(context, id)).mid] as const));
  return new Map(mids.filter((entry): entry is readonly [string, number] => entry[1] !== null));
}

export interface Estimate {
  /** Price it would trade at; undefined if unknown. */
  price: number | undefined;
  notional: number | undefined;
  fee: number | undefined;
  /** The resulting position; null: flat; undefined: unknown. */
  after: Exposure | null | undefined;
  liquidation: number | undefined;
  /** Where the loss would end: at the stop, else at the liquidation; undefined if neither is in reach. */
  worst: { at: 'stop' | 'liquidation'; price: number; loss: number } | undefined;
}

/** Computes what an order would do: exact for the fill, an estimate for the liquidation price. */
export function estimateOrder(prospect: Prospect): Estimate {
  const { order, quote } = prospect;
  const price = priceOf(order, quote);
  if (price === undefined)
    return { price, notional: undefined, fee: undefined, after: undefined, liquidation: undefined, worst: undefined };
  const atMarket = price === quote.estimated_fill_price;
  const notional = atMarket ? (quote.estimated_notional ?? price * order.size) : price * order.size;
  const feeBps = prospect.policy.fee_exempt ? 0 : quote.fee_bps;
  const fee = atMarket ? quote.estimated_fee : feeBps === undefined ? undefined : (notional * feeBps) / 1e4;
  const held = prospect.positions.find((position) => position.market_id === order.market_id);
  const before = exposureOf(held);
  const signed = order.side === 'buy' ? order.size : -order.size;
  const trade = { size: signed, price, leverage: order.leverage, marginMode: order.margin_mode };
  const isIdle = reduces(order) && (held === undefined || !isAgainst(order, held));
  const after = isIdle ? before : afterTrade(before, trade);
  const liquidation = after === null ? undefined : liquidationOf(prospect, after, fee ?? 0);
  return { price, notional, fee, after, liquidation, worst: worstOf(order, after, liquidation, price, fee ?? 0) };
}

function priceOf(order: CreateOrderRequest, quote: Quote): number | undefined {
  const waits = order.trigger_price !== undefined;
  if (order.limit_price !== undefined)
    return waits ? order.limit_price : limitFill(order.side, order.limit_price, quote);
  if (waits && order.type !== 'conditional') return order.trigger_price;
  if (order.type === 'chase') return (order.side === 'buy' ? quote.bid : quote.ask) ?? undefined;
  return quote.estimated_fill_price ?? quote.mid ?? undefined;
}

function exposureOf(position: Position | undefined): Exposure | null {
  if (position === undefined) return null;
  const {
    size,
    side,
    entry_price: entry,
    leverage,
    margin_mode: marginMode,
    isolated_margin_extra: extraMargin,
  } = position;
  return { size: side === 'long' ? size : -size, entry, leverage, marginMode, extraMargin };
}

function liquidationOf(
  { account, policy, positions, mids, order, quote }: Prospect,
  after: Exposure,
  fee: number,
): number | undefined {
  const ratio = policy.limits.maintenance_margin_ratio_bps / 1e4;
  const mark = quote.mid;
  const { risk } = account;
  if (mark === null) return undefined;
  if (after.marginMode === 'isolated') return liquidationPrice(after, mark, ratio, isolatedPool(after, mark, ratio));
  if (risk?.equity === null || risk?.equity === undefined || risk.gross_exposure === null) return undefined;
  let equity = risk.equity - fee;
  let exposure = risk.gross_exposure;
  for (const position of positions) {
    const held = exposureOf(position)!;
    const mid = position.market_id === order.market_id ? mark : mids.get(position.market_id);
    if (position.market_id === order.market_id) exposure -= Math.abs(held.size) * mark;
    if (held.marginMode === 'cross') continue;
    if (mid === undefined) return undefined;
    equity -= isolatedPool(held, mid, ratio).equity;
    if (position.market_id !== order.market_id) exposure -= Math.abs(held.size) * mid;
  }
  const maintenance = (exposure + Math.abs(after.size) * mark) * ratio;
  return liquidationPrice(after, mark, ratio, { equity, maintenance });
}

function worstOf(
  order: CreateOrderRequest,
  after: Exposure | null,
  liquidation: number | undefined,
  price: number,
  fee: number,
): Estimate['worst'] {
  if (after === null || reduces(order)) return undefined;
  const at = order.stop_loss_price !== undefined ? 'stop' : 'liquidation';
  const end = order.stop_loss_price ?? liquidation;
  if (end === undefined) return undefined;
  return { at, price: end, loss: Math.max(0, (price - end) * after.size) + fee * (at === 'stop' ? 2 : 1) };
}

function breachOf({ account }: Prospect, { worst }: Estimate): string | undefined {
  const { risk } = account;
  if (worst === undefined || risk === undefined) return undefined;
  const where =
    worst.at === 'stop' ? `at its stop ${quantity(worst.price)}` : `at its liquidation near ${roughPrice(worst.price)}`;
  for (const [name, room] of [
    ['daily-loss', risk.daily_loss_room],
    ['drawdown', risk.max_drawdown_room],
  ] as const) {
    if (room === null || worst.loss < room) continue;
    return `In the worst case, the order loses ${usd(worst.loss)} USD ${where}, which would breach the ${name} floor: only ${usd(room)} USD is left.`;
  }
  return undefined;
}

function previewBlocks(
  { order, market, quote, account }: Prospect,
  estimate: Estimate,
  { breach, goesTo }: { breach: string | undefined; goesTo: string | undefined },
): Block[] {
  const { price, notional, fee, after, liquidation, worst } = estimate;
  const fills = quote.estimated_fill_price;
  const isTaker = (order.type ?? 'market') === 'market' || (order.type === 'limit' && price === fills);
  const about: Cell | undefined =
    !isTaker || fills === undefined
      ? undefined
      : `${quantity(fills)}${quote.worst_price === undefined || quote.mid === null ? '' : `, worst level ${bpsFrom(quote.worst_price, quote.mid)} bps from mid`}`;
  return [
    line(
      { text: 'Order', tone: 'strong' },
      '  ',
      sideCell(order.side),
      ` ${quantity(order.size)} ${market.symbol} `,
      order.type ?? 'market',
      order.reduce_only === true ? ' reduce-only' : '',
    ),
    fields(
      ['on', goesTo],
      [
        'market',
        `${market.market_id}  ${quote.bid === null ? '-' : quantity(quote.bid)} / ${quote.ask === null ? '-' : quantity(quote.ask)}`,
      ],
      ['limit', order.limit_price === undefined ? undefined : quantity(order.limit_price)],
      ['trigger', order.trigger_price === undefined ? undefined : quantity(order.trigger_price)],
      ['fills at', about],
      [
        'does not fill',
        isTaker && quote.fillable === false
          ? { text: (quote.unfillable_reason ?? '').replaceAll('_', ' '), tone: 'bad' }
          : undefined,
      ],
      ['notional', notional === undefined ? undefined : `${usd(notional)} USD`],
      ['fee', fee === undefined ? undefined : `${usd(fee)} USD`],
      ['leverage', reduces(order) ? undefined : `${quantity(order.leverage)}x ${order.margin_mode}`],
      ['new position', after === undefined || price === undefined ? undefined : positionText(after, market.symbol)],
      [
        'liquidation',
        after === undefined || after === null
          ? undefined
          : liquidation === undefined
            ? 'out of reach'
            : `about ${roughPrice(liquidation)}`,
      ],
      [
        'worst case',
        worst === undefined
          ? undefined
          : { text: `${usd(worst.loss)} USD lost at the ${worst.at}`, tone: breach === undefined ? 'strong' : 'bad' },
      ],
      ['daily-loss room', roomOf(account.risk?.daily_loss_room, fee)],
      ['drawdown room', roomOf(account.risk?.max_drawdown_room, fee)],
    ),
    ...(breach === undefined ? [] : [line({ text: breach, tone: 'bad' })]),
  ];
}

function positionText(after: Exposure | null, symbol: string): string {
  if (after === null) return 'flat';
  return `${after.size > 0 ? 'long' : 'short'} ${quantity(Math.abs(after.size))} ${symbol} at ${quantity(after.entry)}`;
}

/** Distance to a floor, now and after the order's fee. */
function roomOf(room: number | null | undefined, fee: number | undefined): Cell | undefined {
  if (room === null || room === undefined) return undefined;
  return `${usd(room)} USD${fee === undefined || fee === 0 ? '' : `, ${usd(room - fee)} after the fee`}`;
}

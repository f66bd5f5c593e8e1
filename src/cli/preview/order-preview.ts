import type { Market } from '../../contract/markets.ts';
import type { CreateOrderRequest } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { besideText, enforce, type Judging, type WorstCase, worstCaseOf } from '../../desk/preview/floor-check.ts';
import { gapText } from '../../desk/preview/gap.ts';
import {
  type Estimate,
  estimateOrder,
  feeBpsOf,
  floorOf,
  isAgainst,
  look,
  type Prospect,
} from '../../desk/preview/prospect.ts';
import { checkProtection, coverAfter, stopAfter } from '../../desk/preview/protection.ts';
import { endingOf } from '../../desk/reading/endings.ts';
import { openPositions } from '../../desk/resolve/holdings.ts';
import type { Exposure } from '../../desk/risk/exposure.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { quantity, roughPrice, usd } from '../../ground/text/format.ts';
import { marketName } from '../../ground/text/market-name.ts';
import { arrivalOf, defaultType, isReduction, takesAtOnce } from '../../terms/order-types.ts';
import type { Console } from '../console/console.ts';
import { goesTo } from '../console/where.ts';
import { type Block, blank, type Cell, fields, line } from '../output/result.ts';
import { breachText } from '../views/cover-view.ts';
import { endingCell, endingText } from '../views/ending-view.ts';
import { bpsFrom } from '../views/market-view.ts';
import { sideCell } from '../views/tones.ts';
import { exitTable, type PlannedExit } from './exit-table.ts';

/** Previews an order. An order whose worst case breaches a floor is rejected, unless it is forced. */
export async function orderPreview(
  console: Console,
  order: CreateOrderRequest,
  market: Market,
  judging: Judging,
): Promise<Block[]> {
  const on = await goesTo(console, order.account_id);
  const known = await judgedIfKnown(console, order, market, judging);
  if ('unknown' in known) return [...known.unknown, fields(['on', on])];
  const { prospect, estimate, worst } = known;
  const ending = await endingOf(console, prospect.account);
  const says = ending === undefined ? [] : [line(endingCell(ending, endingText(ending)))];
  const stops = stopCellAfter(prospect, estimate, console.settings.stops);
  return [...says, ...previewBlocks(prospect, estimate, { worst, goesTo: on, stops })];
}

/** The strategy's own part of the preview. */
export interface StrategyFacts {
  readonly title: Block;
  readonly rows: readonly (readonly [string, Cell | undefined])[];
}

/**
 * The same for a strategy, which trades like this order: its own facts, how it could end, and the room above the
 * floors. Its worst case is judged like that of an order without a stop.
 */
export async function strategyPreview(
  console: Console,
  order: CreateOrderRequest,
  market: Market,
  { title, rows, force }: StrategyFacts & { force: boolean },
): Promise<Block[]> {
  const on = ['on', await goesTo(console, order.account_id)] as const;
  const known = await judgedIfKnown(console, order, market, { force, wayOut: 'Use a smaller size' });
  if ('unknown' in known) return [title, fields(on, ...rows), ...known.unknown];
  const { prospect, estimate, worst } = known;
  const { fee } = estimate;
  return [
    title,
    fields(
      on,
      ...rows,
      ['margin', marginOf(prospect, estimate)],
      ['fee', fee === undefined ? undefined : `about ${usd(fee)} USD`],
      ['stop', stopCellAfter(prospect, estimate, 'off')],
      ...outlookFields(prospect, estimate, worst !== undefined),
    ),
    ...(worst === undefined ? [] : [line({ text: worst.text, tone: 'bad' })]),
  ];
}

/** The same, but missing data is only a warning: the user decides. */
async function judgedIfKnown(console: Console, order: CreateOrderRequest, market: Market, judging: Judging) {
  if (judging.addsNothing !== true) await checkProtection(console, order, judging.force);
  try {
    return await judged(console, order, market, judging);
  } catch (error) {
    const { exit, message } = factsOf(error);
    if (error instanceof Failure || exit === exitCodes.bug || console.signal.aborted) throw error;
    const text = `The effect of the order can't be shown, and the floors are not checked: ${message}`;
    return { unknown: [line({ text, tone: 'warn' })] };
  }
}

/** The effect of an order, and whether its worst case reaches a floor; throws a failure if that is not allowed. */
async function judged(console: Console, order: CreateOrderRequest, market: Market, judging: Judging) {
  const positions = await openPositions(console);
  const held = positions.find(({ market_id }) => market_id === market.market_id);
  const prospect = await look(console, clipped(order, held), market, positions, judging.amends);
  const estimate = estimateOrder(prospect);
  const found = console.settings.floorCheck === 'off' ? undefined : worstCaseOf(prospect, estimate);
  const worst = found === undefined ? undefined : await enforce(console, found, order, judging);
  return { prospect, estimate, worst };
}

/** A reducing order, capped at the size of the position. */
function clipped(order: CreateOrderRequest, held: Position | undefined): CreateOrderRequest {
  if (!isReduction(order) || held === undefined || !isAgainst(order, held)) return order;
  return { ...order, size: Math.min(order.size, held.size) };
}

function previewBlocks(
  prospect: Prospect,
  estimate: Estimate,
  { worst, goesTo, stops }: { worst: WorstCase | undefined; goesTo: string | undefined; stops: Cell | undefined },
): Block[] {
  const { order, market, quote } = prospect;
  const { price, notional, fee, after } = estimate;
  const fills = quote.estimated_fill_price;
  const isTaker = takesAtOnce(order.type) || (arrivalOf(order.type) === 'rests' && price === fills);
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
      order.type ?? defaultType,
      order.reduce_only === true ? ' reduce-only' : '',
    ),
    fields(
      ['on', goesTo],
      [
        'market',
        `${marketName(market.market_id, market.symbol)}  ${quote.bid === null ? '-' : quantity(quote.bid)} / ${quote.ask === null ? '-' : quantity(quote.ask)}`,
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
      ['leverage', isReduction(order) ? undefined : `${quantity(order.leverage)}x ${order.margin_mode}`],
      ['margin', marginOf(prospect, estimate)],
      ['new position', after === undefined || price === undefined ? undefined : positionText(after, market.symbol)],
      ['stop', stops],
      ...outlookFields(prospect, estimate, worst !== undefined),
    ),
    ...bracketBlocks(prospect, estimate),
    ...(worst === undefined ? [] : [line({ text: worst.text, tone: 'bad' })]),
  ];
}

/** How an order could end: what ends the resulting position first, the worst case, and the room above the floors. */
function outlookFields(
  prospect: Prospect,
  estimate: Estimate,
  isBad: boolean,
): (readonly [string, Cell | undefined])[] {
  const { account, quote } = prospect;
  const { after, end, fee } = estimate;
  const liquidates = end === undefined ? 'out of reach' : `about ${roughPrice(end.price)}`;
  return [
    end?.by === 'floor'
      ? ['breach', breachText(end.price, quote.mid ?? undefined, floorOf(account))]
      : ['liquidation', after ? liquidates : undefined],
    ['worst case', worstCell(prospect, estimate, isBad)],
    ['gap allowance', gapText(prospect.gap)],
    ['daily-loss room', roomOf(account.risk?.daily_loss_room, fee)],
    ['drawdown room', roomOf(account.risk?.max_drawdown_room, fee)],
  ];
}

/** The margin that the order takes from the available balance; undefined if it also closes something, or takes none. */
function marginOf({ account, order, positions }: Prospect, { notional, fee = 0 }: Estimate): Cell | undefined {
  const available = account.risk?.available_balance;
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const isAdding = !isReduction(order) && (held === undefined || !isAgainst(order, held));
  if (available === undefined || notional === undefined || !isAdding) return undefined;
  const margin = notional / order.leverage;
  const text = `${usd(margin)} of ${usd(available)} USD available`;
  return margin + fee > available ? { text: `${text}: not enough`, tone: 'bad' } : text;
}

/** Without a liquidation in reach, a position with a part that has no stop can lose all of the room. */
function worstCell(prospect: Prospect, { end, worst, atRisk, after }: Estimate, isBad: boolean): Cell | undefined {
  const elsewhere = atRisk === 0 ? '' : `, ${usd(atRisk)} USD of it in other positions`;
  if (worst !== undefined) {
    const text = `${usd(worst.loss)} USD lost at the ${worst.at}${besideText(worst.beside)}${elsewhere}`;
    return { text, tone: isBad ? 'bad' : 'strong' };
  }
  const floor = floorOf(prospect.account);
  const cover = coverAfter(prospect, after);
  if (end?.by !== 'floor' || floor === undefined || cover === undefined || isReduction(prospect.order))
    return undefined;
  if (cover.covered === cover.size) return undefined;
  const why =
    cover.covered === 0
      ? 'it has no stop'
      : `${quantity(Number((cover.size - cover.covered).toPrecision(14)))} of it has no stop`;
  return { text: `${usd(floor.room)} USD, all of the room: ${why}`, tone: 'warn' };
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

function stopCellAfter(prospect: Prospect, { after }: Estimate, stops: 'follow' | 'ask' | 'off'): Cell | undefined {
  const stop = stopAfter(prospect, after, stops);
  return stop === undefined || stop.isWhole ? stop?.text : { text: stop.text, tone: 'warn' };
}

/**
 * The legs of an order, each with its gain or loss and R multiple, all fees included. They cover the whole resulting
 * position (simulation 4.3).
 */
export function bracketBlocks(prospect: Prospect, { after, fee = 0 }: Estimate): Block[] {
  const { take_profit_price: target, stop_loss_price: stop } = prospect.order;
  if (after === undefined || after === null || (target === undefined && stop === undefined)) return [];
  // An order that only reduces leaves its legs out.
  if (after.size > 0 !== (prospect.order.side === 'buy')) return [];
  const size = Math.abs(after.size);
  const legs: PlannedExit[] = [];
  if (target !== undefined) legs.push({ group: 'tp', price: target, size });
  if (stop !== undefined) legs.push({ group: 'sl', price: stop, size });
  const closed = {
    side: after.size > 0 ? 'long' : 'short',
    entry: after.entry,
    feeBps: feeBpsOf(prospect) ?? 0,
    entryFee: fee / size,
  } as const;
  return [blank, ...exitTable(closed, legs)];
}

import { defaultType, isReduction } from '../../../base/terms/order-types.ts';
import { bpsFrom, dollars, marketName, maybe, quantity, roughPrice, usd } from '../../../base/text/format.ts';
import { type Amendment, amendedOrder, judgingOf } from '../../../desk/preview/amendment.ts';
import { type Closed, exitNames, multipleAt, type PlannedExit, profitAt } from '../../../desk/preview/exit-plan.ts';
import { checkFloors, type OrderPreview, previewOrder } from '../../../desk/preview/floor-check.ts';
import { besideText } from '../../../desk/preview/judged.ts';
import { type Drafted, gapText, type Judging } from '../../../desk/preview/prospect.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { Exposure } from '../../../desk/risk/trade.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Console } from '../../console/console.ts';
import {
  type Block,
  type Blocks,
  blank,
  type Cell,
  type Column,
  type Field,
  fields,
  line,
  profitCell,
  sideCell,
  tableOf,
} from '../../console/output/result.ts';
import { endingCell, endingText } from '../../console/views/ending-view.ts';
import { breachText, nothingEnds } from '../../console/views/position-view.ts';
import { goesTo } from '../../console/where.ts';

/** Previews an order. An order whose worst case breaches a floor is rejected, unless it is forced. */
export async function orderPreview(console: Console, drafted: Drafted, title?: Block): Promise<Blocks> {
  const on = await goesTo(console, drafted.order.account_id);
  const seen = await previewOrder(console, drafted);
  if ('unknown' in seen) return [title, line({ text: seen.unknown, tone: 'warn' }), fields(['on', on])];
  const { ending, legs } = seen;
  return [
    ending && line(endingCell(ending, endingText(ending))),
    title ?? headline(seen),
    breachLine(seen),
    orderFields(seen, on),
    legs && [blank, exitTable(legs.closed, legs.exits)],
  ];
}

/** The strategy's own part of the preview. */
export interface StrategyFacts {
  readonly title: string;
  /** How it is worked, after its side and size. */
  readonly how: string;
  readonly rows: readonly (readonly [string, Cell])[];
  /** About what it trades. */
  readonly notional: string;
}

/**
 * The same for a strategy, which trades like this order: its own facts, how it could end, and the room above the
 * floors. Its worst case is judged like that of an order without a stop.
 */
export async function strategyPreview(
  console: Console,
  drafted: Drafted,
  { title: name, how, rows, notional }: StrategyFacts,
): Promise<Blocks> {
  const { order, market } = drafted;
  const what = ` ${quantity(order.size)} ${market.symbol} ${how}`;
  const title = line({ text: name, tone: 'strong' }, '  ', sideCell(order.side), what);
  const facts = [
    ['on', await goesTo(console, order.account_id)],
    ...rows,
    ['notional', `about ${notional}`],
    ['leverage', `${quantity(order.leverage)}x ${order.margin_mode}`],
  ] as const;
  const seen = await previewOrder(console, drafted);
  if ('unknown' in seen) return [title, fields(...facts), line({ text: seen.unknown, tone: 'warn' })];
  return [
    title,
    breachLine(seen),
    fields(
      ...facts,
      ['stop', stopCell(seen)],
      ...outlookFields(seen),
      ['margin', marginCell(seen)],
      ['fee', maybe(seen.fee, (fee) => `about ${dollars(fee)}`)],
    ),
  ];
}

/** The preview of a change to a working order and its comparison with the floors, for `write`. */
export function amendmentPreview(
  console: Console,
  order: Order,
  amendment: Amendment,
  judged: Pick<Judging, 'force' | 'farStop'>,
) {
  const judging = judgingOf(order, amendment, judged);
  if (judging === undefined) return { preview: async () => [], check: async () => {} };
  const drafted = async () => ({
    order: amendedOrder(order, amendment),
    market: await resolveMarket(console, order.market_id),
    judging,
  });
  return {
    preview: async () => orderPreview(console, await drafted()),
    check: async () => checkFloors(console, await drafted()),
  };
}

function headline({ order, market }: OrderPreview): Block {
  return line(
    { text: 'Order', tone: 'strong' },
    '  ',
    sideCell(order.side),
    ` ${quantity(order.size)} ${market.symbol} `,
    order.type ?? defaultType,
    order.reduce_only === true ? ' reduce-only' : '',
  );
}

/** The deciding figures come first: on a low screen, the rest is below the fold. */
function orderFields(seen: OrderPreview, on: string): Block {
  const { order, market, quote, price, notional, fee, after } = seen;
  const best = (at: number | null) => (at === null ? '-' : quantity(at));
  return fields(
    ['on', on],
    ['limit', maybe(order.limit_price, quantity)],
    ['trigger', maybe(order.trigger_price, quantity)],
    ['fills at', fillText(seen)],
    [
      'does not fill',
      seen.isTaker && quote.fillable === false
        ? { text: (quote.unfillable_reason ?? '').replaceAll('_', ' '), tone: 'bad' }
        : undefined,
    ],
    ['stop', stopCell(seen)],
    ['target', targetText(seen)],
    ...outlookFields(seen),
    ['market', `${marketName(market.market_id, market.symbol)}  ${best(quote.bid)} / ${best(quote.ask)}`],
    ['notional', maybe(notional, dollars)],
    ['fee', maybe(fee, dollars)],
    ['realizes', maybe(seen.realizes, profitCell)],
    ['leverage', isReduction(order) ? undefined : `${quantity(order.leverage)}x ${order.margin_mode}`],
    ['margin', marginCell(seen)],
    ['new position', after === undefined || price === undefined ? undefined : positionText(after, market.symbol)],
  );
}

function fillText({ isTaker, quote }: OrderPreview): string | undefined {
  const { estimated_fill_price: fills, worst_price: worst, mid } = quote;
  if (!isTaker || fills === undefined) return undefined;
  return `${quantity(fills)}${worst === undefined || mid === null ? '' : `, worst level ${bpsFrom(worst, mid)} bps from mid`}`;
}

/** The targets that the order brings. */
function targetText({ legs }: OrderPreview): string | undefined {
  const targets = (legs?.exits ?? []).filter(({ group }) => group === 'tp');
  return targets.map(({ price }) => quantity(price)).join(', ') || undefined;
}

/**
 * Possible ends of an order: the first limit of the resulting position, the worst case, and the room above the floors.
 */
function outlookFields(seen: OrderPreview): Field[] {
  const { account, order, quote, gap, after, end, fee } = seen;
  const liquidates =
    end === undefined ? nothingEnds(order.stop_loss_price !== undefined) : `about ${roughPrice(end.price)}`;
  return [
    ['worst case', worstCell(seen)],
    ['gap allowance', gapText(gap)],
    ['daily-loss room', roomText(account.risk?.daily_loss_room, fee)],
    ['drawdown room', roomText(account.risk?.max_drawdown_room, fee)],
    end?.by === 'floor'
      ? ['breach', breachText(end.price, quote.mid ?? undefined, seen.floor)]
      : ['liquidation', after ? liquidates : undefined],
  ];
}

function marginCell({ margin }: OrderPreview): Cell | undefined {
  if (margin === undefined) return undefined;
  const text = `${usd(margin.needed)} of ${dollars(margin.available)} available`;
  return margin.isEnough ? text : { text: `${text}: not enough`, tone: 'bad' };
}

function worstCell(seen: OrderPreview): Cell | undefined {
  const { worst, atRisk, breach, floor, unstopped } = seen;
  if (worst !== undefined) {
    const elsewhere = atRisk === 0 ? '' : `, ${dollars(atRisk)} of it in other positions`;
    const text = `${dollars(worst.loss)} lost at the ${worst.at}${besideText(worst.beside, seen)}${elsewhere}`;
    return { text, tone: breach === undefined ? 'strong' : 'bad' };
  }
  if (floor === undefined || unstopped === undefined) return undefined;
  const why = unstopped.isAll ? 'it has no stop' : `${quantity(unstopped.size)} of it has no stop`;
  return { text: `${dollars(floor.room)}, all of the room: ${why}`, tone: 'warn' };
}

function positionText(after: Exposure | null, symbol: string): string {
  if (after === null) return 'flat';
  return `${after.size > 0 ? 'long' : 'short'} ${quantity(Math.abs(after.size))} ${symbol} at ${quantity(after.entry)}`;
}

/** Distance to a floor, now and after the order's fee. */
function roomText(room: number | null | undefined, fee: number | undefined): Cell | undefined {
  return maybe(room, (now) => `${dollars(now)}${fee ? `, ${usd(now - fee)} after the fee` : ''}`);
}

function stopCell({ stop }: OrderPreview): Cell | undefined {
  return stop === undefined || stop.isWhole ? stop?.text : { text: stop.text, tone: 'warn' };
}

function breachLine({ breach }: OrderPreview): Blocks {
  return breach && line({ text: breach.text, tone: 'bad' });
}

/** The exits, each with its gain or loss, also as a multiple of the loss at the stops (R). */
export function exitTable(closed: Closed, exits: readonly PlannedExit[]): Blocks {
  if (exits.length === 0) return [];
  const top = closed.side === 'long' ? -1 : 1;
  const sorted = exits.toSorted((one, other) => top * (one.price - other.price));
  return tableOf(sorted, columnsFor(closed, sorted));
}

function columnsFor(closed: Closed, exits: readonly PlannedExit[]): readonly Column<PlannedExit>[] {
  const distance = ({ price }: PlannedExit) => `${signed(((price - closed.entry) / closed.entry) * 100)}%`;
  const columns: Column<PlannedExit>[] = [
    { header: 'EXIT', cell: ({ group }) => exitNames[group] },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'PRICE', cell: ({ price }) => quantity(price), align: 'right' },
    { header: 'FROM ENTRY', cell: distance, align: 'right', keep: 3 },
    { header: 'NET PNL', cell: (exit) => profitCell(profitAt(closed, exit)), align: 'right' },
  ];
  const multiples = new Map(exits.map((exit) => [exit, multipleAt(closed, exits, exit)]));
  if (exits.some(({ group }) => group === 'tp') && multiples.get(exits[0]!) !== undefined)
    columns.push({ header: 'R', cell: (exit) => `${signed(multiples.get(exit)!)}R`, align: 'right', keep: 4 });
  columns.push({ header: 'WAS', cell: ({ was }) => maybe(was, quantity), align: 'right', keep: 5 });
  if (exits.every(({ id }) => id === undefined)) return columns;
  return [...columns, { header: 'ORDER', cell: ({ id }) => id ?? 'new', keep: 2 }];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}

import {
  dateTime,
  dollars,
  marketName,
  maybe,
  percentText,
  quantity,
  roughPrice,
  signedUsd,
  usd,
  word,
} from '../../../base/text/format.ts';
import {
  type AtRisk,
  atRisk,
  type Cover,
  coverOf,
  exitPriceOf,
  positionComputedFields,
  stopText,
  unknownRisk,
} from '../../../desk/account/means.ts';
import type { Floor } from '../../../desk/risk/breach.ts';
import { endOf, noOutlook, type Outlook } from '../../../desk/risk/outlook.ts';
import type { Mark, Marks } from '../../../desk/risk/path-account.ts';
import { netPnl, unrealizedPnl } from '../../../desk/risk/profit.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import { Position } from '../../../wire/contract/positions.ts';
import {
  type Block,
  type Cell,
  type Column,
  type Field,
  fields,
  fieldsOf,
  line,
  profitCell,
  sideCell,
  statusCell,
} from '../output/result.ts';

/** Wire names of a position's fields, used as CSV columns. */
export const positionFields = fieldsOf(Position);

/** The same for open positions, plus perp's computed fields. */
export const openPositionFields = [...positionFields, ...positionComputedFields];

/** The table of open positions; without the account's working orders, their exits are unknown. */
export function openColumns(
  marks: Marks,
  outlook = noOutlook,
  working?: readonly Order[] | undefined,
): readonly Column<Position>[] {
  const mark = (position: Position) => marks.get(position.market_id)?.price;
  const cover = (position: Position) => (working === undefined ? undefined : coverOf(position, working, outlook));
  const risk = (position: Position) =>
    maybe(cover(position), (own) => atRisk(position, own, marks.get(position.market_id), outlook)) ?? unknownRisk;
  return [
    { header: 'MARKET', cell: (position) => marketName(position.market_id, position.symbol) },
    { header: 'SIDE', cell: (position) => sideCell(position.side) },
    { header: 'SIZE', cell: (position) => quantity(position.size), align: 'right' },
    { header: 'ENTRY', cell: (position) => quantity(position.entry_price), align: 'right', keep: 9 },
    { header: 'MARK', cell: (position) => maybe(mark(position), quantity), align: 'right', keep: 8 },
    {
      header: 'PNL',
      cell: (position) => profitCell(unrealizedPnl(position, mark(position))),
      align: 'right',
      keep: 14,
    },
    { header: 'STOP', cell: (position) => stopCell(position, cover(position)), align: 'right', keep: 13 },
    { header: 'TARGET', cell: (position) => targetText(cover(position)), align: 'right', keep: 12 },
    { header: 'RISK', cell: (position) => riskCell(cover(position), risk(position)), align: 'right', keep: 11 },
    { header: 'R', cell: (position) => multipleText(risk(position)), align: 'right', keep: 10 },
    {
      header: 'NOTIONAL',
      cell: (position) => maybe(mark(position), (at) => usd(at * position.size)),
      align: 'right',
      keep: 4,
    },
    { header: 'ENDS', cell: (position) => endCell(position, outlook), align: 'right', keep: 7 },
    { header: 'LEVERAGE', cell: leverageOf, keep: 5 },
    { header: 'FEES', cell: (position) => maybe(position.fees, usd), align: 'right', keep: 2 },
    { header: 'CARRY', cell: (position) => maybe(position.funding, usd), align: 'right', keep: 1 },
    { header: 'OPENED', cell: (position) => dateTime(position.opened_at), keep: 0 },
    { header: 'ID', cell: (position) => position.id, keep: 3 },
  ];
}

/** The table of closed positions; NET is each position's effect on the balance. */
export const closedColumns: readonly Column<Position>[] = [
  { header: 'CLOSED', cell: (position) => maybe(position.closed_at, dateTime), keep: 5 },
  { header: 'MARKET', cell: (position) => marketName(position.market_id, position.symbol) },
  { header: 'SIDE', cell: (position) => sideCell(position.side) },
  { header: 'SIZE', cell: (position) => quantity(position.size), align: 'right', keep: 6 },
  { header: 'ENTRY', cell: (position) => quantity(position.entry_price), align: 'right', keep: 7 },
  { header: 'EXIT', cell: (position) => maybe(position.exit_price, quantity), align: 'right', keep: 8 },
  { header: 'PNL', cell: (position) => profitCell(position.realized_pnl), align: 'right', keep: 6 },
  { header: 'NET', cell: (position) => profitCell(netPnl(position)), align: 'right' },
  { header: 'FEES', cell: (position) => maybe(position.fees, usd), align: 'right', keep: 4 },
  { header: 'CARRY', cell: (position) => maybe(position.funding, usd), align: 'right', keep: 3 },
  { header: 'ID', cell: (position) => position.id, keep: 2 },
];

/** An open position in context: its mark, its end, and its account's working orders; all may be unknown. */
interface Seen {
  readonly mark?: Mark | undefined;
  readonly outlook?: Outlook | undefined;
  readonly working?: readonly Order[] | undefined;
}

/** All details of one position. */
export function positionBlocks(position: Position, seen: Seen = {}): Block[] {
  const mark = seen.mark?.price;
  return [
    headline(position),
    fields(
      ['market', marketName(position.market_id, position.symbol)],
      ['status', position.status === 'open' ? undefined : statusCell(position.status)],
      ['mark', maybe(mark, quantity)],
      ['unrealized', maybe(unrealizedPnl(position, mark), profitCell)],
      ['exit', maybe(position.exit_price, quantity)],
      ['realized', maybe(position.realized_pnl || undefined, profitCell)],
      ['leverage', leverageOf(position)],
      ['extra margin', maybe(position.isolated_margin_extra || undefined, dollars)],
      ...(position.status === 'open' ? [...coverFieldsOf(position, seen), endField(position, seen)] : []),
      ['fees', maybe(position.fees, dollars)],
      ['carry', maybe(position.funding || undefined, (funding) => `${signedUsd(funding)} USD`)],
      ['net', position.status === 'closed' ? profitCell(netPnl(position)) || undefined : undefined],
      ['opened', dateTime(position.opened_at)],
      ['closed', maybe(position.closed_at, dateTime)],
      ['position', position.id],
      ['account', position.account_id],
    ),
  ];
}

/** The position that an order made, in a few lines. */
export function positionBrief(position: Position, seen: Seen): Block[] {
  return [
    headline(position),
    fields(['leverage', leverageOf(position)], ...coverFieldsOf(position, seen), endField(position, seen), [
      'position',
      position.id,
    ]),
  ];
}

/** Its stop and the covered size, its target, and its risk. */
function coverFieldsOf(position: Position, { mark, outlook, working }: Seen): Field[] {
  if (working === undefined) return [];
  const cover = coverOf(position, working, outlook);
  const risk = atRisk(position, cover, mark, outlook ?? noOutlook);
  const multiple = risk.r === undefined ? '' : `, now ${multipleText(risk)}`;
  const tone = cover.uncovered === 0 ? 'strong' : 'warn';
  return [
    ['stop', stopCell(position, cover)],
    ['target', targetText(cover)],
    ['risk', maybe(risk.loss, (loss) => ({ text: `${dollars(loss)}${multiple}`, tone }))],
  ];
}

function leverageOf(position: Position): string {
  return `${quantity(position.leverage)}x ${word(position.margin_mode)}`;
}

function headline({ side, size, symbol, entry_price }: Position): Block {
  const held = ` ${quantity(size)} ${word(symbol)} at ${quantity(entry_price)}`;
  return line({ text: 'Position', tone: 'strong' }, '  ', sideCell(side), held);
}

/** The same as a cell, in warning colors if something is uncovered; empty if the exits are unknown. */
export function stopCell({ size }: Pick<Position, 'size'>, cover: Cover | undefined): Cell {
  if (cover === undefined) return '';
  const text = stopText(cover.first, cover.covered, size);
  return cover.uncovered === 0 ? text : { text, tone: 'warn' };
}

/** The take-profit that the mark reaches first. */
export function targetText(cover: Cover | undefined): string | undefined {
  return maybe(cover?.targets[0], (first) => quantity(exitPriceOf(first)));
}

/** The possible further loss of a position: `250.00`, in warning colors if a part of it has no stop. */
export function riskCell(cover: Cover | undefined, { loss }: AtRisk): Cell {
  if (cover === undefined || loss === undefined) return '';
  return cover.uncovered === 0 ? usd(loss) : { text: usd(loss), tone: 'warn' };
}

/** `+1.20R`. */
export function multipleText({ r }: AtRisk): string {
  if (r === undefined) return '';
  const text = r.toFixed(2);
  return Number(text) === 0 ? '0.00R' : `${r < 0 ? '' : '+'}${text}R`;
}

/** No floor and no liquidation is this near; a stop counts. */
export function nothingEnds(hasStop: boolean): string {
  return `none within 100% of the mark${hasStop ? ', with its stop' : ''}`;
}

/**
 * The first limit that would end a position, as a labeled field: the floor that its account touches, or its
 * liquidation.
 */
function endField(position: Position, { mark, outlook = noOutlook, working = [] }: Seen): Field {
  const end = endOf(position, outlook);
  const isKnown = outlook.ends.has(position.market_id);
  if (end === undefined)
    return ['liquidation', isKnown ? nothingEnds(coverOf(position, working, outlook).stops.length > 0) : 'not known'];
  if (end.by !== 'floor') return ['liquidation', roughPrice(end.price)];
  return ['breach', breachText(end.price, mark?.price, outlook.floor)];
}

/** `93028.8 (-3.1%), maximum drawdown`. */
export function breachText(price: number, mark: number | undefined, floor: Floor | undefined): Cell {
  const move = mark === undefined ? '' : ` (${percentText(((price - mark) / mark) * 100)})`;
  return { text: `${quantity(price)}${move}, ${floor?.name ?? 'floor'}`, tone: 'strong' };
}

/** The same in a table: `93028.8 floor`, `90909.1 liq`. */
function endCell(position: Position, outlook: Outlook): string | undefined {
  return maybe(endOf(position, outlook), ({ by, price }) =>
    by === 'floor' ? `${quantity(price)} floor` : `${roughPrice(price)} liq`,
  );
}

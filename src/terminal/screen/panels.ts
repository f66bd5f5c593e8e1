import { quantity, roughPrice, usd, word } from '../../base/text/format.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Held } from '../../desk/watch/standing.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { fitted, type Row, toned, widthOf } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import {
  type Cell,
  type Column,
  columnGap,
  columnsThatFit,
  profitCell,
  sideCell,
  statusCell,
  textOf,
} from '../console/output/result.ts';
import { multipleText, riskCell, stopCell, targetText } from '../console/views/position-view.ts';

/** The maximum number of fills shown. */
const maxShownFills = 8;

const positions = definePanel({
  title: 'Positions',
  place: 'above',
  selectFrom: () => 0,
  none: 'No open positions',
  items: ({ account }, { held }) => (account === undefined ? undefined : held),
  columns: () => [
    { header: 'POSITION', cell: ({ position }) => ({ text: position.symbol, tone: 'strong' }) },
    { header: 'SIDE', cell: ({ position }) => sideCell(position.side) },
    { header: 'SIZE', cell: ({ position }) => quantity(position.size), align: 'right' },
    { header: 'ENTRY', cell: ({ position }) => quantity(position.entry_price), align: 'right', keep: 5 },
    // The row of markets has it, too.
    { header: 'MARK', cell: ({ mid }) => (mid === undefined ? '' : quantity(mid)), align: 'right', keep: 3 },
    { header: 'PNL', cell: ({ profit }) => profitCell(profit), align: 'right' },
    { header: 'STOP', cell: ({ position, cover }) => stopCell(position, cover), align: 'right', keep: 10 },
    { header: 'TARGET', cell: ({ cover }) => targetText(cover), align: 'right', keep: 9 },
    { header: 'RISK', cell: ({ cover, risk }) => riskCell(cover, risk), align: 'right', keep: 9.5 },
    { header: 'R', cell: ({ risk }) => multipleText(risk), align: 'right', keep: 6 },
    {
      header: 'ENDS AT',
      cell: ({ end }) => (end === undefined ? '' : `${roughPrice(end.price)} ${end.by === 'floor' ? 'floor' : 'liq'}`),
      keep: 7,
    },
    {
      header: 'LEVERAGE',
      cell: ({ position }) => `${quantity(position.leverage)}x ${word(position.margin_mode)}`,
      keep: 1,
    },
  ],
});

const orders = definePanel({
  title: 'Orders',
  place: 'above',
  selectFrom: ({ held }) => held.length,
  none: 'No working orders',
  items: ({ account }, { orders: working }) => (account === undefined ? undefined : working),
  columns: (model) => [
    { header: 'ORDER', cell: ({ symbol }) => ({ text: symbol, tone: 'strong' }) },
    { header: 'SIDE', cell: ({ side }) => sideCell(side) },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'KIND', cell: ({ mode, reduce_only }) => `${mode}${reduce_only ? ' reduce' : ''}`, keep: 4 },
    {
      header: 'PRICE',
      cell: ({ trigger_price: trigger, limit_price: limit }) =>
        [trigger === undefined ? '' : `@${quantity(trigger)}`, limit === undefined ? '' : quantity(limit)]
          .filter((part) => part !== '')
          .join(' '),
      align: 'right',
    },
    { header: 'AWAY', cell: (order) => awayText(order, model), align: 'right', keep: 5 },
    { header: 'STATUS', cell: ({ status }) => (status === 'resting' ? '' : statusCell(status)), keep: 2 },
    { header: 'ID', cell: ({ id }) => id, keep: 1 },
  ],
});

const fills = definePanel<Order>({
  title: 'Fills',
  place: 'below',
  none: 'No fills yet',
  most: maxShownFills,
  items: (model) =>
    model.areFillsKnown ? model.fills.filter(({ account_id }) => account_id === model.accountId) : undefined,
  columns: () => [
    { header: 'FILLED', cell: (fill) => new Date(fill.settled_at ?? fill.requested_at).toISOString().slice(11, 19) },
    { header: 'MARKET', cell: ({ symbol }) => symbol },
    { header: 'SIDE', cell: ({ side }) => sideCell(side) },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'PRICE', cell: ({ fill_price: price }) => (price === undefined ? '' : quantity(price)), align: 'right' },
    { header: 'PNL', cell: ({ realized_pnl: pnl }) => (pnl === 0 ? '' : profitCell(pnl)), align: 'right', keep: 2 },
    { header: 'FEE', cell: ({ fee }) => (fee === undefined ? '' : usd(fee)), align: 'right', keep: 1 },
  ],
});

/** The panels, from top to bottom. */
export const panels: readonly Panel[] = [positions, orders, fills];

/** The distance of an order's price from the midpoint. */
function awayText(order: Order, model: LiveModel): string {
  const price = order.trigger_price ?? order.limit_price;
  const mid = model.mid(order.trigger_market_id ?? order.market_id);
  if (price === undefined || mid === undefined) return '';
  const percent = (price / mid - 1) * 100;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(2)}%`;
}

/** The size of a terminal, or of a part of it. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The rows of the screen that keys can select. */
export interface Listed {
  readonly held: readonly Held[];
  readonly orders: readonly Order[];
}

/** A panel's space: its width, and its selected row, if any. */
export interface PanelSpace {
  readonly columns: number;
  readonly listed: Listed;
  readonly selected: number;
  readonly glyphs: Glyphs;
  /** It takes the place of all others. */
  readonly isZoomed?: boolean;
}

/** The definition of a panel: its place, its records and its columns. */
interface PanelParts<Item> {
  /** As in `Positions: not known yet`; the panel's name in docs/watch.md. */
  readonly title: string;
  readonly place: 'above' | 'below';
  /** The index of its first row among those that keys select (`Listed`); absent if keys don't select them. */
  readonly selectFrom?: (listed: Listed) => number;
  /** The text shown when there are no records. */
  readonly none: string;
  /** Most rows, unless it is zoomed. */
  readonly most?: number;
  /** Its records of the account on the screen; undefined until they are known, which is not the same as none. */
  items(model: LiveModel, listed: Listed): readonly Item[] | undefined;
  /** Columns with the lowest `keep` are dropped first when there is no room. */
  columns(model: LiveModel): readonly Column<Item>[];
}

/** A table of the screen, above or below the market. */
export interface Panel extends Pick<PanelParts<unknown>, 'title' | 'place' | 'selectFrom'> {
  /** The number of rows it would show below its header; undefined until known. */
  count(model: LiveModel, listed: Listed): number | undefined;
  /** Its header and its rows, or one row that says that it is empty or not known yet. */
  rows(model: LiveModel, space: PanelSpace): Row[];
}

/** Makes a panel from its parts. */
function definePanel<Item>(parts: PanelParts<Item>): Panel {
  return {
    ...parts,
    count: (model, listed) => parts.items(model, listed)?.slice(0, parts.most).length,
    rows: (model, { columns: width, listed, selected, glyphs, isZoomed }) => {
      const items = parts.items(model, listed)?.slice(0, isZoomed === true ? undefined : parts.most);
      if (items === undefined) return [[toned(`${parts.title}: not known yet`, 'faint')]];
      if (items.length === 0) return [[toned(parts.none, 'faint')]];
      const cursor: Column<Item> = {
        header: ' ',
        cell: (one) => (one === items[selected] ? glyphs.cursor : ' '),
      };
      const columns = parts.columns(model);
      return tableRows(parts.selectFrom === undefined ? columns : [cursor, ...columns], items, width);
    },
  };
}

/** A header and one row per record, as many columns as fit. */
function tableRows<Item>(columns: readonly Column<Item>[], items: readonly Item[], width: number): Row[] {
  const cells = items.map((item) => columns.map((column) => column.cell(item) ?? ''));
  const widths = columns.map(({ header }, at) => Math.max(header.length, ...cells.map((row) => cellWidth(row[at]!))));
  const filled = columns.map((_, at) => cells.length === 0 || cells.some((row) => textOf(row[at]!) !== ''));
  const shown =
    columnsThatFit(columns, widths, filled, width, true) ?? columns.map((_, at) => at).filter((at) => filled[at]);
  const row = (own: readonly Cell[]): Row =>
    shown.flatMap((at, place) => [
      ...(place === 0 ? [] : [' '.repeat(columnGap)]),
      ...aligned(own[at]!, widths[at]!, columns[at]!.align),
    ]);
  const header = row(columns.map(({ header: text }) => toned(text, 'faint')));
  return [header, ...cells.map(row)].map((one) => fitted(one, width));
}

function aligned(cell: Cell, width: number, align: 'right' | undefined): readonly Cell[] {
  const padding = ' '.repeat(Math.max(0, width - cellWidth(cell)));
  return align === 'right' ? [padding, cell] : [cell, padding];
}

function cellWidth(cell: Cell): number {
  return widthOf(textOf(cell));
}

import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Held } from '../../desk/watch/standing.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { fitted, type Row, toned, widthOf } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import { type Cell, type Column, columnGap, columnsThatFit, textOf } from '../console/output/result.ts';

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

/** What a panel may use: its width, and which of its rows is selected, if any. */
export interface PanelSpace {
  readonly columns: number;
  readonly listed: Listed;
  readonly selected: number;
  readonly glyphs: Glyphs;
  /** It has the place of all others. */
  readonly isZoomed?: boolean;
}

/** What makes a panel: its place, its records and its columns. */
export interface PanelParts<Item> {
  /** As in `Positions: not known yet`; the panel's name in docs/watch.md. */
  readonly title: string;
  readonly place: 'above' | 'below';
  /** Where its rows begin among those that keys select (`Listed`); absent if keys don't select them. */
  readonly selectFrom?: (listed: Listed) => number;
  /** What it says when it has no records. */
  readonly none: string;
  /** Most rows, unless it is zoomed. */
  readonly most?: number;
  /** Its records of the account on the screen; undefined until they are known, which is not the same as none. */
  items(model: LiveModel, listed: Listed): readonly Item[] | undefined;
  /** Columns with the lowest `keep` leave first when there is no room. */
  columns(model: LiveModel): readonly Column<Item>[];
}

/** A table of the screen, above or below the market. */
export interface Panel extends Pick<PanelParts<unknown>, 'title' | 'place' | 'selectFrom'> {
  /** How many rows it would show below its header; undefined until that is known. */
  count(model: LiveModel, listed: Listed): number | undefined;
  /** Its header and its rows, or one row that says that there is nothing, or that it is not known yet. */
  rows(model: LiveModel, space: PanelSpace): Row[];
}

/** Makes a panel of its parts. */
export function definePanel<Item>(parts: PanelParts<Item>): Panel {
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
  const cells = items.map((item) => columns.map((column) => column.cell(item)));
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

import type { LiveModel } from '../../desk/watch/live-model.ts';
import { heldIn, workingIn } from '../../desk/watch/standing.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { beside, fitted, type Row, stacked, toned, withMore } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import type { CockpitShown } from './cockpit.ts';
import { armedRow, saidRows, ticketRows } from './cockpit-view.ts';
import { type DialogFrame, dialogFrame, dialogHeight } from './dialog-rows.ts';
import { accountRows, headerRow, marketRow, otherAccountRows, type Setting, shortRows, sumRow } from './header-rows.ts';
import { helpRows } from './help-page.ts';
import { ladderPane, minPaneWidth } from './ladder-pane.ts';
import { bookRows, isWide, marketChart, type OwnHere, tapeRows, tapeWidth, wideCharts } from './market-rows.ts';
import { type Listed, type Panel, type PanelSpace, panels, type ScreenSize } from './panels.ts';
import type { LadderPlace } from './trading-keys.ts';
import type { Dialog, Page, ScreenView } from './view.ts';

/** Smaller terminals show only the most important figures, and trading keys do not work. */
const minSize: ScreenSize = { columns: 50, rows: 14 };
const maxOtherAccounts = 3;
/** The chart and the ladder get at least this many rows. */
const minChartRows = 7;
/** A row of the ladder is at least this wide: price, size, a short bar. */
const minLadderWidth = 22;
const widestLadder = 38;
const widestPane = 60;
/** A narrower chart shows too little. */
const minChartWidth = 24;

/** The rows that a guide leaves to the part it explains. */
const leastBeside = 8;

/** Why a key did nothing on a smaller terminal. */
export const needsRoom = `Commands, trading keys and help need ${minSize.columns} columns and ${minSize.rows} rows.`;

/** Whether the whole screen fits, including the preview of a command. */
export function isLargeEnough({ columns, rows }: ScreenSize): boolean {
  return columns >= minSize.columns && rows >= minSize.rows;
}

/** The positions and orders of the account on the screen. */
export function listedOf(model: LiveModel): Listed {
  const state = model.account;
  if (state === undefined) return { held: [], orders: [] };
  return { held: heldIn(state, model), orders: workingIn(state) };
}

/** A frame of the screen, and where on it the price ladder is. */
export interface ScreenFrame {
  /** Exactly one row per row of the terminal, none wider than it. */
  readonly rows: Row[];
  readonly ladder: LadderPlace | undefined;
  /** The scrolling parts. */
  readonly page?: Page | undefined;
}

/** The whole screen. */
export function screenFrame(
  model: LiveModel,
  view: ScreenView,
  setting: Setting,
  size: ScreenSize,
  glyphs: Glyphs,
  cockpit: CockpitShown,
): ScreenFrame {
  const { columns, rows } = size;
  if (!isLargeEnough(size))
    return { rows: stacked(shortRows(model, view, setting, columns), rows, columns), ladder: undefined };
  const armed = cockpit.armed === undefined ? [] : [armedRow(cockpit.armed, columns)];
  const bar = cockpit.deck === undefined ? [] : [fitted(cockpit.deck.row(columns), columns)];
  const top = [headerRow(model, setting, columns), ...armed, ...bar, ...accountRows(model, setting, columns, glyphs)];
  const others = othersOf(model, view, size);
  const said =
    view.isTrading && view.ladder !== 'whole' && view.dialog === undefined
      ? saidRows(cockpit.said.slice(-1), columns, 1)
      : [];
  const footer = footerRow(view, glyphs, columns);
  const space = rows - top.length - others.length - said.length - 1;
  const guided = { columns, rows: Math.min(space, Math.max(3, space - leastBeside)) };
  const guide = (cockpit.guide?.rows(view, guided, glyphs) ?? []).slice(0, guided.rows);
  const left = space - guide.length;
  const { rows: body, ladder, page } = bodyOf(model, view, { columns, rows: left }, glyphs, cockpit);
  const above = top.length + others.length + guide.length;
  return {
    rows: [
      ...stacked([...top, ...others, ...guide], above, columns),
      ...stacked(body, left, columns),
      ...stacked(said, said.length, columns),
      footer,
    ],
    ladder: ladder && { ...ladder, top: ladder.top + above },
    page,
  };
}

/** The other accounts and the total; a low screen has room for one row: the total, or the only other account. */
function othersOf(model: LiveModel, { isTrading }: ScreenView, { columns, rows }: ScreenSize): Row[] {
  if (model.accounts.size < 2) return [];
  const others = otherAccountRows(model, columns);
  const sum = sumRow(model, columns);
  if (rows < 30) return isTrading || others.length > 1 ? [sum] : others;
  return [...others.slice(0, maxOtherAccounts), sum];
}

/** The minimum width of a dialog beside the market, and the terminal width from which it is shown there. */
const minDialogWidth = 44;
const minWidthWithDialog = 78;
const widestDialog = 90;
/** A question must be readable: on a smaller terminal, it replaces the market. */
const minWidthWithPreview = 100;

/** The maximum width of a command's output. */
export function dialogColumns(
  { ladder, dialog }: Pick<ScreenView, 'ladder' | 'dialog'>,
  { columns }: Pick<ScreenSize, 'columns'>,
): number {
  const isTyping = dialog?.stage === 'typing';
  if (columns < (isTyping ? minWidthWithDialog : minWidthWithPreview) && !(isTyping && ladder === 'whole'))
    return columns;
  if (ladder === 'whole') return columns - wholeLadderWidth(columns) - 2;
  return Math.min(widestDialog, Math.max(minDialogWidth, Math.floor(columns / 2)));
}

function wholeLadderWidth(columns: number): number {
  return columns < 2 * minDialogWidth ? minPaneWidth : Math.min(72, Math.max(minPaneWidth, Math.floor(columns * 0.42)));
}

interface Body {
  readonly rows: Row[];
  readonly ladder: LadderPlace | undefined;
  readonly page?: Page | undefined;
}

function bodyOf(model: LiveModel, view: ScreenView, size: ScreenSize, glyphs: Glyphs, cockpit: CockpitShown): Body {
  const { columns, rows } = size;
  const { dialog } = view;
  if (view.mode === 'help' && dialog === undefined)
    return {
      rows: helpRows(
        glyphs,
        { isTrading: view.isTrading, ownKeys: cockpit.ownKeys, deckKeys: cockpit.deck?.keys },
        size,
        view.helpPage,
      ),
      ladder: undefined,
    };
  if (view.zoom !== undefined && dialog === undefined) return zoomed(model, view, panels[view.zoom]!, size, glyphs);
  const width = dialogColumns(view, size);
  if (dialog !== undefined && width === columns) return { ...dialogFrame(dialog, rows, columns), ladder: undefined };
  if (view.ladder === 'whole') {
    const width = wholeLadderWidth(columns);
    const left = paneOf(model, { columns: width, rows }, glyphs, cockpit);
    const right = sideRows(model, view, { columns: columns - width - 2, rows }, glyphs, cockpit);
    return {
      rows: beside(left, width + 2, right.rows),
      ladder: { top: 0, left: 0, width, height: rows },
      page: right.page,
    };
  }
  if (dialog === undefined) return bodyRows(model, view, size, glyphs, cockpit);
  const left = bodyRows(model, view, { columns: columns - width - 2, rows }, glyphs, cockpit);
  const right = dialogSide(dialog, { columns: width, rows }, cockpit);
  return { ...left, rows: beside(left.rows, columns - width, right.rows), page: right.page };
}

/** One panel in place of all others, with all its rows. */
function zoomed(
  model: LiveModel,
  { selected, scroll }: ScreenView,
  panel: Panel,
  { columns, rows }: ScreenSize,
  glyphs: Glyphs,
): Body {
  const listed = listedOf(model);
  const own = panel.selectFrom === undefined ? -1 : selected - panel.selectFrom(listed);
  const [header = [], ...all] = panel.rows(model, { columns, listed, selected: own, glyphs, isZoomed: true });
  const most = Math.max(0, all.length - (rows - 1));
  const at = own < 0 ? Math.min(scroll, most) : 0;
  const shown = own < 0 ? [header, ...all.slice(at)] : [header, ...all];
  return { rows: cutOff(shown, rows, own, columns), ladder: undefined, page: { size: rows - 1, most } };
}

/** A dialog with the ticket of its order below it, if the dialog leaves room. */
function dialogSide(dialog: Dialog, { columns, rows }: ScreenSize, { ticket }: CockpitShown): DialogFrame {
  const free = rows - dialogHeight(dialog, columns);
  if (ticket === undefined || free < leastTicket) return dialogFrame(dialog, rows, columns);
  const below = ticketRows(ticket, columns, free);
  const { rows: above, page } = dialogFrame(dialog, rows - below.length - 1, columns);
  return { rows: [...above, [], ...below], page };
}

/** The first lines of a ticket. */
const leastTicket = 3;

/**
 * Beside the whole ladder: positions, orders, the dialog or the ticket, the outcome of keys, and a chart if there is
 * room.
 */
function sideRows(
  model: LiveModel,
  { dialog, selected }: ScreenView,
  { columns, rows }: ScreenSize,
  glyphs: Glyphs,
  cockpit: CockpitShown,
): DialogFrame {
  const listed = listedOf(model);
  const most = Math.max(2, Math.floor(rows / 5));
  const space = { columns, listed, glyphs };
  const tables = panels
    .filter(({ place }) => place === 'above')
    .flatMap((panel) => cutPanel(panel, model, { ...space, selected }, most));
  // A question must be readable as a whole.
  const isCramped = dialog !== undefined && dialog.stage !== 'typing' && rows < 24;
  const above = [...(isCramped ? [] : tables), marketRow(model, columns)];
  const left = rows - above.length;
  if (dialog !== undefined) {
    const { rows: below, page } = dialogSide(dialog, { columns, rows: left }, cockpit);
    return { rows: [...above, ...below], page };
  }
  const ticket = cockpit.ticket === undefined ? [] : ticketRows(cockpit.ticket, columns, left);
  const said = saidRows(cockpit.said, columns, Math.max(2, left - ticket.length - 1));
  const free = left - ticket.length - said.length - 1;
  const chart =
    free >= minChartRows && columns >= minChartWidth ? chartRows(model, { columns, rows: free }, glyphs) : [];
  return { rows: [...above, ...chart, ...ticket, ...said], page: { size: 0, most: 0 } };
}

/** The rows between the accounts and the last row: the panels, and the market between them. */
function bodyRows(
  model: LiveModel,
  { selected, ladder }: ScreenView,
  { columns, rows }: ScreenSize,
  glyphs: Glyphs,
  cockpit: CockpitShown,
): Body {
  const listed = listedOf(model);
  const needs = panels.map((panel) => (panel.count(model, listed) ?? 0) + 1);
  const spaces = shares(needs, rows - 1 - minChartRows);
  const drawn = panels.map((panel, at) => cutPanel(panel, model, { columns, listed, selected, glyphs }, spaces[at]!));
  const placed = (place: Panel['place']) => drawn.filter((_, at) => panels[at]!.place === place).flat();
  const above = placed('above');
  const below = placed('below');
  const height = rows - 1 - above.length - below.length;
  const hasTape = isWide({ columns, rows });
  const space = hasTape ? columns - tapeWidth - 2 : columns;
  const width = rightWidth(space, ladder === 'pane');
  const book =
    ladder === 'pane'
      ? paneOf(model, { columns: width, rows: height }, glyphs, cockpit)
      : bookRows(model.book, model.orders, { width, height }, glyphs);
  const left = space - width - 2;
  const size = { columns: left, rows: height };
  const charts = () => (hasTape ? wideCharts(model, ownHere(model), size, glyphs) : chartRows(model, size, glyphs));
  const right = hasTape ? beside(book, width + 2, tapeRows(model.prints, height, glyphs)) : book;
  const market =
    left < minChartWidth ? stacked(right, height, columns) : beside(stacked(charts(), height, left), left + 2, right);
  const place = { top: above.length + 1, left: left < minChartWidth ? 0 : left + 2, width, height };
  return {
    rows: [...above, marketRow(model, columns), ...market, ...below],
    ladder: ladder === 'pane' ? place : undefined,
  };
}

/** The width of the book or the price ladder beside the chart; the full width where a chart would be too narrow. */
function rightWidth(columns: number, isLadder: boolean): number {
  const least = isLadder ? minPaneWidth : minLadderWidth;
  const width = Math.min(
    isLadder ? widestPane : widestLadder,
    Math.max(least, Math.floor(columns * (isLadder ? 0.4 : 0.3))),
  );
  return columns - width - 2 < minChartWidth ? columns : width;
}

function paneOf(
  model: LiveModel,
  { columns, rows }: ScreenSize,
  glyphs: Glyphs,
  { ladder, market, uptime }: CockpitShown,
): Row[] {
  if (market === undefined) {
    const isUnknown = model.grid !== undefined && model.grid.tick === undefined;
    return [[toned(isUnknown ? "This market's tick is not known." : 'Waiting for the market.', 'faint')]];
  }
  return ladderPane(ladder, market, { width: columns, height: rows, symbol: model.chosen.symbol, glyphs, now: uptime });
}

function ownHere(model: LiveModel): OwnHere {
  const { orders, position, fills, accountId, chosen } = model;
  const isOwn = ({ market_id, account_id }: Order) => market_id === chosen.market_id && account_id === accountId;
  return { orders, position, fills: fills.filter(isOwn) };
}

/** The chart of the chosen market, with its heading. */
function chartRows(model: LiveModel, size: ScreenSize, glyphs: Glyphs): Row[] {
  return marketChart(model.chosen, model.candles, model.interval, ownHere(model), size, glyphs);
}

function footerRow(view: ScreenView, glyphs: Glyphs, columns: number): Row {
  if (view.notice !== undefined) return fitted([toned(view.notice, 'warn')], columns);
  const { left, right, vertical } = glyphs.arrows;
  if (view.isTrading) {
    const keys = ' t leave  b buy  s sell  c close  x cancel  e even  F flatten  L ladder  A arm  : other';
    return fitted([toned('TRADING', 'warn'), toned(keys, 'strong')], columns);
  }
  const keys = `? help  q quit  t trade  ${left} ${right} market  [ ] interval  ${vertical} select  a account`;
  return fitted([toned(keys, 'faint')], columns);
}

/** Space for each of several lists: first two rows each (or fewer if it needs fewer), then the rest in turn. */
function shares(needs: readonly number[], space: number): number[] {
  const given = needs.map((need) => Math.min(need, 2));
  let left = space - given.reduce((sum, one) => sum + one, 0);
  while (left > 0) {
    const at = needs.findIndex((need, index) => given[index]! < need && given[index] === lowest(given, needs));
    if (at < 0) break;
    given[at]!++;
    left--;
  }
  return given;
}

/** The smallest share among the lists that need more. */
function lowest(given: readonly number[], needs: readonly number[]): number {
  return Math.min(...given.filter((one, index) => one < needs[index]!));
}

function cutPanel(panel: Panel, model: LiveModel, space: PanelSpace, most: number): Row[] {
  const selected = panel.selectFrom === undefined ? -1 : space.selected - panel.selectFrom(space.listed);
  return cutOff(panel.rows(model, { ...space, selected }), most, selected, space.columns);
}

/** A table reduced to its space. The header stays and shows how many are hidden; the selected row is visible. */
function cutOff(table: readonly Row[], space: number, selected: number, width: number): Row[] {
  const [header, ...rows] = table;
  if (header === undefined || rows.length < space) return [...table];
  const visible = Math.max(0, space - 1);
  const first = Math.max(0, Math.min(selected - visible + 1, rows.length - visible));
  return [withMore(header, rows.length - visible, width), ...rows.slice(first, first + visible)];
}

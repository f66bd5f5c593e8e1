import type { Order } from '../../contract/orders.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { heldIn, workingIn } from '../../desk/watch/standing.ts';
import { accountRows, otherAccountRows, type Setting } from './account-panel.ts';
import { candleChart } from './candle-chart.ts';
import { beside, fitted, type Row, toned } from './cells.ts';
import type { Glyphs } from './glyphs.ts';
import { ladder, minLadderWidth } from './ladder.ts';
import { candlesOf, chartHeading, decimalsOf, fillsOf, levelsOf } from './market-chart.ts';
import type { Listed, Panel, ScreenSize } from './panel.ts';
import { fillRows, headerRow, marketRow, orderRows, positionRows, shortRows } from './panels.ts';
import type { Dialog, ScreenView } from './screen-view.ts';

/** Smaller terminals show only the most important figures, and trading keys do not work. */
const minSize: ScreenSize = { columns: 50, rows: 14 };
const maxOtherAccounts = 3;
/** The chart and the ladder get at least this many rows. */
const minChartRows = 7;
const widestLadder = 38;

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

/** The whole screen: exactly one row per row of the terminal, none wider than it. */
export function screenRows(
  model: LiveModel,
  view: ScreenView,
  setting: Setting,
  size: ScreenSize,
  glyphs: Glyphs,
): Row[] {
  const { columns, rows } = size;
  if (!isLargeEnough(size)) return exactly(shortRows(model, setting, columns), rows, columns);
  const top = [headerRow(model, setting, columns), ...accountRows(model, setting, columns, glyphs)];
  const others = otherAccountRows(model, columns).slice(0, rows < 30 ? 1 : maxOtherAccounts);
  const footer = footerRow(view, glyphs, columns);
  const left = rows - top.length - others.length - 1;
  const body =
    view.dialog !== undefined
      ? dialogRows(view.dialog, left)
      : view.mode === 'help'
        ? helpRows(glyphs)
        : bodyRows(model, view, { columns, rows: left }, glyphs);
  return [...top, ...others, ...exactly(body, left, columns), footer];
}

/** The panels, from top to bottom. */
const panels: readonly Panel[] = [
  {
    title: 'Positions',
    place: 'above',
    selectFrom: () => 0,
    isKnown: ({ account }) => account !== undefined,
    count: (_, { held }) => held.length,
    rows: (_, { listed, selected, columns, glyphs }) => positionRows(listed.held, selected, columns, glyphs),
  },
  {
    title: 'Orders',
    place: 'above',
    selectFrom: ({ held }) => held.length,
    isKnown: ({ account }) => account !== undefined,
    count: (_, { orders }) => orders.length,
    rows: (model, { listed, selected, columns, glyphs }) => orderRows(listed.orders, model, selected, columns, glyphs),
  },
  {
    title: 'Fills',
    place: 'below',
    isKnown: ({ areFillsKnown }) => areFillsKnown,
    count: (model) => Math.min(ownFills(model).length, 8),
    rows: (model, { columns, rows }) => fillRows(ownFills(model).slice(0, Math.max(0, rows - 1)), columns),
  },
];

function ownFills(model: LiveModel): readonly Order[] {
  return model.fills.filter(({ account_id }) => account_id === model.accountId);
}

/** The rows between the accounts and the last row: the panels, and the market between them. */
function bodyRows(model: LiveModel, { selected }: ScreenView, { columns, rows }: ScreenSize, glyphs: Glyphs): Row[] {
  const listed = listedOf(model);
  const spaces = shares(
    panels.map((panel) => panel.count(model, listed) + 1),
    rows - 1 - minChartRows,
  );
  const drawn = panels.map((panel, at) => {
    if (!panel.isKnown(model)) return [unknownRow(panel.title)];
    const own = panel.selectFrom === undefined ? -1 : selected - panel.selectFrom(listed);
    const space = { columns, rows: spaces[at]!, listed, selected: own, glyphs };
    return cutOff(panel.rows(model, space), space.rows, own);
  });
  const placed = (place: Panel['place']) => drawn.filter((_, at) => panels[at]!.place === place).flat();
  const above = placed('above');
  const below = placed('below');
  const market = marketRows(model, { columns, rows: rows - 1 - above.length - below.length }, glyphs);
  return [...above, marketRow(model, columns), ...market, ...below];
}

/** The chosen market: its chart, and the ladder beside it. */
function marketRows(model: LiveModel, { columns, rows }: ScreenSize, glyphs: Glyphs): Row[] {
  const ladderWidth = Math.min(widestLadder, Math.max(minLadderWidth, Math.floor(columns * 0.3)));
  const width = columns - ladderWidth - 2;
  const orders = [...(model.account?.orders.values() ?? [])].filter((order) => isHere(order, model));
  const position = [...(model.account?.positions.values() ?? [])].find((one) => isHere(one, model));
  const fills = model.fills.filter((fill) => isHere(fill, model) && fill.account_id === model.accountId);
  const chart = {
    candles: candlesOf(model.candles.slice(-width)),
    levels: levelsOf(position, orders),
    fills: fillsOf(fills),
    decimals: decimalsOf(model.candles),
  };
  const heading =
    model.candles.length === 0
      ? [toned(`${model.chosen.symbol}  ${model.interval}  waiting for candles`, 'faint')]
      : chartHeading(model.chosen, model.candles.slice(-width));
  const left = [heading, ...candleChart(chart, { width, height: rows - 1 }, glyphs)];
  const right = ladder(model.book, orders, { width: ladderWidth, height: rows }, glyphs);
  return beside(left, width + 2, right);
}

function unknownRow(what: string): Row {
  return [toned(`${what}: not known yet`, 'faint')];
}

function isHere({ market_id }: { market_id: string }, { chosen }: LiveModel): boolean {
  return market_id === chosen.market_id;
}

function footerRow(view: ScreenView, glyphs: Glyphs, columns: number): Row {
  if (view.notice !== undefined) return fitted([toned(view.notice, 'warn')], columns);
  const { left, right, vertical } = glyphs.arrows;
  if (view.isTrading) {
    const keys = ' t leave  b buy  s sell  c close  x cancel  S stop  T target  F flatten  : other';
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

/** A table reduced to its space. The header stays; the rows scroll so that the selected one is visible. */
function cutOff(table: readonly Row[], space: number, selected: number): Row[] {
  const [header, ...rows] = table;
  if (header === undefined || rows.length < space) return [...table];
  const visible = Math.max(0, space - 1);
  const first = Math.max(0, Math.min(selected - visible + 1, rows.length - visible));
  return [header, ...rows.slice(first, first + visible)];
}

function exactly(rows: readonly Row[], count: number, width: number): Row[] {
  return Array.from({ length: count }, (_, at) => fitted(rows[at] ?? [], width));
}

/** A dialog in this many rows: the command, its output, and the question or a hint. */
export function dialogRows(dialog: Dialog, height: number): Row[] {
  const top: Row[] = [[], [toned('> perp ', 'faint'), ...commandCells(dialog)], []];
  const below = belowOf(dialog);
  const printed = dialog.stage === 'typing' ? [] : dialog.output.split('\n').slice(0, -1);
  const room = height - top.length - below.length;
  const fits = printed.length <= room;
  // A preview that is too long keeps its start, which describes the order, and its end, with the room to the floors.
  const half = Math.floor((room - 1) / 2);
  const hidden = printed.length - (room - 1);
  const shown = fits
    ? printed
    : [...printed.slice(0, half), `... ${hidden} more lines`, ...printed.slice(printed.length - (room - 1 - half))];
  return [...top, ...shown.map((text): Row => [text]), ...below];
}

function commandCells(dialog: Dialog): Row {
  if (dialog.stage !== 'typing') return [toned(dialog.text, 'strong')];
  const { text, cursor } = dialog;
  return [toned(text.slice(0, cursor), 'strong'), toned('_', 'warn'), toned(text.slice(cursor), 'strong')];
}

function belowOf(dialog: Dialog): Row[] {
  if (dialog.stage === 'typing') return [[toned('Enter shows the preview; Escape cancels.', 'faint')]];
  if (dialog.stage === 'asking') {
    const { question, typed } = dialog;
    return [[], [toned(typed === undefined ? `${question} (y/N)` : `${question}: ${typed}_`, 'warn')]];
  }
  return dialog.stage === 'done' ? [[], [toned('Any key goes back.', 'faint')]] : [[toned('...', 'faint')]];
}

/** The page that `?` shows. */
export function helpRows(glyphs: Glyphs): Row[] {
  const { left, right, vertical } = glyphs.arrows;
  const keys: readonly (readonly [string, string])[] = [
    [`${left} ${right}, h l, Tab`, 'previous and next market'],
    ['1 to 9', 'the market at this position in the strip'],
    ['[ ]', 'shorter and longer candles'],
    [`${vertical}, k j`, 'select a position or an order'],
    ['Enter', 'show the market of the selected row'],
    ['a', 'next account'],
    ['t', 'trading keys on and off: Enter previews a command, y sends it'],
    ['b s c x', 'buy, sell; close or cancel the selected position or order'],
    ['S T F :', 'stop, target, flatten, any command that trades'],
    ['?', 'this page'],
    ['q, Ctrl-C', 'quit'],
  ];
  const signs: readonly (readonly [string, string])[] = [
    [`${glyphs.buy} ${glyphs.sell}`, 'your buys and sells'],
    [glyphs.level.repeat(2), 'your orders, entry and liquidation price, named at the right'],
    ['ends at', 'liquidation price, or the price at which a floor is touched'],
    ['! !! !!!', '50, 80, 95% of the way to a floor is used; the bell rings once'],
  ];
  const rows = (pairs: readonly (readonly [string, string])[]): Row[] =>
    pairs.map(([key, does]) => ['  ', toned(key.padEnd(14), 'strong'), does]);
  return [[toned('Keys', 'faint')], ...rows(keys), [], [toned('Signs', 'faint')], ...rows(signs)];
}

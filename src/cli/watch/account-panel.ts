import type { DeskModel } from '../../desk/watch/desk-model.ts';
import { type FloorRoom, type Standing, standingOf } from '../../desk/watch/standing.ts';
import { signedUsd, stretch, usd } from '../../ground/text/format.ts';
import { wrap } from '../../ground/text/plain-text.ts';
import { nextTradingDayStart } from '../../terms/day.ts';
import type { Cell } from '../output/result.ts';
import { noFloorKnown } from '../views/account-view.ts';
import { endingCell, endingText, lockText } from '../views/ending-view.ts';
import { profitCell, statusCell } from '../views/tones.ts';
import { fitted, type Row, rowWidth, toned, widthOf } from './cells.ts';

/** Where and when the screen runs: facts that come from neither events nor keys. */
export interface Setting {
  /** The name of what the screen shows, with the account if it is live: `SIM default, synthetic`. */
  place(account: string | undefined): Cell;
  /** Whether it is a host, whose floors may exist without being reported. */
  readonly isHost: boolean;
  /** A time as local time of day: `06:00`. */
  localTime(ms: number): string;
}

/** The account in three rows: equity, floors, target and day; or how it ended. A lock has a row of its own. */
export function accountRows(model: DeskModel, setting: Setting, width: number): Row[] {
  const state = model.account;
  if (state === undefined) {
    const isNone = model.streams.isKnown('account') && model.accounts.size === 0;
    return [[toned(isNone ? 'This credential has no accounts.' : 'Waiting for the account.', 'faint')], [], []];
  }
  const { account } = state;
  const standing = standingOf(state, model);
  const equity: Row = [
    toned(account.name, 'strong'),
    ' ',
    ...(account.status === 'active' ? [] : [statusCell(account.status), ' ']),
    ' equity ',
    toned(money(standing.equity), 'strong'),
    '  pnl ',
    profitCell(standing.unrealized),
    `  balance ${usd(standing.balance)}`,
  ];
  const available = standing.available === undefined ? '' : `  available ${usd(standing.available)}`;
  // A figure that is cut off reads as another one.
  const isShown = account.status === 'active' && rowWidth(equity) + widthOf(available) <= width;
  const rest =
    account.status === 'active'
      ? [floorRow(standing, account.starting_balance * 0.01, setting, width), dayRow(model, standing, setting)]
      : endingRows(model, width);
  const lock = model.locks.get(account.id);
  const locked = lock === undefined ? [] : [[toned(`LOCKED by the guard ${lockText(lock)}`, 'warn')]];
  return [isShown ? [...equity, available] : equity, ...rest, ...locked].map((row) => fitted(row, width));
}

/** All of it, in as many rows as it takes. */
function endingRows({ account, endings }: DeskModel, width: number): Row[] {
  const ending = endings.get(account!.account.id);
  if (ending === undefined) return [['This account has ended.'], []];
  const said = wrap(endingText(ending), width, '').split('\n');
  const next = wrap(`Next: ${ending.next}`, width, '').split('\n');
  return [...said.map((text) => [endingCell(ending, text)]), ...next.map((text) => [toned(text, 'strong')])];
}

/** Both floors; without the word floor where it does not fit. */
function floorRow({ daily, drawdown }: Standing, thin: number, { isHost }: Setting, width: number): Row {
  if (daily === undefined && drawdown === undefined) return [isHost ? toned(noFloorKnown, 'warn') : 'no floors'];
  const row = (one: string, other: string): Row => {
    const cells = [floorCells('daily loss', daily, thin, one), floorCells('drawdown', drawdown, thin, other)];
    return cells.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['  ', ...part]));
  };
  const rows = [row('floor ', 'floor '), row('floor ', ''), row('', '')];
  return rows.find((one) => rowWidth(one) <= width) ?? rows.at(-1)!;
}

/** How much may still be lost, and where that ends: `daily loss: 2,917.46 left (floor 97,000.00)`. */
function floorCells(name: string, floor: FloorRoom | undefined, thin: number, label: string): Cell[] {
  if (floor === undefined) return [];
  const isThin = floor.room !== undefined && floor.room < thin;
  const room = toned(`${money(floor.room)}${isThin ? '!' : ''}`, isThin ? 'bad' : 'strong');
  return [`${name}: `, room, ` left (${label}${usd(floor.at)})`];
}

function dayRow({ time }: DeskModel, { toTarget }: Standing, { localTime }: Setting): Row {
  const turn = time === 0 ? undefined : nextTradingDayStart(time);
  const day = turn === undefined ? [] : [`day ends in ${stretch(turn - time)}, at ${localTime(turn)} here`];
  const target = toTarget === undefined ? [] : [toTarget > 0 ? `target ${usd(toTarget)} to go  ` : 'target reached  '];
  return [...target, ...day];
}

/** The other accounts, one row each. */
export function otherAccountRows(model: DeskModel, width: number): Row[] {
  const others = [...model.accounts.values()].filter(({ account }) => account.id !== model.accountId);
  return others.map((state) => {
    const { equity, daily, drawdown, unrealized } = standingOf(state, model);
    const ending = model.endings.get(state.account.id);
    const row: Row = [
      `${state.account.name}  `,
      ...(state.account.status === 'active' ? [] : [statusCell(state.account.status), '  ']),
      ...(model.locks.has(state.account.id) ? [toned('locked', 'warn'), '  '] : []),
      `equity ${money(equity)}  pnl `,
      profitCell(unrealized),
      ...(daily === undefined ? [] : [`  day room ${money(daily.room)}`]),
      ...(drawdown === undefined ? [] : [`  drawdown room ${money(drawdown.room)}`]),
      ...(ending === undefined ? [] : ['  ', endingCell(ending, endingText(ending))]),
    ];
    return fitted(row, width);
  });
}

/** The most important figures of the account, for a small terminal. */
export function shortAccountRows(model: DeskModel): Row[] {
  const state = model.account;
  if (state === undefined) return [['no data yet']];
  const { account } = state;
  const { equity, daily, drawdown, unrealized } = standingOf(state, model);
  const rooms = [daily?.room, drawdown?.room].filter((room) => room !== undefined);
  return [
    ...(account.status === 'active' ? [] : [[statusCell(account.status)]]),
    ...(model.locks.has(account.id) ? [[toned('locked', 'warn')]] : []),
    [`eq ${whole(equity)}`],
    ...(rooms.length === 0 ? [] : [[`room ${whole(Math.min(...rooms))}`]]),
    ['pnl ', unrealized === undefined ? '' : signedUsd(unrealized)],
  ];
}

function money(value: number | undefined): string {
  return value === undefined ? '-' : usd(value);
}

/** Whole dollars, for a narrow terminal. */
function whole(value: number | undefined): string {
  return value === undefined ? '-' : usd(Math.floor(value)).replace('.00', '');
}

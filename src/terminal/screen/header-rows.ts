import { nextTradingDayStart } from '../../base/terms/day.ts';
import { quantity, signedUsd, stretch, usd, word } from '../../base/text/format.ts';
import { wrap } from '../../base/text/plain-text.ts';
import type { OpenAccount } from '../../desk/account/account-state.ts';
import { actingText } from '../../desk/account/acting.ts';
import { noAccounts, titleOf } from '../../desk/resolve/account.ts';
import { type Challenge, challengeOf, type Gauge, type Severity } from '../../desk/watch/challenge.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { heldIn, standingOf, sumOfKnown } from '../../desk/watch/standing.ts';
import type { StreamRow, StreamTable, Subject } from '../../wire/client/streams/stream-state.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import { apart, fitted, type Row, rowWidth, toned, widthOf, withMore } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import { type Cell, profitCell, sideCell, statusCell, type Tone } from '../console/output/result.ts';
import { noFloorKnown } from '../console/views/account-view.ts';
import { endingCell, endingText, lockText } from '../console/views/ending-view.ts';
import { saidRows } from './cockpit-view.ts';
import type { ScreenView } from './view.ts';
import type { WaitingApprovals } from './waiting-approvals.ts';

/** The first row: where, when, and the state of the streams. */
export function headerRow(model: LiveModel, { place }: Setting, width: number): Row {
  const time = model.time === 0 ? '' : `  ${new Date(model.time).toISOString().slice(11, 19)}Z`;
  const where = place(model.account?.account.id);
  const troubles = subjects.map((subject) => troubleOf(model.streams, subject)).filter((one) => one !== undefined);
  if (troubles.length === 0) return apart([where, time], [toned('connected', 'good')], width);
  // On a narrow screen, problems take precedence over the age of the data, and that over why they can't be read.
  const told = [3, 2, 1].map((parts) => troubles.map((trouble) => trouble.slice(0, parts).join('')).join('; '));
  const shown = told.find((text) => rowWidth([where, '  ', text]) <= width) ?? told.at(-1)!;
  const [reason] = subjects.flatMap((subject) => reasonOf(model.streams, subject) ?? []);
  return fitted([where, '  ', toned(reason === undefined ? shown : `${shown} (${reason})`, 'warn'), time], width);
}

const subjects: readonly Subject[] = ['market', 'account'];

/** A stream's problem, the age of its data, and why they can't be read; undefined while it is live. */
function troubleOf(streams: StreamTable, subject: Subject): string[] | undefined {
  const { stream, source, restProblem, wasAccepted } = streams.of(subject);
  if (stream.kind === 'live') return undefined;
  const age = streams.ageMs(subject);
  const isPolled = source === 'rest' && age < restGraceMs;
  const current = isPolled ? ', reading every 5s' : source === null ? '' : `, ${stretch(Math.max(1_000, age))} old`;
  const problem = restProblem === null ? '' : `, can't read: ${restProblem}`;
  return [`${subject} stream ${stateWords(stream, wasAccepted)}`, current, problem];
}

/** Why a connection ended, unless its state already says so. */
function reasonOf(streams: StreamTable, subject: Subject): string | undefined {
  const { stream } = streams.of(subject);
  if (stream.kind === 'ended') return stream.reason;
  return stream.kind === 'reconnecting' && stream.end.status === undefined ? stream.reason : undefined;
}

function stateWords(stream: StreamRow['stream'], wasAccepted: boolean): string {
  if (stream.kind === 'absent') return 'not set';
  if (stream.kind === 'stale') return 'silent';
  if (stream.kind !== 'reconnecting') return stream.kind;
  const { status } = stream.end;
  return status === undefined ? (wasAccepted ? 'lost' : 'not available') : `refused (HTTP ${status})`;
}

/** A read over REST may be this old before its age is shown, ms. */
const restGraceMs = 12_000;

/** The watched markets in one row, around the chosen one, which is in brackets. */
export function marketRow(model: LiveModel, width: number): Row {
  const items = model.watched.map((market): Row => {
    const { mid, last } = model.prices(market.market_id);
    const change = model.change(market.market_id);
    const isChosen = market.market_id === model.chosen.market_id;
    return [
      isChosen ? '[' : ' ',
      toned(market.symbol, isChosen ? 'strong' : undefined),
      ` ${mid ?? last ?? '...'}`,
      ...(change === undefined
        ? []
        : [toned(` ${change > 0 ? '+' : ''}${change.toFixed(1)}%`, change < 0 ? 'bad' : 'good')]),
      isChosen ? ']' : ' ',
      ' ',
    ];
  });
  const chosen = model.watched.findIndex(({ market_id }) => market_id === model.chosen.market_id);
  let first = 0;
  let after = chosen + 1;
  const widthOf = (from: number, to: number) => items.slice(from, to).reduce((sum, item) => sum + rowWidth(item), 0);
  const room = widthOf(0, items.length) <= width + 1 ? width + 1 : width - 4;
  while (first < chosen && widthOf(first, after) > room) first++;
  while (after < items.length && widthOf(first, after + 1) <= room) after++;
  return withMore(items.slice(first, after).flat(), items.length - (after - first), width);
}

/** The most important figures, for a terminal that is too small for the whole screen. */
export function shortRows(model: LiveModel, { notice }: ScreenView, { place }: Setting, width: number): Row[] {
  const { mid } = model.prices(model.chosen.market_id);
  const trouble = subjects.find((subject) => !model.streams.isLive(subject));
  const rows: Row[] = [
    [place(model.account?.account.id)],
    ...shortAccountRows(
      model,
      trouble === undefined ? [] : [[toned(`${trouble} ${model.streams.of(trouble).stream.kind}`, 'warn')]],
    ),
    [`${model.chosen.symbol} ${mid ?? ''}`],
    ...[...(model.account?.positions.values() ?? [])].map(
      ({ symbol, side, size }): Row => [`${symbol} `, sideCell(side), ` ${quantity(size)}`],
    ),
  ];
  return [...rows, ...saidRows(notice === undefined ? [] : [{ text: notice, isBad: true }], width, rows.length)];
}

/** Where and when the screen runs: facts that come from neither events nor keys. */
export interface Setting {
  /** The name of the screen's target, with the account if it is live: `SIM default, synthetic`. */
  place(account: string | undefined): Cell;
  /** Whether it is a host, whose floors may exist without being reported. */
  readonly isHost: boolean;
  /** A time as local time of day: `06:00`. */
  localTime(ms: number): string;
  /** Requests that wait for a person at a gate of this machine. */
  readonly approvals?: Pick<WaitingApprovals, 'rows'>;
}

/**
 * The account in four rows: equity, both floors as gauges, the day; or how it ended. A lock has its own row, as do
 * waiting approvals. These rows are above every view of the screen.
 */
export function accountRows(model: LiveModel, setting: Setting, width: number, glyphs: Glyphs): Row[] {
  const state = model.account;
  const waiting = setting.approvals?.rows(width) ?? [];
  if (state === undefined) {
    const isNone = model.streams.isKnown('account') && model.accounts.size === 0;
    return [[toned(isNone ? noAccounts : 'Waiting for the account.', 'faint')], [], [], [], ...waiting];
  }
  const { account } = state;
  const challenge = challengeOf(state, model);
  const { standing } = challenge;
  const equity: Row = [
    toned(titleOf(account), 'strong'),
    ' ',
    ...(account.status === 'active' ? [] : [toned(` ${word(account.status).toUpperCase()} `, 'alarm'), ' ']),
    ' equity ',
    toned(money(standing.equity), 'strong'),
    '  pnl ',
    profitCell(standing.unrealized),
    `  balance ${usd(standing.balance)}`,
  ];
  const available = standing.available === undefined ? '' : `  available ${usd(standing.available)}`;
  // A truncated figure reads as another one.
  const isShown = account.status === 'active' && rowWidth(equity) + widthOf(available) <= width;
  const rest =
    account.status === 'active'
      ? [...gaugeRows(challenge, account, setting, width, glyphs), dayRow(model, challenge, setting, width)]
      : endingRows(model, width);
  const lock = model.locks.get(account.id);
  const locked = lock === undefined ? [] : [[toned(`LOCKED by the guard ${lockText(lock)}`, 'alarm')]];
  return [isShown ? [...equity, available] : equity, ...rest, ...locked, ...actingRows(model, width), ...waiting];
}

/** Further sources of automatic orders are only counted. */
const maxActing = 2;

function actingRows({ acting }: LiveModel, width: number): Row[] {
  const shown = acting.length > maxActing ? acting.slice(0, maxActing - 1) : acting;
  const rows: Row[] = shown.map((one) => [toned(actingText(one, width), 'warn')]);
  if (shown.length < acting.length)
    rows.push([toned(`${acting.length - shown.length} more; see perp accounts show`, 'warn')]);
  return rows;
}

/** All of it, in as many rows as necessary. */
function endingRows({ account, endings }: LiveModel, width: number): Row[] {
  const ending = endings.get(account!.account.id);
  if (ending === undefined)
    return [[toned(`${word(account!.account.status).toUpperCase()}, no new orders`, 'bad')], []];
  const said = wrap(endingText(ending), width, '').split('\n');
  const next = wrap(`Next: ${ending.next}`, width, '').split('\n');
  return [...said.map((text) => [endingCell(ending, text)]), ...next.map((text) => [toned(text, 'strong')])];
}

/** The signs of the severities at 50, 80 and 95%: no meaning depends on color alone. */
const signs = ['', '!', '!!', '!!!'] as const;
const tones = [undefined, 'warn', 'bad', 'alarm'] as const;
const longestGauge = 24;
const shortestGauge = 8;

/** A row for each floor: `daily loss  ███░░░░░░░  12% used    2,640.00 left  5.3R  floor 97,000.00`. */
function gaugeRows({ gauges }: Challenge, account: Account, { isHost }: Setting, width: number, glyphs: Glyphs): Row[] {
  if (gauges.length === 0) return [[isHost ? toned(noFloorKnown, 'warn') : 'no floors']];
  const rooms = gauges.map((one) => `${money(one.room)}${signOf(one, account)}`);
  const widest = Math.max(...rooms.map(widthOf));
  const rows = (bar: number, hasFloor: boolean): Row[] =>
    gauges.map((gauge, at) => gaugeRow(gauge, { room: rooms[at]!.padStart(widest), bar, hasFloor }, glyphs));
  const barWidth = (hasFloor: boolean) => width - Math.max(...rows(0, hasFloor).map(rowWidth));
  const hasFloor = barWidth(true) >= shortestGauge;
  return rows(Math.max(0, Math.min(longestGauge, barWidth(hasFloor))), hasFloor);
}

function gaugeRow(gauge: Gauge, { room, bar, hasFloor }: GaugeLook, glyphs: Glyphs): Row {
  const { name, used, severity, roomInR, at } = gauge;
  const tone = tones[severity];
  const filled = Math.round((used ?? 0) * bar);
  return [
    name.padEnd(10),
    '  ',
    toned(glyphs.gauge.used.repeat(filled), tone),
    toned(glyphs.gauge.left.repeat(bar - filled), 'faint'),
    used === undefined ? '            ' : `  ${String(Math.floor(used * 100)).padStart(3)}% used`,
    '  ',
    toned(room, tone ?? 'strong'),
    ' left',
    ...(roomInR === undefined ? [] : [`  ${roomInR.toFixed(1)}R`]),
    ...(hasFloor ? [`  floor ${usd(at)}`] : []),
  ];
}

interface GaugeLook {
  readonly room: string;
  readonly bar: number;
  readonly hasFloor: boolean;
}

/** The sign of a gauge's severity. Where the allowance is not known: less than 1% of the starting balance is left. */
function signOf({ used, severity, room }: Gauge, { starting_balance: balance }: Account): string {
  if (used !== undefined || room === undefined) return signs[severity];
  return room < balance * 0.01 ? '!' : '';
}

/** The important figures of the day; if there is no space, the last parts are left out first. */
function dayRow({ time }: LiveModel, challenge: Challenge, { localTime }: Setting, width: number): Row {
  const { uncovered, dayPnl, dayFills, carry, standing } = challenge;
  const turn = time === 0 ? undefined : nextTradingDayStart(time);
  const { toTarget } = standing;
  const open = uncovered.map(({ symbol, size }) => `${quantity(size)} ${word(symbol)}`).join(', ');
  const fills = dayFills && `${dayFills.count}${dayFills.isAll ? '' : ' or more'}`;
  const parts: Row[] = [
    ...(open === '' ? [] : [[toned(`NO STOP: ${open}`, 'warn')]]),
    ...(dayPnl === undefined ? [] : [['day ', profitCell(Number(dayPnl.toFixed(2)))]]),
    ...(fills === undefined ? [] : [[`${fills} ${fills === '1' ? 'fill' : 'fills'}`]]),
    ...(turn === undefined ? [] : [[`day ends in ${stretch(turn - time)}, at ${localTime(turn)} here`]]),
    ...(toTarget === undefined ? [] : [[toTarget > 0 ? `target ${usd(toTarget)} to go` : 'target reached']]),
    ...(carry === undefined ? [] : [[`carry ${usd(carry)} until the day ends`]]),
  ];
  let row: Row = [];
  for (const part of parts) {
    const longer: Row = row.length === 0 ? part : [...row, '  ', ...part];
    if (rowWidth(longer) <= width || row.length === 0) row = longer;
  }
  return row;
}

/** The other accounts, one row each. */
export function otherAccountRows(model: LiveModel, width: number): Row[] {
  const others = [...model.accounts.values()].filter(({ account }) => account.id !== model.accountId);
  return others.map((state) => {
    const { standing, gauges } = challengeOf(state, model);
    const { equity, unrealized } = standing;
    const ending = model.endings.get(state.account.id);
    const row: Row = [
      `${titleOf(state.account)}  `,
      ...(state.account.status === 'active' ? [] : [statusCell(state.account.status), '  ']),
      ...(model.locks.has(state.account.id) ? [toned('locked', 'warn'), '  '] : []),
      `equity ${money(equity)}  pnl `,
      profitCell(unrealized),
      ...gauges.flatMap(
        (gauge): Row => [
          `  ${gauge.name === 'drawdown' ? 'drawdown' : 'day'} room `,
          toned(`${money(gauge.room)}${signOf(gauge, state.account)}`, tones[gauge.severity]),
        ],
      ),
      ...(ending === undefined ? [] : ['  ', endingCell(ending, endingText(ending))]),
    ];
    return fitted(row, width);
  });
}

/** All accounts together: their total value, and the possible loss at their stops or, without one, the maximum. */
export function sumRow(model: LiveModel, width: number): Row {
  const states = [...model.accounts.values()];
  const standings = states.map((state) => standingOf(state, model));
  const risks = states.flatMap((state) => heldIn(state, model).map(({ risk }) => risk.loss));
  const risk = sumOfKnown(risks);
  return fitted(
    [
      toned(`All ${states.length} accounts`, 'strong'),
      ...alarmCells(states, model).flatMap((cell) => ['  ', cell]),
      `  equity ${money(sumOfKnown(standings.map(({ equity }) => equity)))}  pnl `,
      profitCell(sumOfKnown(standings.map(({ unrealized }) => unrealized))),
      `  risk ${risk === undefined ? 'not known' : usd(risk)}`,
    ],
    width,
  );
}

/** How many accounts have ended, are locked, or are near a floor: `1 FAILED`, `2 locked`, `1 !!`. */
function alarmCells(states: readonly OpenAccount[], model: LiveModel): Cell[] {
  const counts = new Map<string, { count: number; tone: Tone | undefined }>();
  for (const state of states) {
    const { id, status } = state.account;
    const severity = Math.max(0, ...challengeOf(state, model).gauges.map((one) => one.severity)) as Severity;
    const found: (readonly [string, Tone | undefined])[] = [
      ...(status === 'active' ? [] : [[word(status).toUpperCase(), 'bad'] as const]),
      ...(model.locks.has(id) ? [['locked', 'warn'] as const] : []),
      ...(severity === 0 ? [] : [[signs[severity], tones[severity]] as const]),
    ];
    for (const [what, tone] of found) counts.set(what, { count: (counts.get(what)?.count ?? 0) + 1, tone });
  }
  return [...counts].map(([what, { count, tone }]) => toned(`${count} ${what}`, tone));
}

/** The most important figures of the account, for a small terminal; `trouble` is their problem. */
export function shortAccountRows(model: LiveModel, trouble: readonly Row[] = []): Row[] {
  const state = model.account;
  if (state === undefined) return [...trouble, ['no data yet']];
  const { account } = state;
  const { standing, gauges } = challengeOf(state, model);
  const { equity, unrealized } = standing;
  const rooms = gauges.flatMap(({ room }) => room ?? []);
  const sign = signs[Math.max(0, ...gauges.map(({ severity }) => severity)) as Severity];
  const alarms: Cell[] = [
    ...(account.status === 'active' ? [] : [toned(word(account.status).toUpperCase(), 'alarm'), ' ']),
    ...(model.locks.has(account.id) ? [toned('locked', 'warn'), ' '] : []),
    ...(sign === '' ? [] : [toned(sign, 'alarm')]),
  ];
  return [
    // Comes first, because lower rows may be cut off.
    ...(alarms.length === 0 ? [] : [alarms]),
    ...trouble,
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

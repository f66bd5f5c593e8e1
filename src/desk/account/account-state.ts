import type { Account, AccountTradingPolicy, CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import type { AccountFrame } from '../../wire/contract/streams.ts';
import { filledAt } from '../risk/trade.ts';

/**
 * A fact and when it was true: at `exchangeAt`, Unix ms, and not before `asOf`, on the clock of the reader: when its
 * frame came, or its read was sent. While it is unknown, `last` is the last known value.
 */
type Observed<T> = Known<T> | { readonly unknown: string; readonly last?: Known<T> | undefined };

interface Known<T> {
  readonly value: T;
  readonly exchangeAt: number;
  readonly asOf: number;
}

/** The known state of an account, part by part. */
export interface Parts {
  readonly account: Account;
  /** Open ones, by id. */
  readonly positions: ReadonlyMap<string, Position>;
  /** Pending and resting orders, by id. */
  readonly working: ReadonlyMap<string, Order>;
  /** Running TWAPs and VWAPs; the streams don't report them. */
  readonly parents: readonly TwapOrder[];
  /** The latest ones, by id, newest first. */
  readonly fills: ReadonlyMap<string, Order>;
  /** Null: the host has none. */
  readonly policy: AccountTradingPolicy | null;
  /** The groups in which accounts are copied; the streams don't report them. */
  readonly copies: readonly CopyTradingConfiguration[];
}

/** A part of an account's known state. */
export type PartName = keyof Parts;

/** The parts of one account; `changes` are the frames' recent reports of single records. */
export interface AccountState {
  readonly parts: { readonly [Name in PartName]: Observed<Parts[Name]> };
  readonly changes: Readonly<Record<Listed, Changes>>;
  /**
   * Fills after this one may be missing until they are read; null: none is known before them; undefined: nothing is
   * missing, or fills were never read.
   */
  readonly gap: { readonly after: string | null } | undefined;
  /** A read that was sent no later than this isn't merged: newer facts are known, or were lost. */
  readonly barredUntil: Readonly<Record<PartName, number>>;
}

/** Parts whose records change one by one. */
type Listed = 'positions' | 'working';
type Row = Position | Order;

/** The last report of single records in frames, by id, and when; undefined if it is no longer open. */
type Changes = ReadonlyMap<string, { readonly at: number; readonly row: Row | undefined }>;

/** The known state of all accounts of a credential. It never changes; each function returns the next one. */
export interface AccountStates {
  /** Identity of the simulation's run; undefined until it is known, and on a host. */
  readonly run: string | undefined;
  /** The latest exchange time, Unix ms; 0 until it is known. */
  readonly time: number;
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Accounts of the snapshots being received; null if none are. */
  readonly snapshots: ReadonlySet<string> | null;
}

/** Parts that the account stream reports. */
const streamed: readonly PartName[] = ['account', 'positions', 'working', 'fills'];
const everyPart: readonly PartName[] = [...streamed, 'parents', 'policy', 'copies'];
/** Maximum number of fills kept for each account, and of changes for each of its lists. */
const maxFills = 500;
const maxChanges = 1_000;

const never = Number.NEGATIVE_INFINITY;

/** One value for every part. */
function forParts<T>(of: (name: PartName) => T): Record<PartName, T> {
  return Object.fromEntries(everyPart.map((name) => [name, of(name)])) as Record<PartName, T>;
}

/** An account before any read. */
export const unreadState: AccountState = {
  parts: forParts(() => ({ unknown: 'not read yet' })),
  changes: { positions: new Map(), working: new Map() },
  gap: undefined,
  barredUntil: forParts(() => never),
};

/** The first state of a run, with everything unknown. Everything known of another run is dropped with it. */
export function begin(run?: string): AccountStates {
  return { run, time: 0, accounts: new Map(), snapshots: null };
}

/** The value; undefined while it is unknown. */
export function known<T>(told: Observed<T>): T | undefined {
  return 'value' in told ? told.value : undefined;
}

/** The last known value; undefined if there was none. */
export function lastKnown<T>(told: Observed<T>): T | undefined {
  return lastOf(told)?.value;
}

/** When a part was last known to be true, on the clock of the reader. */
export function asOf(told: Observed<unknown>): number {
  return lastOf(told)?.asOf ?? never;
}

/**
 * Applies a frame of the account stream that arrived at this time, on the clock of the reader. The sum equals REST's
 * answers, except for values that marks alone change (an account's `risk`, a position's `liquidation_price`).
 */
export function apply(before: AccountStates, frame: AccountFrame, at: number): AccountStates {
  if (frame.type === 'hello') return frame.resumed ? revived(before) : { ...before, snapshots: new Set() };
  if (frame.type === 'snapshot_end') {
    const { snapshots } = before;
    // An account without a snapshot is no longer accessible.
    const accounts = [...before.accounts].filter(([id]) => snapshots?.has(id) !== false);
    return { ...before, snapshots: null, accounts: new Map(accounts) };
  }
  if (!('account_id' in frame)) return before;
  const states = timed(before, frame.time);
  const { account_id: id } = frame;
  if (frame.type === 'account' && frame.event === 'removed') return without(states, id);
  const state = states.accounts.get(id);
  if (frame.type === 'snapshot') {
    const snapshots = states.snapshots && new Set([...states.snapshots, id]);
    return { ...withState(states, id, snapshotOf(state ?? unreadState, frame, at)), snapshots };
  }
  return withState(states, id, changed(state ?? unreadState, frame, at));
}

/** When a read was sent, on the clock of the reader, and exchange time, if its answer said so. */
interface ReadTimes {
  readonly askedAt: number;
  readonly exchangeAt?: number | undefined;
}

/**
 * Takes over what was read. It never overwrites later frames or reads; a read that was sent before a loss doesn't end
 * it.
 */
export function merge<Name extends PartName>(
  before: AccountStates,
  id: string,
  name: Name,
  read: Parts[Name],
  { askedAt, exchangeAt }: ReadTimes,
): AccountStates {
  const state = before.accounts.get(id) ?? unreadState;
  if (askedAt <= state.barredUntil[name])
    return name === 'fills' ? withState(before, id, withEarlier(state, read as Parts['fills'], askedAt)) : before;
  const states = exchangeAt === undefined ? before : timed(before, exchangeAt);
  const value = { value: mergedWith(state, name, read, askedAt), exchangeAt: exchangeAt ?? states.time, asOf: askedAt };
  return withState(states, id, {
    ...state,
    parts: { ...state.parts, [name]: value },
    gap: name === 'fills' ? undefined : state.gap,
    barredUntil: { ...state.barredUntil, [name]: askedAt },
  });
}

/**
 * From now on, parts are unknown until they are read or reported again: those that the stream reports, because it was
 * lost, or all, because its machine stood still.
 */
export function lost(before: AccountStates, at: number, which: 'streamed' | 'all' = 'streamed'): AccountStates {
  const isLost = (name: PartName) => which === 'all' || streamed.includes(name);
  const why = which === 'all' ? 'not read since the interruption' : 'the account stream was lost';
  const accounts = each(before, (state) => {
    const { parts, barredUntil } = state;
    return {
      ...state,
      parts: partsOf((name) => (isLost(name) ? { unknown: why, last: lastOf<unknown>(parts[name]) } : parts[name])),
      gap: gapIn(state),
      barredUntil: forParts((name) => (isLost(name) ? Math.max(barredUntil[name], at) : barredUntil[name])),
    };
  });
  return { ...before, accounts, snapshots: null };
}

function partsOf(of: (name: PartName) => Observed<unknown>): AccountState['parts'] {
  return forParts(of) as AccountState['parts'];
}

/** The stream continues where it was lost: the missed frames come next, so the last known values are known again. */
export function revived(before: AccountStates): AccountStates {
  const accounts = each(before, (state) => {
    const { parts, gap } = state;
    const isRevived = (name: PartName) => streamed.includes(name) && (name !== 'fills' || gap !== undefined);
    return {
      ...state,
      parts: partsOf((name) => (isRevived(name) ? (lastOf<unknown>(parts[name]) ?? parts[name]) : parts[name])),
      gap: undefined,
    };
  });
  return { ...before, snapshots: null, accounts };
}

/** Drops the accounts that a list of all accounts doesn't have: they are no longer accessible. */
export function listed(before: AccountStates, ids: readonly string[]): AccountStates {
  const accounts = [...before.accounts].filter(([id]) => ids.includes(id));
  return accounts.length === before.accounts.size ? before : { ...before, accounts: new Map(accounts) };
}

/** Exchange time from another source, such as the market stream; it only advances within a run. */
function timed(before: AccountStates, time: number): AccountStates {
  return time > before.time ? { ...before, time } : before;
}

/** Whether the fills were read, so that an empty list means none; those of a gap may be missing. */
export function areFillsRead({ parts, gap }: AccountState): boolean {
  return 'value' in parts.fills || gap !== undefined;
}

/** An account as its parts were last known. */
export interface OpenAccount {
  readonly account: Account;
  readonly positions: ReadonlyMap<string, Position>;
  readonly orders: ReadonlyMap<string, Order>;
}

const opened = new WeakMap<AccountState, OpenAccount | undefined>();

/** An account's open positions and orders, as last known; undefined before anything was known of it. */
export function openIn(state: AccountState | undefined): OpenAccount | undefined {
  if (state === undefined) return undefined;
  if (!opened.has(state)) {
    const { account, positions, working } = state.parts;
    const value = lastKnown(account);
    const open = { positions: lastKnown(positions) ?? new Map(), orders: lastKnown(working) ?? new Map() };
    opened.set(state, value && { account: value, ...open });
  }
  return opened.get(state);
}

function lastOf<T>(told: Observed<T>): Known<T> | undefined {
  return 'value' in told ? told : told.last;
}

/** Fills read before some may have been missed: those after them are a gap. */
function withEarlier(state: AccountState, read: Parts['fills'], askedAt: number): AccountState {
  const { fills: told } = state.parts;
  const { exchangeAt } = lastOf(told) ?? { exchangeAt: 0 };
  const fills = retold(told, fillsOf(read.values(), lastKnown(told)), exchangeAt, askedAt);
  const gap = 'value' in told ? undefined : (state.gap ?? { after: read.keys().next().value ?? null });
  return { ...state, parts: { ...state.parts, fills }, gap };
}

/** The last fill before a gap of unknown ones. */
function gapIn({ parts, gap }: AccountState): AccountState['gap'] {
  const fills = known(parts.fills);
  return fills === undefined ? gap : { after: fills.keys().next().value ?? null };
}

type Change = Exclude<Extract<AccountFrame, { account_id: string }>, { type: 'snapshot' }>;

function changed(state: AccountState, frame: Change, at: number): AccountState {
  const exchangeAt = frame.time;
  if (frame.type === 'fill') {
    const fills = fillsOf([frame.fill], lastKnown(state.parts.fills));
    return { ...state, parts: { ...state.parts, fills: retold(state.parts.fills, fills, exchangeAt, at) } };
  }
  if (frame.type === 'account') {
    const isNew = frame.event === 'opened' && lastOf(state.parts.positions) === undefined;
    const none = { value: new Map(), exchangeAt, asOf: at };
    const parts = isNew ? { ...state.parts, positions: none, working: none } : state.parts;
    const account = { value: frame.account, exchangeAt, asOf: at };
    return { ...state, parts: { ...parts, account }, barredUntil: { ...state.barredUntil, account: at } };
  }
  if (frame.type === 'position') {
    const { event, position } = frame;
    return rowChanged(state, 'positions', position.id, event === 'closed' ? undefined : position, { exchangeAt, at });
  }
  const { event, order } = frame;
  return rowChanged(state, 'working', order.id, isWorking(event) ? order : undefined, { exchangeAt, at });
}

function rowChanged(
  state: AccountState,
  name: Listed,
  id: string,
  row: Row | undefined,
  { exchangeAt, at }: { exchangeAt: number; at: number },
): AccountState {
  const changes = new Map(state.changes[name]);
  changes.delete(id);
  changes.set(id, { at, row });
  const barredUntil = { ...state.barredUntil };
  for (const [oldest, { at: since }] of changes) {
    if (changes.size <= maxChanges) break;
    changes.delete(oldest);
    barredUntil[name] = Math.max(barredUntil[name], since);
  }
  const told: Observed<ReadonlyMap<string, Row>> = state.parts[name];
  const rows = lastKnown(told);
  const next = rows && withRow(rows, id, row);
  const part = next === undefined ? told : retold(told, next, exchangeAt, at);
  return {
    ...state,
    parts: { ...state.parts, [name]: part },
    changes: { ...state.changes, [name]: changes },
    barredUntil,
  };
}

/** A part with a new value, as certain as before. */
function retold<T>(told: Observed<T>, value: T, exchangeAt: number, at: number): Observed<T> {
  const next = { value, exchangeAt, asOf: at };
  return 'value' in told ? next : { ...told, last: next };
}

function snapshotOf(
  state: AccountState,
  { account, positions, orders, time: exchangeAt }: Extract<AccountFrame, { type: 'snapshot' }>,
  at: number,
): AccountState {
  const told = <T>(value: T) => ({ value, exchangeAt, asOf: at });
  const open = { account: told(account), positions: told(byId(positions)), working: told(byId(orders)) };
  // Fills before it were not reported.
  const fills: Observed<Parts['fills']> = { unknown: 'not read since the snapshot', last: lastOf(state.parts.fills) };
  return {
    parts: { ...state.parts, ...open, fills },
    changes: unreadState.changes,
    gap: gapIn(state),
    barredUntil: { ...state.barredUntil, account: at, positions: at, working: at, fills: at },
  };
}

function mergedWith(
  { parts, changes }: AccountState,
  name: PartName,
  read: Parts[PartName],
  askedAt: number,
): Parts[PartName] {
  if (name === 'fills') return fillsOf((read as Parts['fills']).values(), lastKnown(parts.fills));
  if (name !== 'positions' && name !== 'working') return read;
  let rows = read as ReadonlyMap<string, Row>;
  for (const [id, { at, row }] of changes[name]) if (at >= askedAt) rows = withRow(rows, id, row);
  return rows as Parts[PartName];
}

function fillsOf(fresh: Iterable<Order>, before: ReadonlyMap<string, Order> = new Map()): ReadonlyMap<string, Order> {
  const news = [...fresh].filter(({ id }) => !before.has(id));
  if (news.length === 0) return before;
  return byId([...news, ...before.values()].sort((one, other) => filledAt(other) - filledAt(one)).slice(0, maxFills));
}

/** Records by their ids. */
export function byId<R extends { readonly id: string }>(rows: Iterable<R>): ReadonlyMap<string, R> {
  return new Map([...rows].map((row) => [row.id, row]));
}

/** A changed record keeps its place. */
function withRow<R>(rows: ReadonlyMap<string, R>, id: string, row: R | undefined): ReadonlyMap<string, R> {
  if (row === undefined && !rows.has(id)) return rows;
  const next = new Map(rows);
  if (row === undefined) next.delete(id);
  else next.set(id, row);
  return next;
}

/** Whether the order is still working; an unknown event does not end it. */
function isWorking(event: string): boolean {
  return event !== 'filled' && event !== 'canceled' && event !== 'rejected' && event !== 'expired';
}

function each(states: AccountStates, change: (state: AccountState) => AccountState): ReadonlyMap<string, AccountState> {
  return new Map([...states.accounts].map(([id, state]) => [id, change(state)]));
}

function withState(states: AccountStates, id: string, state: AccountState): AccountStates {
  return { ...states, accounts: new Map(states.accounts).set(id, state) };
}

function without(states: AccountStates, id: string): AccountStates {
  const accounts = new Map(states.accounts);
  accounts.delete(id);
  return { ...states, accounts };
}

/** A clock that always advances, so that no two events have the same time: `now` is in ms. */
export function forward(now: () => number): () => number {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(now(), last + 1e-6);
    return last;
  };
}

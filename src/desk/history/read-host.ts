import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formerPlacesOf, placeOf, stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile, renameFormer, writePrivateFile } from '../../base/files/private-files.ts';
import { hourMs, hourStart, nextHourStart } from '../../base/terms/day.ts';
import { divideRounded, toMoney } from '../../base/terms/decimal.ts';
import { counted } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { SimulationFill } from '../../wire/contract/simulation-history.ts';
import { exchangeTime } from '../resolve/time.ts';
import type { Session } from '../session/session.ts';
import { type AccountRecords, fillOf, foldHistory, type Ms, type Payment, type Trip } from './records.ts';

const pageSize = 100;
/** After this many pages in a row, each further page waits: hosts limit requests per minute. */
const quickPages = 50;
const pauseMs = 400;
/** The copy is also written in between, so that little is lost if this process is killed. */
const pagesBetweenWrites = 50;

/**
 * Reads an account's history from a host: the fills and closed positions that the local copy does not have yet. Data
 * that was read is kept even if reading fails or is interrupted; the next call continues from there.
 */
export async function readHost(session: Session, accountId: string): Promise<AccountRecords> {
  const { environment, baseUrl = '' } = session.settings;
  const file = copyFile(session.machine.variables, { environment, baseUrl, accountId });
  const copy = readCopy(file, () => session.note('The local copy of the fills was damaged; reading them again.'));
  await bringUpToDate(session, accountId, copy, () => writeCopy(file, copy));
  const { data: open } = await session.call('listOpenPositions', { query: { account_id: accountId } });
  const { data: account } = await session.call('getAccount', { path: { account_id: accountId } });
  const fills = (copy.fills[0]?.items ?? []).map(fillOf).reverse();
  const positions = [...(copy.positions[0]?.items ?? []).toReversed(), ...open.map(briefPosition)];
  const now = account.risk?.observed_at ?? (await exchangeTime(session));
  const payments = paymentsOf(foldHistory(fills, []).trips, positions, now);
  return { account, fills, payments, approximations: approximationsOf(payments, positions) };
}

async function bringUpToDate(session: Session, accountId: string, copy: FillCopy, write: () => void): Promise<void> {
  let pages = 0;
  const page = async (cursor: string | undefined) => {
    pages += 1;
    if (pages % pagesBetweenWrites === 0) write();
    if (pages > quickPages) await sleep(pauseMs, undefined, { signal: session.signal });
    return { account_id: accountId, limit: pageSize, ...(cursor !== undefined && { cursor }) };
  };
  const read = async () => {
    await extend(
      copy.fills,
      (fill) => fill.order_id,
      async (cursor) => {
        const { body } = await session.call('listFills', { query: await page(cursor) });
        return { items: briefFills(body.data), cursor: body.has_more ? body.next_cursor : undefined };
      },
    );
    await extend(
      copy.positions,
      (position) => position.id,
      async (cursor) => {
        const query = { status: 'closed', ...(await page(cursor)) } as const;
        const { body } = await session.call('listOpenPositions', { query });
        const next = body.has_more === true ? body.next_cursor : undefined;
        return { items: body.data.map(briefPosition), cursor: next };
      },
    );
  };
  const isCutOff = [...copy.fills, ...copy.positions].some(({ cursor }) => cursor !== undefined);
  try {
    await read().catch(async (error: { status?: number }) => {
      // The host no longer accepts a cursor from an earlier call: read everything again.
      if (error.status !== 400 || !isCutOff) throw error;
      copy.fills = [];
      copy.positions = [];
      await read();
    });
  } finally {
    if (pages > 0) write();
  }
}

/**
 * The parts of fills that a copy keeps. A partial execution has the stop-loss of its order, if that is on the same
 * page.
 */
function briefFills(orders: readonly Order[]): SimulationFill[] {
  const stops = new Map(orders.map(({ id, attached_stop_loss_price: stop }) => [id, stop]));
  return orders.map((order) => {
    const stop = order.attached_stop_loss_price ?? stops.get(order.partial_of_order_id ?? '');
    return {
      order_id: order.id,
      market_id: order.market_id,
      side: order.side,
      size: order.size,
      fill_price: order.fill_price ?? 0,
      notional: order.notional ?? (order.fill_price ?? 0) * order.size,
      fee: order.fee ?? 0,
      settled_at: order.settled_at ?? order.requested_at,
      ...(order.realized_pnl !== undefined && { realized_pnl: order.realized_pnl }),
      ...(stop !== undefined && { attached_stop_loss_price: stop }),
    };
  });
}

function briefPosition(position: Position): ClosedPosition {
  return {
    id: position.id,
    market_id: position.market_id,
    side: position.side,
    opened_at: position.opened_at,
    closed_at: position.closed_at ?? Number.POSITIVE_INFINITY,
    fees: position.fees ?? null,
    funding: position.funding ?? null,
  };
}

/**
 * Payments of positions beyond the fees of their fills. A position has only totals: its carry is spread evenly over the
 * full hours it was open, and other fees count as paid when it closed.
 */
function paymentsOf(trips: readonly Trip[], positions: readonly ClosedPosition[], now: Ms): Payment[] {
  const byKey = Map.groupBy(trips, ({ marketId, openedAt, side }) => `${marketId} ${openedAt} ${side}`);
  const payments = positions.flatMap((position): Payment[] => {
    const trip = byKey.get(`${position.market_id} ${position.opened_at} ${position.side}`)?.shift();
    const end = Number.isFinite(position.closed_at) ? position.closed_at : now;
    const facts = { marketId: position.market_id, orderId: null };
    // A position without fees has those of its fills.
    const extraFees = trip === undefined || position.fees === null ? 0n : toMoney(position.fees) - trip.fees;
    const atEnd: Payment[] =
      extraFees === 0n ? [] : [{ ...facts, kind: 'liquidation_fee', amount: -extraFees, time: end }];
    return [...carryPayments(position, end), ...atEnd];
  });
  return payments.sort((a, b) => a.time - b.time);
}

function carryPayments({ market_id, opened_at, funding }: ClosedPosition, end: Ms): Payment[] {
  const total = toMoney(funding ?? 0);
  if (total === 0n) return [];
  const facts = { kind: 'funding', marketId: market_id, orderId: null } as const;
  const first = nextHourStart(opened_at);
  const hours = Math.floor((hourStart(end) - first) / hourMs) + 1;
  if (!(hours > 0)) return [{ ...facts, amount: -total, time: end }];
  let paid = 0n;
  return Array.from({ length: hours }, (_, index) => {
    const due = divideRounded(total * BigInt(index + 1), BigInt(hours));
    const amount = paid - due;
    paid = due;
    return { ...facts, amount, time: first + index * hourMs };
  });
}

function approximationsOf(payments: readonly Payment[], positions: readonly ClosedPosition[]): string[] {
  const hasCarry = payments.some(({ kind }) => kind === 'funding');
  const without = positions.filter(({ funding }) => funding === null).length;
  return [
    ...(hasCarry
      ? [
          'The host reports carry only as a total per position, so it is spread evenly over the hours the position was open.',
        ]
      : []),
    ...(without === 0 ? [] : [`The host reports no carry for ${counted(without, 'position')}, so it is not included.`]),
  ];
}

/** The known part of one of a host's lists, newest first, in stretches; items are missing between two stretches. */
export interface Stretch<Item> {
  items: Item[];
  /** Cursor of the page after its last item; undefined if the list ends there. */
  cursor?: string | undefined;
}

/** The part of a closed position that fills do not contain. */
interface ClosedPosition {
  id: string;
  market_id: string;
  side: 'long' | 'short';
  opened_at: number;
  closed_at: number;
  /** Null if the host does not report them. */
  fees: number | null;
  funding: number | null;
}

/** A local copy of a host's data about an account. */
interface FillCopy {
  fills: Stretch<SimulationFill>[];
  positions: Stretch<ClosedPosition>[];
}

/** The account that a copy is of. */
interface CopyOf {
  readonly environment: string;
  readonly baseUrl: string;
  readonly accountId: string;
}

/** In format 1, fees and carry that were not reported were 0. */
const format = 2;

/** The file of an account's copy: private, one per host and account. */
export function copyFile(variables: Variables, { environment, baseUrl, accountId }: CopyOf): string {
  const fileAt = (where: string) =>
    join(
      stateFolder(variables),
      'history',
      `${sha256(JSON.stringify([environment, where, accountId])).slice(0, 32)}.json`,
    );
  const file = fileAt(placeOf(baseUrl));
  for (const former of formerPlacesOf(baseUrl)) renameFormer(fileAt(former), file);
  return file;
}

/**
 * The copy in a file; empty if there is none. A damaged copy is deleted and reported, because everything in it can be
 * read again.
 */
export function readCopy(file: string, damaged: () => void): FillCopy {
  try {
    const { text } = readRegularFile(file);
    const end = text.indexOf('\n');
    const head = JSON.parse(text.slice(0, end));
    const body = text.slice(end + 1);
    const isWhole = head.sha256 === sha256(body);
    if (isWhole && head.format === format) return JSON.parse(body);
    if (isWhole && head.format === 1) return { fills: [], positions: [] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { fills: [], positions: [] };
  }
  rmSync(file, { force: true });
  damaged();
  return { fills: [], positions: [] };
}

/** Replaces a copy: writes a checksum, then the lists. */
export function writeCopy(file: string, copy: FillCopy): void {
  const body = JSON.stringify(copy);
  writePrivateFile(file, `${JSON.stringify({ format, sha256: sha256(body) })}\n${body}`, 'quick');
}

/**
 * Brings the stretches of a list up to date: reads pages from the newest item to the first known one, then continues
 * where an earlier read was interrupted. The stretches are consistent after each page, so reading may stop anywhere.
 */
export async function extend<Item>(
  stretches: Stretch<Item>[],
  idOf: (item: Item) => string,
  fetchPage: (cursor: string | undefined) => Promise<{ items: Item[]; cursor: string | undefined }>,
): Promise<void> {
  const first: Stretch<Item> = { items: [] };
  let isBegun = false;
  for (;;) {
    const page = await fetchPage(first.cursor);
    const known = stretches[isBegun ? 1 : 0];
    const knownId = known?.items[0] === undefined ? undefined : idOf(known.items[0]);
    const meets = page.items.findIndex((item) => idOf(item) === knownId);
    first.items.push(...(meets < 0 ? page.items : page.items.slice(0, meets)));
    first.cursor = page.cursor;
    if (!isBegun) stretches.unshift(first);
    isBegun = true;
    if (meets >= 0) {
      for (const item of known!.items) first.items.push(item);
      first.cursor = known!.cursor;
      stretches.splice(1, 1);
    }
    if (first.cursor === undefined) {
      stretches.length = 1;
      return;
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Page, PageKey, PageRequest } from '../../exchange/store/query.ts';
import { invalid } from '../../wire/hosting/failure.ts';
import type { CallContext } from './operations.ts';

/** The list that a cursor belongs to; any other refuses it (API 4.8). */
type CursorBinding = readonly (string | null)[];

/**
 * One page of a list (API 4.8). Its cursors are valid for this operation, this principal and `filter` only: anywhere
 * else 400.
 */
export function page<R, T>(
  call: CallContext & { query: { limit: number; cursor?: string | undefined } },
  filter: CursorBinding,
  read: (request: PageRequest) => Page<R>,
  present: (row: R) => T,
) {
  const { simulation, principal, query } = call;
  const { limit, cursor } = query;
  const binding = [call.operationId, principal.environment, principal.owner, ...filter];
  const isFirst = cursor === undefined || cursor === '';
  const { rows, next } = read({ limit, after: isFirst ? null : positionOf(call, binding, cursor) });
  const more = next !== null && { next_cursor: encodeCursor(simulation.cursorSecret, binding, next) };
  return { status: 200 as const, body: { data: rows.map(present), has_more: next !== null, ...more } };
}

/** A list without pages. */
export function wholePage<R, T>(rows: R[], present: (row: R) => T) {
  return { status: 200 as const, body: { data: rows.map(present), has_more: false } };
}

function positionOf({ simulation }: CallContext, binding: CursorBinding, cursor: string): PageKey {
  const position = decodeCursor(simulation.cursorSecret, binding, cursor);
  if (position === null)
    throw invalid([{ field: 'cursor', issue: 'is not a cursor of this list, account and filter' }]);
  return position;
}

/*
 * Opaque cursors: a page's end, signed with the state's secret together with its endpoint, account and filter. Nothing
 * is stored for them, and one that was altered, invented or used elsewhere fails verification (API 4.8).
 */

const macBytes = 12;

/** About 60 characters of base64url. */
export function encodeCursor(secret: string, binding: CursorBinding, { time, sequence }: PageKey): string {
  const position = `${time.toString(36)}.${sequence.toString(36)}`;
  return Buffer.concat([sign(secret, binding, position), Buffer.from(position)]).toString('base64url');
}

/** The position, or null if the cursor was not issued for this list. */
export function decodeCursor(secret: string, binding: CursorBinding, cursor: string): PageKey | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) return null;
  const position = bytes.toString('latin1', macBytes);
  if (!timingSafeEqual(bytes.subarray(0, macBytes), sign(secret, binding, position))) return null;
  const [time = '', sequence = ''] = position.split('.');
  return { time: Number.parseInt(time, 36), sequence: Number.parseInt(sequence, 36) };
}

function sign(secret: string, binding: CursorBinding, position: string): Buffer {
  const text = JSON.stringify([...binding, position]);
  return createHmac('sha256', secret).update(text).digest().subarray(0, macBytes);
}

import type { Page, PageKey, PageRequest } from '../../exchange/store/query.ts';
import { invalid } from '../../wire/hosting/failure.ts';
import type { CursorBinding } from '../state/cursors.ts';
import type { Answer, CallContext } from './operations.ts';

interface WirePage<T> {
  data: T[];
  has_more: boolean;
  next_cursor?: string;
}

/**
 * One page of a list (API 4.8). Its cursors are valid for this operation, this principal and `filter` only: anywhere
 * else 400.
 */
export function page<R, T>(
  call: CallContext & { query: { limit: number; cursor?: string | undefined } },
  filter: CursorBinding,
  read: (request: PageRequest) => Page<R>,
  present: (row: R) => T,
): Answer<WirePage<T>> {
  const { simulation, principal, query } = call;
  const { limit, cursor } = query;
  const binding = [call.operationId, principal.environment, principal.owner, ...filter];
  const isFirst = cursor === undefined || cursor === '';
  const { rows, next } = read({ limit, after: isFirst ? null : positionOf(call, binding, cursor) });
  const body: WirePage<T> = { data: rows.map(present), has_more: next !== null };
  if (next !== null) body.next_cursor = simulation.cursors.encode(binding, next);
  return { status: 200, body };
}

/** A list without pages. */
export function wholePage<R, T>(rows: R[], present: (row: R) => T): Answer<WirePage<T>> {
  return { status: 200, body: { data: rows.map(present), has_more: false } };
}

function positionOf({ simulation }: CallContext, binding: CursorBinding, cursor: string): PageKey {
  const position = simulation.cursors.decode(binding, cursor);
  if (position === null)
    throw invalid([{ field: 'cursor', issue: 'is not a cursor of this list, account and filter' }]);
  return position;
}

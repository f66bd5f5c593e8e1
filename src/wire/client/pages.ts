import type { Operation } from '../contract/operation.ts';
import type { DataOf, KnownOperationId, ResponseOf } from '../contract/operations.ts';
import { ProtocolError } from './client-errors.ts';

/** The lists that have pages in at least one of their views. */
export type PagedOperationId = {
  [Id in KnownOperationId]: 'next_cursor' extends keyof ResponseOf<Id> ? Id : never;
}[KnownOperationId];

/** Whether an operation is a list that has pages. */
export function isPaged({ query }: Operation): boolean {
  return query?.properties.cursor !== undefined;
}

/** The items of a paged list. */
export type ItemOf<Id extends PagedOperationId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;

/** The parts of a page's body that are used; each is checked. */
interface PageBody {
  data: unknown;
  has_more?: unknown;
  next_cursor?: unknown;
}

/** A page that is not the last may be empty, but not this many in a row. */
const emptyPagesAllowed = 100;
/** The contract's limit on a cursor's length. */
const longestCursor = 1024;
/** A million rows at a hundred a page; a longer list is assumed never to end. */
const maxPages = 10_000;

/**
 * Items of all pages in order; each page is fetched when the one before is used up. A list that would never end (a
 * repeated cursor, more promised without a cursor, too many pages) is a ProtocolError, after the items that did come.
 */
export async function* items<Id extends PagedOperationId>(
  fetchPage: (cursor: string | undefined) => Promise<unknown>,
): AsyncGenerator<ItemOf<Id>, void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let emptyPages = 0; emptyPages < emptyPagesAllowed; ) {
    const body = (await fetchPage(cursor)) as PageBody;
    if (!Array.isArray(body.data)) throw new ProtocolError("the service's answer is not a list");
    // Rows that did come are passed on, even if the page after them can't be asked for.
    yield* body.data as ItemOf<Id>[];
    const { next } = pageOf(body);
    if (next === undefined) return;
    if (seen.has(next)) throw new ProtocolError('the list returns to a page that was already read');
    seen.add(next);
    cursor = next;
    if (seen.size >= maxPages) throw new ProtocolError(`the list continues after ${maxPages} pages`);
    emptyPages = body.data.length === 0 ? emptyPages + 1 : 0;
  }
  throw new ProtocolError(`the list continues, but its last ${emptyPagesAllowed} pages were empty`);
}

/**
 * The body of an answer as a page: its rows, and the cursor of the page after it; undefined after the last. A
 * ProtocolError for one that continues without a usable cursor.
 */
export function pageOf<Item>({ data, has_more, next_cursor: next }: PageBody): {
  items: Item[];
  next: string | undefined;
} {
  if (!Array.isArray(data)) throw new ProtocolError("the service's answer is not a list");
  if (has_more !== true) return { items: data, next: undefined };
  if (typeof next !== 'string' || next === '')
    throw new ProtocolError('the list continues, but its next_cursor is missing');
  if (next.length > longestCursor) throw new ProtocolError('the list continues, but its next_cursor is too long');
  return { items: data, next };
}

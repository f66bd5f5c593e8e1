import type { DataOf, KnownOperationId, ResponseOf } from '../contract/operations.ts';
import { ProtocolError } from './errors.ts';

/** The lists that come in pages, at least in one of their views. */
export type PagedOperationId = {
  [Id in KnownOperationId]: 'next_cursor' extends keyof ResponseOf<Id> ? Id : never;
}[KnownOperationId];

/** What a paged list lists. */
export type ItemOf<Id extends PagedOperationId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;

/** A page's body as far as it is relied on; what is there is checked. */
interface Page {
  data: unknown;
  has_more?: unknown;
  next_cursor?: unknown;
}

/** A page may be empty and still not the last, but not so many in a row. */
const emptyPagesAllowed = 100;
/** The contract's limit. */
const longestCursor = 1024;
/** A million rows at a hundred each; a longer list is taken for one that never ends. */
const mostPages = 10_000;

/**
 * Items of all pages in order, each page fetched when the one before is used up. A service that would lead round in
 * circles (a cursor that was there before, more promised without a cursor, pages without end) is a ProtocolError, after
 * the items that did come.
 */
export async function* items<Id extends PagedOperationId>(
  fetchPage: (cursor: string | undefined) => Promise<unknown>,
): AsyncGenerator<ItemOf<Id>, void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let emptyPages = 0; emptyPages < emptyPagesAllowed; ) {
    const page = (await fetchPage(cursor)) as Page;
    if (!Array.isArray(page.data)) throw new ProtocolError('the service answered a list that is not one');
    yield* page.data as ItemOf<Id>[];
    if (page.has_more !== true) return;
    const next = page.next_cursor;
    if (typeof next !== 'string' || next === '')
      throw new ProtocolError('the list goes on, but its next_cursor is missing');
    if (next.length > longestCursor) throw new ProtocolError('the list goes on, but its next_cursor is too long');
    if (seen.has(next)) throw new ProtocolError('the list leads back to a page that was read before');
    seen.add(next);
    cursor = next;
    if (seen.size >= mostPages) throw new ProtocolError(`the list goes on after ${mostPages} pages`);
    emptyPages = page.data.length === 0 ? emptyPages + 1 : 0;
  }
  throw new ProtocolError(`the list goes on, but its last ${emptyPagesAllowed} pages were empty`);
}

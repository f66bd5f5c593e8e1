import type { CallOptions } from '../../client/client.ts';
import type { ItemOf, PagedOperationId } from '../../client/pages.ts';
import type { RequestOf } from '../../contract/operations.ts';
import type { Context } from '../context/context.ts';
import type { OptionSpec } from '../grammar/spec.ts';

/** How much of a list is wanted. */
export interface Extent {
  limit: number | undefined;
  all: boolean;
}

/** The options of every list that comes in pages. */
export const extentOptions = {
  limit: { value: 'N', kind: 'count', maximum: 100_000, summary: 'how many to show (default 50)' },
  all: { summary: 'everything there is' },
} as const satisfies Record<string, OptionSpec>;

const defaultLimit = 50;
const largestPage = 100;

/** Items of a list up to the extent; says on stderr when there are more, so that nothing is cut silently. */
export async function* listed<Id extends PagedOperationId>(
  context: Context,
  id: Id,
  query: Readonly<Record<string, string>>,
  { limit = defaultLimit, all }: Extent,
): AsyncGenerator<ItemOf<Id>> {
  // One more than wanted tells whether there are more.
  const pageSize = all ? largestPage : Math.min(largestPage, limit + 1);
  const request = { query: { ...query, limit: pageSize } } as unknown as RequestOf<Id> & CallOptions;
  let count = 0;
  for await (const item of context.pages(id, request)) {
    if (!all && count === limit) {
      context.note(`The first ${limit} are shown; more with --limit N or --all.`);
      return;
    }
    count++;
    yield item;
  }
}

/** Passes items on and hands the first of them to `see` at the end. */
export async function* seen<T>(
  items: AsyncIterable<T>,
  see: (items: readonly T[]) => void,
  most = 200,
): AsyncGenerator<T> {
  const first: T[] = [];
  for await (const item of items) {
    if (first.length < most) first.push(item);
    yield item;
  }
  see(first);
}

/** The first of what came whole; says on stderr when some are left out. */
export function firstOf<T>(context: Context, items: readonly T[], { limit = items.length, all }: Extent): readonly T[] {
  if (all || items.length <= limit) return items;
  context.note(`The first ${limit} of ${items.length} are shown.`);
  return items.slice(0, limit);
}

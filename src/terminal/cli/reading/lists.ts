import type { CallOptions } from '../../../wire/client/client.ts';
import type { ItemOf, PagedOperationId } from '../../../wire/client/pages.ts';
import type { RequestOf } from '../../../wire/contract/operations.ts';
import type { Console } from '../../console/console.ts';
import type { OptionSpec } from '../../console/grammar/spec.ts';

/** How much of a list to show. */
interface Extent {
  limit: number | undefined;
  all: boolean;
}

/** The options of every paged list. */
export const extentOptions = {
  limit: { value: 'N', kind: 'count', maximum: 100_000, summary: 'number of rows to show (default 50)' },
  all: { summary: 'show all rows' },
} as const satisfies Record<string, OptionSpec>;

const defaultLimit = 50;
const largestPage = 100;

/** The options that narrow a list of orders or fills. */
export const narrowOptions = {
  market: { value: 'MARKET', kind: 'market', summary: 'only this market' },
  since: {
    value: 'TIME',
    kind: 'pastTime',
    summary: 'only since this time, today, yesterday, or a duration before now, such as 2h',
  },
} as const satisfies Record<string, OptionSpec>;

/** Which items of a list to show. The list is sorted by time, newest first, so an earlier item ends it. */
interface Narrowing<Item> {
  keeps?: (item: Item) => boolean;
  isOver?: (item: Item) => boolean;
  /** Items of one group count as one. */
  groupOf?: (item: Item) => string | undefined;
}

/** Items of a list, up to the extent; prints a note if there are more, so nothing is cut silently. */
export async function* listed<Id extends PagedOperationId>(
  console: Console,
  id: Id,
  query: Readonly<Record<string, string>>,
  { limit = defaultLimit, all }: Extent,
  { keeps, isOver, groupOf }: Narrowing<ItemOf<Id>> = {},
): AsyncGenerator<ItemOf<Id>> {
  // Reading one extra item shows whether there are more.
  const pageSize = all || keeps !== undefined ? largestPage : Math.min(largestPage, limit + 1);
  const request = { query: { ...query, limit: pageSize } } as unknown as RequestOf<Id> & CallOptions;
  const groups = new Set<string>();
  let count = 0;
  for await (const item of console.pages(id, request)) {
    if (isOver?.(item) === true) return;
    if (keeps?.(item) === false) continue;
    const group = groupOf?.(item);
    if (group !== undefined && groups.has(group)) {
      yield item;
      continue;
    }
    if (!all && count === limit) {
      console.note(`Showing the first ${limit}; use --limit N or --all for more.`);
      return;
    }
    count++;
    if (group !== undefined) groups.add(group);
    yield item;
  }
}

/** Yields the items, then passes the first of them to `see`. */
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

/** The first items of a complete list; prints a note if some are omitted. */
export function firstOf<T>(console: Console, items: readonly T[], { limit = items.length, all }: Extent): readonly T[] {
  if (all || items.length <= limit) return items;
  console.note(`Showing the first ${limit} of ${items.length}.`);
  return items.slice(0, limit);
}

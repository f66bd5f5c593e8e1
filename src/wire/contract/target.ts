import type { Operation } from './operation.ts';

/** The operation that a request names, and the decoded values of its path. */
export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  readonly path: Readonly<Record<string, string>>;
}

/** No operation: the methods of the path, empty for an unknown path. */
interface NoRoute {
  readonly operation: null;
  readonly methods: readonly string[];
}

/**
 * Finds the operation that a request's method and path name. As simulation 8.1 requires, it is lenient: a trailing slash
 * and unencoded `:` and `|` are fine. A value that is not encoded correctly, or that no URL can carry, matches nothing.
 */
export class Router<O extends Operation> {
  readonly #templates: readonly { readonly operation: O; readonly parts: readonly string[] }[];

  constructor(operations: Iterable<O>) {
    this.#templates = Array.from(operations, (operation) => ({ operation, parts: segmentsOf(operation.path) }));
  }

  /** The route of a request; `pathname` is its target without the query. */
  find(method: string, pathname: string): Route<O> | NoRoute {
    const segments = segmentsOf(pathname);
    const isThere = (part: string, at: number) =>
      isName(part) ? decoded(segments[at]!) !== null : part === segments[at];
    const there = this.#templates.filter(({ parts }) => parts.length === segments.length && parts.every(isThere));
    const found = there.find(({ operation }) => operation.method === method);
    if (found === undefined) return { operation: null, methods: there.map(({ operation }) => operation.method) };
    const values = found.parts.flatMap((part, at) =>
      isName(part) ? [[part.slice(1, -1), decoded(segments[at]!)!] as const] : [],
    );
    return { operation: found.operation, path: Object.fromEntries(values) };
  }
}

/** The names between braces in an operation's path, in order. */
export function pathNames({ path }: Operation): readonly string[] {
  return segmentsOf(path).flatMap((part) => (isName(part) ? [part.slice(1, -1)] : []));
}

function isName(part: string): boolean {
  return part.startsWith('{');
}

/** Whether a value can be part of a path: an empty one would name the list, and URLs drop dot segments. */
export function isPathValue(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && value.isWellFormed();
}

function segmentsOf(pathname: string): string[] {
  return pathname
    .slice(pathname.startsWith('/') ? 1 : 0, pathname.length > 1 && pathname.endsWith('/') ? -1 : undefined)
    .split('/');
}

function decoded(segment: string): string | null {
  try {
    const value = decodeURIComponent(segment);
    return isPathValue(value) ? value : null;
  } catch {
    return null;
  }
}

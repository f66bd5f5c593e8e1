import type { Operation } from './operation.ts';

/** The operation that a request names, and the decoded values of its path. */
export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  readonly path: Readonly<Record<string, string>>;
}

/** No operation: the methods that the path has, none for an unknown path. */
interface NoRoute {
  readonly operation: null;
  readonly methods: readonly string[];
}

/** The operations of one path by method, each with the names of the path's values. */
type AtPath<O> = Map<string, { readonly operation: O; readonly names: readonly string[] }>;

/** Stands for a value in a path; no segment contains it. */
const anyValue = '//';

/**
 * Finds the operation that a request's method and path name, in time that does not grow with the number of operations.
 * As simulation 8.1 requires, it is lenient: a trailing slash and unencoded `:` and `|` are fine. A value that is not
 * encoded correctly, or that no URL can carry, matches nothing.
 */
export class Router<O extends Operation> {
  /**
   * By path, with `anyValue` in place of each value; the beginnings of paths are there, too, most without operations.
   */
  readonly #paths = new Map<string, AtPath<O>>();
  /** Routes without values, by method and path. */
  readonly #fixed = new Map<string, Route<O>>();

  constructor(operations: Iterable<O>) {
    for (const operation of operations) {
      let path = '';
      for (const segment of segmentsOf(operation.path)) {
        path += segment.startsWith('{') ? anyValue : `/${segment}`;
        if (!this.#paths.has(path)) this.#paths.set(path, new Map());
      }
      const names = pathNames(operation);
      this.#paths.get(path)!.set(operation.method, { operation, names });
      if (names.length === 0) this.#fixed.set(`${operation.method} ${operation.path}`, { operation, path: {} });
    }
  }

  /** The route of a request; `pathname` is its target without the query. */
  find(method: string, pathname: string): Route<O> | NoRoute {
    const known = this.#fixed.get(`${method} ${pathname}`);
    if (known !== undefined) return known;
    const values: string[] = [];
    let path = '';
    for (const segment of segmentsOf(pathname)) {
      const fixed = `${path}/${segment}`;
      if (this.#paths.has(fixed)) {
        path = fixed;
        continue;
      }
      path += anyValue;
      const value = this.#paths.has(path) ? decoded(segment) : null;
      if (value === null) return { operation: null, methods: [] };
      values.push(value);
    }
    const there = this.#paths.get(path)!;
    const found = there.get(method);
    if (found === undefined) return { operation: null, methods: [...there.keys()] };
    const { operation, names } = found;
    return { operation, path: Object.fromEntries(names.map((name, index) => [name, values[index]!])) };
  }
}

const namesByPath = new Map<string, readonly string[]>();

/** The names between braces in an operation's path, in order. */
export function pathNames({ path }: Operation): readonly string[] {
  const names = namesByPath.get(path) ?? [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  namesByPath.set(path, names);
  return names;
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

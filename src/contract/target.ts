import type { Operation } from './operation.ts';

/** The operation that a request names, and the decoded values of its path. */
export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  readonly path: Readonly<Record<string, string>>;
}

/** No operation: the methods that the path has, none for an unknown path. */
export interface NoRoute {
  readonly operation: null;
  readonly methods: readonly string[];
}

/** A node in the tree of paths: its children by fixed segment, or by a parameter's value. */
interface Branch<O> {
  readonly fixed: Map<string, Branch<O>>;
  parameter: Branch<O> | null;
  /** By method, with the names of the path's values. */
  readonly operations: Map<string, { operation: O; names: readonly string[] }>;
}

/**
 * Finds the operation that a request's method and path name, in time that does not grow with the number of operations.
 * As simulation 8.1 requires, it is lenient: a trailing slash and unencoded `:` and `|` are fine. A value that is not
 * encoded correctly, or that no URL can carry, matches nothing.
 */
export class Router<O extends Operation> {
  readonly #root: Branch<O> = newBranch();
  /** Routes without values, by method and path. */
  readonly #fixed = new Map<string, Route<O>>();

  constructor(operations: Iterable<O>) {
    for (const operation of operations) {
      let branch = this.#root;
      for (const segment of segmentsOf(operation.path)) branch = grow(branch, segment);
      const names = pathNames(operation);
      branch.operations.set(operation.method, { operation, names });
      if (names.length === 0) this.#fixed.set(`${operation.method} ${operation.path}`, { operation, path: {} });
    }
  }

  /** The route of a request; `pathname` is its target without the query. */
  find(method: string, pathname: string): Route<O> | NoRoute {
    return this.#fixed.get(`${method} ${pathname}`) ?? this.#search(method, pathname);
  }

  #search(method: string, pathname: string): Route<O> | NoRoute {
    const values: string[] = [];
    let branch = this.#root;
    for (const segment of segmentsOf(pathname)) {
      const fixed = branch.fixed.get(segment);
      if (fixed) {
        branch = fixed;
        continue;
      }
      const value = decoded(segment);
      if (value === null || branch.parameter === null) return { operation: null, methods: [] };
      values.push(value);
      branch = branch.parameter;
    }
    const found = branch.operations.get(method);
    if (!found) return { operation: null, methods: [...branch.operations.keys()] };
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

/** Whether a value can stand in a path: an empty one would name the list, and URLs drop segments of dots. */
export function isPathValue(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && value.isWellFormed();
}

function newBranch<O>(): Branch<O> {
  return { fixed: new Map(), parameter: null, operations: new Map() };
}

function grow<O>(branch: Branch<O>, segment: string): Branch<O> {
  if (segment.startsWith('{')) {
    branch.parameter ??= newBranch();
    return branch.parameter;
  }
  const next = branch.fixed.get(segment) ?? newBranch<O>();
  branch.fixed.set(segment, next);
  return next;
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

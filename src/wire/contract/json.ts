import { nestsDeeper } from '../../base/terms/json-object.ts';
import type { ValidationIssue } from './errors.ts';

/** The result of reading a request or a part of it: a value, or the issues of all invalid fields. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: ValidationIssue[] };

/** No request of the contract needs more than four levels. */
const deepestNesting = 32;

/**
 * Reads a JSON text strictly: a repeated key is an issue (the last one does not win), and so is nesting beyond 32
 * levels. Issues name the key's path, or the body with line and column where the text stops being JSON.
 */
export function parseJson(text: string): Reading<unknown> {
  let value: unknown;
  let isJson = !nestsDeeper(text, deepestNesting);
  try {
    if (isJson) value = JSON.parse(text);
  } catch {
    isJson = false;
  }
  // As many keys in the value as in the text: none is repeated. After an escape, a quote may not end a key.
  if (isJson && !text.includes('\\') && keyCountOf(value, 1) === namedKeysIn(text)) return { ok: true, value };
  const issues = new Scan(text).issues();
  if (issues.length > 0) return { ok: false, issues };
  // The scan accepts exactly what JSON.parse accepts; should they ever differ, unparsed text must not pass.
  return isJson ? { ok: true, value } : { ok: false, issues: [{ field: 'body', issue: 'is not valid JSON' }] };
}

/** Counts the keys of the value and of all objects inside it; NaN if it nests too deeply. */
function keyCountOf(value: unknown, depth: number): number {
  if (depth > deepestNesting) return Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += keyCountOf(item, depth + 1);
    return count;
  }
  for (const name of Object.keys(value)) {
    count += 1 + keyCountOf((value as Record<string, unknown>)[name], depth + 1);
  }
  return count;
}

/** Counts colons after a quote: one per key. Rarely one is inside a string, which only makes the count too high. */
function namedKeysIn(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (whitespaces.includes(text.charCodeAt(before))) before--;
    if (text[before] === '"') count++;
  }
  return count;
}

/** JSON's whitespace: space, tab, line feed, carriage return. */
const whitespaces: readonly number[] = [32, 9, 10, 13];

/** Thrown and caught only in this file: ends the recursive descent at the first character that is not JSON. */
class Stop extends Error {}

const whitespace = /[ \t\n\r]*/y;
const stringToken = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordToken = /true|false|null/y;

/** One pass over a JSON text that keeps only the keys of the objects it is inside. */
class Scan {
  readonly #text: string;
  readonly #repeated: ValidationIssue[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  issues(): ValidationIssue[] {
    try {
      this.#skip();
      this.#value('', 1);
      if (this.#at < this.#text.length) this.#unexpected('the end of the text');
      return this.#repeated;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return [{ field: 'body', issue: error.message }];
    }
  }

  #value(path: string, depth: number): void {
    if (depth > deepestNesting) throw new Stop(`must not nest more than ${deepestNesting} levels deep`);
    const first = this.#text[this.#at];
    if (first === '{') this.#object(path, depth);
    else if (first === '[') this.#array(path, depth);
    else if (first === '"') this.#token(stringToken, 'a complete string with valid escapes');
    else if (first === 't' || first === 'f' || first === 'n') this.#token(wordToken, 'a value');
    else this.#token(numberToken, 'a value');
  }

  #object(path: string, depth: number): void {
    const keys = new Set<string>();
    this.#at++;
    this.#skip();
    if (this.#take('}')) return;
    do {
      const raw = this.#token(stringToken, 'a key in double quotes');
      const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      const field = path === '' ? key : `${path}.${key}`;
      if (keys.has(key)) this.#repeated.push({ field, issue: 'is given more than once' });
      keys.add(key);
      if (!this.#take(':')) this.#unexpected('":"');
      this.#value(field, depth + 1);
    } while (this.#take(','));
    if (!this.#take('}')) this.#unexpected('"," or "}"');
  }

  #array(path: string, depth: number): void {
    let index = 0;
    this.#at++;
    this.#skip();
    if (this.#take(']')) return;
    do this.#value(`${path === '' ? 'body' : path}[${index++}]`, depth + 1);
    while (this.#take(','));
    if (!this.#take(']')) this.#unexpected('"," or "]"');
  }

  /** Takes one token and the whitespace after it. */
  #token(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token === undefined) this.#unexpected(expected);
    this.#at += token.length;
    this.#skip();
    return token;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    this.#skip();
    return true;
  }

  #skip(): void {
    whitespace.lastIndex = this.#at;
    whitespace.test(this.#text);
    this.#at = whitespace.lastIndex;
  }

  #unexpected(expected: string): never {
    if (this.#text.trim() === '') throw new Stop('must not be empty');
    const before = this.#text.slice(0, this.#at).split('\n');
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    const found = this.#at < this.#text.length ? '' : '; the text ends there';
    throw new Stop(`is not valid JSON: expected ${expected} at ${place}${found}`);
  }
}

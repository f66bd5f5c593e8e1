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
  const issues = new Scan(text).issues();
  if (issues.length > 0) return { ok: false, issues };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The scan accepts exactly what JSON.parse accepts; should they ever differ, unparsed text must not pass.
    return { ok: false, issues: [{ field: 'body', issue: 'is not valid JSON' }] };
  }
}

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

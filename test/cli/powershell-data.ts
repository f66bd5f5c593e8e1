/**
 * Reads PowerShell's data notation as far as the completion script uses it: `@{ A = ...; B = ... }` as objects, `@( )`
 * as arrays whose elements are separated by commas, semicolons or lines, `, x` as an array of one, which the outer array
 * takes apart again, 'texts' with doubled quotes, $true, $false, $null. Throws where PowerShell would.
 */
export class PowerShellData {
  readonly #text: string;
  #at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.#at = at;
  }

  /** The value that begins here. */
  read(): unknown {
    this.#skip(/[ \n]*/y);
    if (this.#take('@{')) return this.#hashtable();
    if (this.#take('@(')) return this.#array();
    if (this.#take("'")) return this.#string();
    for (const [name, value] of constants) if (this.#take(name)) return value;
    throw this.#error('a value');
  }

  #hashtable(): Record<string, unknown> {
    const table: Record<string, unknown> = {};
    for (;;) {
      this.#skip(/[ \n;]*/y);
      if (this.#take('}')) return table;
      const key = this.#take("'") ? this.#string() : this.#skip(/\w+/y);
      if (Object.hasOwn(table, key)) throw this.#error(`one ${key} only`);
      this.#skip(/ = /y, true);
      table[key] = this.read();
    }
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    for (;;) {
      this.#skip(/[ \n;]*/y);
      if (this.#take(')')) return items;
      this.#take(', ');
      items.push(this.read());
      while (this.#take(', ')) items.push(this.read());
    }
  }

  #string(): string {
    const inside = this.#skip(/(?:[^'\n]|'')*/y);
    if (!this.#take("'")) throw this.#error('the end of a text');
    return inside.replaceAll("''", "'");
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #skip(pattern: RegExp, isNeeded = false): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined && isNeeded) throw this.#error(String(pattern));
    this.#at += found?.length ?? 0;
    return found ?? '';
  }

  #error(wanted: string): Error {
    return new Error(`${wanted} is missing at: ${this.#text.slice(this.#at, this.#at + 60)}`);
  }
}

const constants = [
  ['$true', true],
  ['$false', false],
  ['$null', null],
] as const;

/** Whether every bracket outside texts and comments is closed by its own kind; the first that is not, else undefined. */
export function unclosed(script: string): string | undefined {
  const code = script.replace(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"|#.*/g, '');
  const open: string[] = [];
  const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
  for (const character of code.match(/[()[\]{}'"]/g) ?? []) {
    if (closing[character] !== undefined) open.push(closing[character]);
    else if (open.pop() !== character) return character;
  }
  return open.pop();
}

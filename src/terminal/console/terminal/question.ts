import type { Key } from './input-reader.ts';
import type { Choice } from './outside.ts';

/** What is asked, by its kind. */
export type Asked =
  | { readonly kind: 'confirm'; readonly message: string }
  | { readonly kind: 'secret'; readonly message: string }
  | { readonly kind: 'choose'; readonly message: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'line'; readonly message: string; problem(text: string): string | undefined };

/** What a person has typed, and which of the choices is marked. */
interface Entry {
  readonly text: string;
  readonly cursor: number;
  readonly marked: number;
}

/** What a kind of question makes of an entry. */
interface Kind<Q extends Asked> {
  /** What stands before the typed text. */
  head(asked: Q): string;
  /** The typed text as it is shown. */
  shown(text: string): string;
  /** What was typed before the question was there counts as text, never as its answer; false: not even as text. */
  readonly keepsEarly: boolean;
  /** Below the typed text. */
  below(asked: Q, entry: Entry): string[];
  /** The answer that Enter gives; undefined: it is asked again, and `problem` says why. */
  answer(asked: Q, entry: Entry): string | undefined;
  problem(asked: Q, entry: Entry): string | undefined;
  /** What stays on the terminal. */
  left(asked: Q, answer: string): string;
}

const listed = 10;

/** The kinds of questions. All of them are asked in `prompts.ts` and end in the same ways. */
export const kinds: { readonly [K in Asked['kind']]: Kind<Extract<Asked, { kind: K }>> } = {
  confirm: {
    head: ({ message }) => `${message} (y/N) `,
    shown: (text) => text,
    keepsEarly: false,
    below: () => [],
    answer: (_, { text }) => (/^\s*y(es)?\s*$/i.test(text) ? 'Yes' : 'No'),
    problem: () => undefined,
    left: ({ message }, answer) => `${message} ${answer}`,
  },
  secret: {
    head: ({ message }) => `${message}: `,
    shown: () => '',
    keepsEarly: false,
    below: () => [],
    answer: (_, { text }) => text,
    problem: () => undefined,
    left: ({ message }) => `${message}:`,
  },
  line: {
    head: ({ message }) => `${message}: `,
    shown: (text) => text,
    keepsEarly: true,
    below: () => [],
    answer: ({ problem }, { text }) => (problem(text.trim()) === undefined ? text.trim() : undefined),
    problem: ({ problem }, { text }) => problem(text.trim()),
    left: ({ message }, answer) => `${message}: ${answer}`,
  },
  choose: {
    head: ({ message }) => `${message}: `,
    shown: (text) => text,
    keepsEarly: true,
    below(asked, { text, marked }) {
      const found = foundIn(asked, text);
      const first = Math.max(0, Math.min(marked - listed + 1, found.length - listed));
      const rows = found
        .slice(first, first + listed)
        .map(({ name }, at) => `${first + at === marked ? '>' : ' '} ${name}`);
      return found.length > listed ? [...rows, '  (type to narrow the list)'] : rows;
    },
    answer: (asked, { text, marked }) => foundIn(asked, text)[marked]?.value,
    problem: (_, { text }) => `Nothing in the list contains "${text.slice(0, 40)}".`,
    left: ({ message, choices }, answer) =>
      `${message}: ${choices.find(({ value }) => value === answer)?.name ?? answer}`,
  },
};

/** The choices that contain what was typed; those that begin with it come first. */
function foundIn({ choices }: { readonly choices: readonly Choice[] }, text: string): readonly Choice[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return choices;
  const found = choices.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
  const begins = ({ name }: Choice) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((one, other) => begins(one) - begins(other));
}

/** Longer input is no answer to a question. */
const longest = 1 << 16;

/** A question under way: keys in, rows out. */
export class Question {
  readonly #asked: Asked;
  readonly #kind: Kind<Asked>;
  #entry: Entry = { text: '', cursor: 0, marked: 0 };
  #problem: string | undefined;
  #isReady = false;
  #hasEarlyEnter = false;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#kind = kinds[asked.kind] as Kind<Asked>;
  }

  /** It is on the terminal: from now on, Enter answers it. */
  ready(): void {
    this.#isReady = true;
  }

  /** Takes a key; returns the answer once there is one. */
  take(key: Key): string | undefined {
    if (!this.#isReady && (!this.#kind.keepsEarly || this.#hasEarlyEnter)) return undefined;
    if (key.name === 'return' || key.name === 'enter') {
      this.#hasEarlyEnter = !this.#isReady;
      if (!this.#isReady) return undefined;
      const answer = this.#kind.answer(this.#asked, this.#entry);
      if (answer === undefined) this.#problem = this.#kind.problem(this.#asked, this.#entry);
      return answer;
    }
    this.#problem = undefined;
    const entry = edited(this.#entry, key);
    const { marked } = entry;
    const last = () => (this.#asked.kind === 'choose' ? foundIn(this.#asked, entry.text).length - 1 : 0);
    this.#entry = marked === 0 ? entry : { ...entry, marked: Math.max(0, Math.min(marked, last())) };
    return undefined;
  }

  /** Its rows on a terminal of this width, and where the cursor stands in them. */
  rows(columns: number): { readonly rows: readonly string[]; readonly cursor: { row: number; column: number } } {
    const kind = this.#kind;
    const { text, cursor } = this.#entry;
    const head = wrapped(`? ${kind.head(this.#asked)}`, columns);
    const shown = kind.shown(text);
    // The text has one row, in which it moves; if the question leaves too little of its own last row, one of its own.
    if (columns - head.at(-1)!.length < Math.min(20, columns - 1)) head.push('  ');
    const before = head.pop()!;
    const room = Math.max(1, columns - before.length - 1);
    const at = Math.min(cursor, shown.length);
    const from = Math.max(0, at - room + 1);
    const cut = (row: string) => row.slice(0, columns - 1);
    const below = kind.below(this.#asked, this.#entry).map(cut);
    const problem = this.#problem === undefined ? [] : wrapped(`> ${this.#problem}`, columns);
    const rows = [...head, `${before}${shown.slice(from, from + room)}`, ...below, ...problem];
    return { rows, cursor: { row: head.length, column: before.length + at - from } };
  }

  /** What stays on the terminal once it is answered. */
  left(answer: string, columns: number): readonly string[] {
    return wrapped(`? ${this.#kind.left(this.#asked, answer)}`, columns);
  }
}

function edited(entry: Entry, { name, text, ctrl }: Key): Entry {
  const { text: old, cursor, marked } = entry;
  const at = (next: number): Entry => ({ ...entry, cursor: Math.max(0, Math.min(old.length, next)) });
  const replaced = (from: number, to: number, by = ''): Entry => ({
    text: (old.slice(0, from) + by + old.slice(to)).slice(0, longest),
    cursor: Math.min(longest, from + by.length),
    marked: 0,
  });
  if (name === 'up') return { ...entry, marked: Math.max(0, marked - 1) };
  if (name === 'down') return { ...entry, marked: marked + 1 };
  if (name === 'left') return at(cursor - 1);
  if (name === 'right') return at(cursor + 1);
  if (name === 'home' || (ctrl && name === 'a')) return at(0);
  if (name === 'end' || (ctrl && name === 'e')) return at(old.length);
  if (name === 'backspace') return cursor === 0 ? entry : replaced(cursor - 1, cursor);
  if (name === 'delete') return replaced(cursor, Math.min(old.length, cursor + 1));
  if (ctrl && name === 'u') return replaced(0, cursor);
  if (ctrl && name === 'w') return replaced(old.slice(0, cursor).trimEnd().lastIndexOf(' ') + 1, cursor);
  if (ctrl || text === '') return entry;
  // Pasted lines are one text.
  return replaced(cursor, cursor, text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, ''));
}

function wrapped(text: string, columns: number): string[] {
  const width = Math.max(1, columns - 1);
  return text.split('\n').flatMap((line) => {
    const rows: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const space = rest.lastIndexOf(' ', width);
      const end = space > width / 2 ? space + 1 : width;
      rows.push(rest.slice(0, end).trimEnd());
      rest = rest.slice(end);
    }
    return [...rows, rest];
  });
}

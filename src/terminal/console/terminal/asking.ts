import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { input, password, search } from '@inquirer/prompts';
import { receivedSignal } from '../../../base/failure/ending.ts';
import { interruptedFailure } from '../../../base/failure/failure.ts';
import { foundBy } from '../../../base/text/search.ts';
import type { Key } from './input-reader.ts';
import type { Choice } from './outside.ts';
import { processTerminal, type RawTerminal } from './raw-terminal.ts';

/**
 * Asks on stderr, so that stdout carries only results, and returns the answer. Rejects with an interruption on Ctrl-C,
 * Ctrl-D, the end of the input and signals; if the terminal is gone, the process ends.
 */
export function ask(asked: Asked, signal?: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { stderr } = process;
  // Output for a terminal that is gone needs no report.
  if (!stderr.listeners('error').includes(ignored)) stderr.on('error', ignored);
  const terminal = processTerminal({
    get columns() {
      return stderr.columns || 80;
    },
    out: (text) => void stderr.write(text),
  });
  const stopped = () => reject(signal!.reason);
  const heard = (name: NodeJS.Signals) => {
    if (name === 'SIGINT') receivedSignal(name);
    reject(interruptedFailure(name === 'SIGTERM' ? 'Terminated.' : 'Interrupted.', name));
  };
  const question = (kinds[asked.kind] as (asked: Asked) => Question)(asked);
  const form = process.env.TERM !== 'dumb' ? drawn : asked.kind === 'secret' ? unseen : onLines;
  const over = form(question, terminal, { resolve, reject });
  for (const name of signals) process.on(name, heard);
  signal?.addEventListener('abort', stopped, { once: true });
  if (signal?.aborted === true) stopped();
  return promise.finally(async () => {
    await over();
    for (const name of signals) process.off(name, heard);
    signal?.removeEventListener('abort', stopped);
  });
}

const signals = ['SIGINT', 'SIGTERM'] as const;

const ignored = () => {};

interface Ending {
  resolve(answer: string): void;
  reject(error: unknown): void;
}

const csi = '\u001b[';
const pasteOn = `${csi}?2004h`;
/** Pasted text is no longer marked, and the cursor is visible. */
const modesOff = `${csi}?25h${csi}?2004l`;

/** Erases the previous frame at the start of the next. */
const erasing = /^(?:\u001b\[\d*[A-Z])+/;

/** Longer input is no answer to a question. */
const longest = 1 << 16;

/** Represents Ctrl-D among the keys before it. */
const ending: Key = { name: 'd', text: '', ctrl: true };

/** Keys on their way to @inquirer; they wait until the question appears. */
class Keys {
  readonly input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: ignored });
  #waiting: Key[] = [];
  #next: NodeJS.Immediate | undefined;
  #isReady = false;
  #room = longest;
  readonly #ended: () => void;

  constructor(ended: () => void) {
    this.#ended = ended;
  }

  take(key: Key): void {
    this.#waiting.push(key);
    if (this.#isReady) this.#next ??= setImmediate(() => this.#pass());
  }

  /** The input ends after the keys that are on their way, which may answer the question. */
  end(): void {
    if (this.#next === undefined) this.#ended();
    else this.#waiting.push(ending);
  }

  /** The question is visible; an earlier Enter doesn't answer it. */
  begin(keepsEarly: boolean): void {
    this.#isReady = true;
    const early = this.#waiting.splice(0);
    const enter = early.findIndex(isEnter);
    if (keepsEarly) for (const key of enter < 0 ? early : early.slice(0, enter)) this.take(key);
  }

  stop(): void {
    clearImmediate(this.#next);
  }

  /** Passes on the next key; texts typed together are passed on, and drawn, as one. */
  #pass(): void {
    const end = this.#waiting.findIndex(({ text }) => text === '');
    const keys = this.#waiting.splice(0, end < 0 ? this.#waiting.length : Math.max(1, end));
    this.#next = this.#waiting.length > 0 ? setImmediate(() => this.#pass()) : undefined;
    if (keys[0] === ending) {
      this.#ended();
      return;
    }
    const text = textOf(keys).slice(0, this.#room);
    this.#room -= text.length;
    const [{ name, ctrl }] = keys as [Key];
    this.input.emit('keypress', text, { name: text === '' ? name : 'paste', ctrl, sequence: text });
  }
}

/** @inquirer draws and edits; it reads only the keys passed on to it here. */
function drawn(question: Question, terminal: RawTerminal, { resolve, reject }: Ending): () => Promise<void> {
  const keys = new Keys(() => inputEnded(reject));
  const stopping = new AbortController();
  let frame = '';
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      const text = String(chunk);
      const [erased = ''] = erasing.exec(text) ?? [];
      const isFirst = frame === '';
      if (erased.length < text.length) frame = text.slice(erased.length);
      // After the window has changed, the previous frame may have more rows than were drawn.
      terminal.write(`${erased}${csi}J${text.slice(erased.length)}`);
      if (isFirst && frame !== '') keys.begin(question.keepsEarly);
      done();
    },
  });
  Object.defineProperty(output, 'columns', { get: () => terminal.columns });
  const key = (pressed: Key) => {
    if (isEnding(pressed, reject, () => keys.end())) return;
    if (pressed.ctrl && pressed.name === 'z') {
      terminal.write(`\r${csi}J${modesOff}`);
      terminal.suspend();
    } else if (pressed.name !== 'tab') keys.take(pressed); // Tab would fill in an answer.
  };
  const resumed = () => terminal.write(`${pasteOn}\r${csi}J${frame}`);
  const silence = terminal.listen({ key, resized: ignored, resumed });
  const forgetExit = terminal.onExit(() => terminal.write(modesOff));
  terminal.write(pasteOn);
  // Earlier keystrokes come with the first reads.
  const begun = new Promise((read) => setImmediate(() => setImmediate(read)));
  const place = { input: keys.input, output, signal: stopping.signal };
  // Once it is over, a stop isn't news.
  const answered = begun.then(() => question.draw(place)).then(resolve, reject);
  return async () => {
    keys.stop();
    stopping.abort();
    silence();
    await answered;
    forgetExit();
    terminal.write(modesOff);
  };
}

/** The text of keystrokes; pasted lines are one text. */
function textOf(keys: readonly Key[]): string {
  const text = keys.map((key) => key.text).join('');
  return text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, '');
}

function isEnter({ name }: Key): boolean {
  return name === 'return' || name === 'enter';
}

/** Whether a key ends the command: Ctrl-C at once, Ctrl-D as `end` does. */
function isEnding({ name, ctrl }: Key, reject: Ending['reject'], end = () => inputEnded(reject)): boolean {
  if (!ctrl || (name !== 'c' && name !== 'd')) return false;
  if (name === 'd') end();
  else {
    // The whole job is meant.
    receivedSignal('SIGINT', true);
    reject(interruptedFailure('Interrupted.', 'SIGINT'));
  }
  return true;
}

function inputEnded(reject: Ending['reject']): void {
  reject(interruptedFailure('The input ended before the question was answered.'));
}

/** Asks in plain text, for terminals that can't show drawings. */
function onLines(question: Question, terminal: RawTerminal, { resolve, reject }: Ending): () => void {
  for (const { name } of question.choices.slice(0, listed)) terminal.write(`  ${name}\n`);
  const head = `? ${question.head} `;
  terminal.write(head);
  const reader = createInterface({ input: process.stdin, terminal: false });
  reader.on('line', (text) => {
    const problem = question.problem(text);
    if (problem === undefined) resolve(question.answer(text));
    else terminal.write(`> ${problem}\n${head}`);
  });
  reader.once('close', () => {
    terminal.write('\n');
    inputEnded(reject);
  });
  return () => {
    reader.removeAllListeners('close');
    reader.close();
  };
}

/** Reads key by key on such a terminal, without echo. */
function unseen({ head }: Question, terminal: RawTerminal, { resolve, reject }: Ending): () => void {
  let typed = '';
  const key = (pressed: Key) => {
    if (isEnding(pressed, reject)) return;
    if (isEnter(pressed)) return resolve(typed);
    if (pressed.name === 'backspace') typed = typed.slice(0, -1);
    else if (pressed.ctrl && pressed.name === 'u') typed = '';
    else typed = `${typed}${textOf([pressed])}`.slice(0, longest);
  };
  const silence = terminal.listen({ key, resized: ignored, resumed: ignored });
  const forgetExit = terminal.onExit(ignored);
  terminal.write(`? ${head} `);
  return () => {
    silence();
    forgetExit();
    terminal.write('\n');
  };
}

/** The question, by kind. */
export type Asked =
  | { readonly kind: 'confirm'; readonly message: string }
  | { readonly kind: 'secret'; readonly message: string }
  | { readonly kind: 'choose'; readonly message: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'line'; readonly message: string; problem(text: string): string | undefined };

/** The streams from which @inquirer reads keys and on which it draws, and the signal that stops it. */
interface Place {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** A question, whether it is drawn or asked in plain text. */
interface Question {
  readonly head: string;
  /** Text typed before the question was visible counts, but never as its answer; false: not even as text. */
  readonly keepsEarly: boolean;
  readonly choices: readonly Choice[];
  /** Why a text isn't a valid answer. */
  problem(text: string): string | undefined;
  /** The answer that a text without a problem gives. */
  answer(text: string): string;
  /** Asks on a terminal that supports drawing. */
  draw(place: Place): Promise<string>;
}

type Kinds = { readonly [K in Asked['kind']]: (asked: Extract<Asked, { kind: K }>) => Question };

/** Rows of a list that are shown at once. */
const listed = 10;

/** The kinds of questions. All of them are asked in `asking.ts` and end in the same ways. */
export const kinds: Kinds = {
  confirm({ message }) {
    const problem = (text: string) => (/^(?:y|yes|n|no|)$/i.test(text.trim()) ? undefined : 'Answer y or n.');
    const answer = (text: string) => (/^y/i.test(text.trim()) ? 'Yes' : 'No');
    return onOneLine({ head: `${message} (y/N)`, keepsEarly: false, problem, answer }, 'clear');
  },
  line({ message, problem }) {
    const answer = (text: string) => text.trim();
    return onOneLine({ head: `${message}:`, keepsEarly: true, problem: (text) => problem(text.trim()), answer });
  },
  secret({ message }) {
    const head = `${message}:`;
    const draw = (place: Place) => password({ message: head, toggleMask: false, theme }, place);
    return { head, keepsEarly: false, choices: [], problem: () => undefined, answer: same, draw };
  },
  choose({ message, choices }) {
    const head = `${message}:`;
    const found = (text = '') => foundIn(choices, text);
    const problem = (text: string) =>
      found(text).length > 0 ? undefined : `Nothing in the list contains "${text.slice(0, 40)}".`;
    const more = choices.length > listed ? '  (type to narrow the list)' : '';
    const listTheme = { ...theme, style: { ...theme.style, keysHelpTip: () => more } };
    const draw = (place: Place) => search({ message: head, source: found, pageSize: listed, theme: listTheme }, place);
    return { head, keepsEarly: true, choices, problem, answer: (text) => found(text)[0]!.value, draw };
  },
};

const same = (text: string) => text;

/** The end of a text that would fill the terminal. */
const shortened = (text: string) => (text.length > 400 ? `...${text.slice(-400)}` : text);

/** ASCII without colors: what every locale and terminal can show. */
const theme = {
  prefix: { idle: '?', done: '?' },
  icon: { cursor: '>' },
  style: {
    answer: same,
    message: same,
    error: (text: string) => `> ${text}`,
    help: same,
    highlight: same,
    maskedText: '',
    searchTerm: shortened,
  },
};

/** Text that is not an answer stays to be edited, unless it is cleared. */
function onOneLine(question: Omit<Question, 'choices' | 'draw'>, wrong: 'keep' | 'clear' = 'keep'): Question {
  const { head, problem, answer } = question;
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => (isFinal ? answer(text) : shortened(text));
  const validate = (text: string) => problem(text) ?? true;
  const ours = { ...theme, validationFailureMode: wrong };
  const draw = async (place: Place) =>
    answer(await input({ message: head, validate, transformer, theme: ours }, place));
  return { ...question, choices: [], draw };
}

/** The choices that a text names; a choice's name ends at the first space. */
function foundIn(choices: readonly Choice[], text: string): readonly Choice[] {
  return foundBy(choices, text, ({ name, value }) => ({ name: name.split(/\s/, 1)[0]!, id: value, all: name }));
}

import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { hearSignal } from '../../../base/failure/ending.ts';
import { interruptedFailure } from '../../../base/failure/failure.ts';
import type { Key } from './input-reader.ts';
import { type Asked, formOf, kinds, type Place } from './question.ts';
import { processTerminal, type RawTerminal } from './raw-terminal.ts';

/**
 * Asks on stderr, so that stdout carries only results, and returns the answer. Rejects with an interruption on Ctrl-C, Ctrl-D, the end of the input and signals; a
 * terminal that is gone ends the process.
 */
export function ask(asked: Asked, signal?: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { stderr } = process;
  // What a terminal that is gone does not show needs no report.
  if (!stderr.listeners('error').includes(ignored)) stderr.on('error', ignored);
  const terminal = processTerminal({
    get columns() {
      return stderr.columns || 80;
    },
    out: (text) => void stderr.write(text),
  });
  const stopped = () => reject(signal!.reason);
  const heard = (name: NodeJS.Signals) => {
    if (name === 'SIGINT') hearSignal(name);
    reject(interruptedFailure(name === 'SIGTERM' ? 'Terminated.' : 'Interrupted.', name));
  };
  const over =
    process.env.TERM === 'dumb' ? onLines(asked, terminal, resolve, reject) : drawn(asked, terminal, resolve, reject);
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

type Resolve = (answer: string) => void;
type Reject = (error: unknown) => void;

const csi = '\u001b[';
/** Pasted text is marked, and what is too wide does not wrap. */
const modesOn = `${csi}?2004h${csi}?7l`;
const modesOff = `${csi}?7h${csi}?2004l`;

/** What erases the frame before, at the start of the next. */
const erasing = /^(?:\u001b\[\d*[A-Z])+/;

/** @inquirer draws and edits; it reads only the keys passed on to it here. */
function drawn(asked: Asked, terminal: RawTerminal, resolve: Resolve, reject: Reject): () => Promise<void> {
  const kind = kinds[asked.kind] as { keepsEarly: boolean; ask(asked: Asked, place: Place): Promise<string> };
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: ignored });
  const stopping = new AbortController();
  let waiting: Key[] = [];
  let next: NodeJS.Immediate | undefined;
  let isReady = false;
  let frame = '';
  // What was typed together is passed on, and drawn, as one.
  const pass = () => {
    next = undefined;
    const end = waiting.findIndex(({ text }) => text === '');
    const typed = waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end));
    const [{ name, ctrl } = { name: '', ctrl: false }] = typed;
    // Pasted lines are one text.
    const joined = typed.map(({ text }) => text).join('');
    const text = joined.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, '');
    const one = { name: typed.length > 1 ? 'paste' : name === 'enter' ? 'return' : name, ctrl };
    input.emit('keypress', text, { ...one, meta: false, shift: false, sequence: text });
    if (waiting.length > 0) next = setImmediate(pass);
  };
  const begin = () => {
    isReady = true;
    const enter = waiting.findIndex(isEnter);
    if (!kind.keepsEarly) waiting = [];
    else if (enter >= 0) waiting = waiting.slice(0, enter);
    if (waiting.length > 0) next = setImmediate(pass);
  };
  const output = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      terminal.write(String(text));
      const shown = String(text).replace(erasing, '');
      if (frame === '' && shown !== '') next = setImmediate(() => (next = setImmediate(begin)));
      if (shown !== '') frame = shown;
      done();
    },
  });
  const key = (pressed: Key) => {
    if (pressed.ctrl && pressed.name === 'c') return interrupted(reject);
    if (pressed.ctrl && pressed.name === 'd') return inputEnded(reject);
    if (pressed.ctrl && pressed.name === 'z') {
      terminal.write(`${csi}?25h${modesOff}`);
      return terminal.suspend();
    }
    // Tab would fill in an answer.
    if (pressed.name === 'tab') return;
    waiting.push(pressed);
    if (isReady) next ??= setImmediate(pass);
  };
  const resumed = () => terminal.write(`${modesOn}\r${csi}J${frame}`);
  const silence = terminal.listen({ key, resized: ignored, resumed });
  const forgetExit = terminal.onExit(() => terminal.write(`${csi}?25h${modesOff}`));
  terminal.write(modesOn);
  // Once it is over, that it was stopped is no news.
  const answered = kind.ask(asked, { input, output, signal: stopping.signal }).then(resolve, reject);
  return async () => {
    clearImmediate(next);
    stopping.abort();
    silence();
    await answered;
    forgetExit();
    terminal.write(`${csi}?25h${modesOff}`);
  };
}

function isEnter({ name }: Key): boolean {
  return name === 'return' || name === 'enter';
}

/** Ctrl-C as a key: the whole job is meant. */
function interrupted(reject: Reject): void {
  hearSignal('SIGINT', true);
  reject(interruptedFailure('Interrupted.', 'SIGINT'));
}

function inputEnded(reject: Reject): void {
  reject(interruptedFailure('The input ended before the question was answered.'));
}

/** Asks in plain text, for terminals that can't show what is drawn. */
function onLines(asked: Asked, terminal: RawTerminal, resolve: Resolve, reject: Reject): () => void {
  const { head, answer, problem } = formOf(asked);
  terminal.write(head);
  // What is not shown is read key by key.
  if (asked.kind === 'secret') return unseen(terminal, resolve, reject);
  const reader = createInterface({ input: process.stdin, terminal: false });
  reader.on('line', (text) => {
    const given = answer(text);
    if (given === undefined) terminal.write(`> ${problem(text)}\n${head}`);
    else resolve(given);
  });
  reader.once('close', () => inputEnded(reject));
  return () => reader.close();
}

function unseen(terminal: RawTerminal, resolve: Resolve, reject: Reject): () => void {
  let typed = '';
  const key = (pressed: Key) => {
    if (pressed.ctrl && pressed.name === 'c') return interrupted(reject);
    if (pressed.ctrl && pressed.name === 'd') return inputEnded(reject);
    if (isEnter(pressed)) return resolve(typed);
    if (pressed.name === 'backspace') typed = typed.slice(0, -1);
    else if (pressed.ctrl && pressed.name === 'u') typed = '';
    else typed += pressed.text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, '');
  };
  const silence = terminal.listen({ key, resized: ignored, resumed: ignored });
  const forgetExit = terminal.onExit(ignored);
  return () => {
    silence();
    forgetExit();
    terminal.write('\n');
  };
}

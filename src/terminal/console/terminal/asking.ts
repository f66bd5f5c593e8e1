import { createInterface } from 'node:readline';
import { hearSignal } from '../../../base/failure/ending.ts';
import { interruptedFailure } from '../../../base/failure/failure.ts';
import type { Key } from './input-reader.ts';
import { type Asked, Question } from './question.ts';
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
  return promise.finally(() => {
    over();
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

/** @inquirer draws and edits; it reads only the keys passed on to it here. */
function drawn(asked: Asked, terminal: RawTerminal, resolve: Resolve, reject: Reject): () => void {
  const kind = kinds[asked.kind] as { keepsEarly: boolean; ask(asked: Asked, place: Place): Promise<string> };
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: ignored });
  const stopping = new AbortController();
  const early: Key[] = [];
  let isReady = false;
  const pass = ({ name, text, ctrl }: Key) => {
    // Pasted lines are one text.
    const typed = text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, '');
    input.emit('keypress', typed, { name, ctrl, meta: false, shift: false, sequence: typed });
  };
  const key = (pressed: Key) => {
    if (pressed.ctrl && pressed.name === 'c') return interrupted(reject);
    if (pressed.ctrl && pressed.name === 'd') return inputEnded(reject);
    if (pressed.ctrl && pressed.name === 'z') {
      terminal.write(modesOff);
      return terminal.suspend();
    }
    if (isReady) pass(pressed);
    else early.push(pressed);
  };
  const silence = terminal.listen({ key, resized: ignored, resumed: () => terminal.write(modesOn) });
  const forgetExit = terminal.onExit(() => terminal.write(`${csi}?25h${modesOff}`));
  terminal.write(modesOn);
  kind.ask(asked, { input, output: process.stderr, signal: stopping.signal }).then(resolve, reject);
  const ready = setTimeout(() => {
    isReady = true;
    const enter = early.findIndex(({ name }) => name === 'return' || name === 'enter');
    if (kind.keepsEarly) for (const one of enter < 0 ? early : early.slice(0, enter)) pass(one);
  }, 100);
  return () => {
    clearTimeout(ready);
    stopping.abort();
    silence();
    forgetExit();
    terminal.write(modesOff);
  };
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
  const say = (question: Question) => terminal.write(question.rows(Number.POSITIVE_INFINITY).rows.join('\n'));
  const begun = () => {
    const question = new Question(asked);
    question.ready();
    return question;
  };
  say(begun());
  // What is not shown is read key by key.
  if (asked.kind === 'secret') return unseen(begun(), terminal, resolve, reject);
  const reader = createInterface({ input: process.stdin, terminal: false });
  reader.on('line', (text) => {
    const question = begun();
    question.take({ name: 'paste', text, ctrl: false });
    const answer = question.take({ name: 'return', text: '', ctrl: false });
    if (answer === undefined) say(question);
    else resolve(answer);
  });
  reader.once('close', () => inputEnded(reject));
  return () => reader.close();
}

function unseen(question: Question, terminal: RawTerminal, resolve: Resolve, reject: Reject): () => void {
  const key = (pressed: Key) => {
    if (pressed.ctrl && pressed.name === 'c') return interrupted(reject);
    if (pressed.ctrl && pressed.name === 'd') return inputEnded(reject);
    const answer = question.take(pressed);
    if (answer !== undefined) resolve(answer);
  };
  const silence = terminal.listen({ key, resized: ignored, resumed: ignored });
  const forgetExit = terminal.onExit(ignored);
  return () => {
    silence();
    forgetExit();
    terminal.write('\n');
  };
}

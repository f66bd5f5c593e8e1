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

/** Draws the question, and again when something changed: once for all that was read at once. */
function drawn(asked: Asked, terminal: RawTerminal, resolve: Resolve, reject: Reject): () => void {
  const question = new Question(asked);
  let row = 0;
  let next: NodeJS.Immediate | undefined;
  let isReady = false;
  let isOver = false;
  const home = () => `\r${row === 0 ? '' : `${csi}${row}A`}${csi}J`;
  const draw = () => {
    next = undefined;
    const { rows, cursor } = question.rows(terminal.columns);
    const up = rows.length - 1 - cursor.row;
    const place = `\r${up === 0 ? '' : `${csi}${up}A`}${cursor.column === 0 ? '' : `${csi}${cursor.column}C`}`;
    terminal.write(`${home()}${rows.join('\r\n')}${place}`);
    ({ row } = cursor);
  };
  const changed = () => {
    if (isReady && !isOver) next ??= setImmediate(draw);
  };
  const key = (pressed: Key) => {
    if (isOver) return;
    if (pressed.ctrl && pressed.name === 'c') return interrupted(reject);
    if (pressed.ctrl && pressed.name === 'd') return inputEnded(reject);
    if (pressed.ctrl && pressed.name === 'z') {
      terminal.write(`${home()}${modesOff}`);
      row = 0;
      return terminal.suspend();
    }
    const answer = question.take(pressed);
    if (answer === undefined) return changed();
    isOver = true;
    terminal.write(`${home()}${question.left(answer, terminal.columns).join('\r\n')}\r\n`);
    row = -1;
    resolve(answer);
  };
  const silence = terminal.listen({
    key,
    resized: changed,
    resumed: () => {
      terminal.write(modesOn);
      changed();
    },
  });
  const forgetExit = terminal.onExit(() => terminal.write(modesOff));
  // What was typed before comes with the first reads.
  setImmediate(() =>
    setImmediate(() => {
      if (isOver) return;
      isReady = true;
      question.ready();
      terminal.write(modesOn);
      draw();
    }),
  );
  return () => {
    isOver = true;
    clearImmediate(next);
    silence();
    forgetExit();
    // The question stays, with what was typed; whatever is printed next is below it.
    const { rows } = question.rows(terminal.columns);
    const below = row < 0 ? '' : `\r${rows.length - 1 > row ? `${csi}${rows.length - 1 - row}B` : ''}\n`;
    terminal.write(`${below}${modesOff}`);
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

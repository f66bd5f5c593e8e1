import { setImmediate } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { factsOf, wireFacts } from '../failure-report.ts';
import type { Result } from '../output/result.ts';
import { BatchMemory, LineContext, type Turn } from './line-context.ts';
import type { NumberedLine } from './lines.ts';
import { type Prepared, prepare } from './prepare.ts';

/** What came of one line. */
export interface LineAnswer {
  line: number;
  id?: string | number | undefined;
  ok: boolean;
  exit: ExitCode;
  data?: unknown;
  error?: unknown;
}

export interface BatchOptions {
  /** A line may be put down, though not sent, before the one before it is answered. */
  keepsAhead: boolean;
  /** Ends the reading of lines. */
  over: AbortController;
}

/** Commands that do nothing but send: they may get as far as that while another line is under way. */
const sendOnly = new Set(['order place', 'positions close', 'twap place', 'scaled place']);

/**
 * Runs line after line and gives what came of each, which counts as seen when the next one is asked for. While one answer is awaited, the next line is read, made ready and,
 * where it is a write, put down: its request leaves when the answer is there.
 *
 *     line 1   ready ─ keep ─ send ········ answer
 *     line 2                    ready ─ keep ····· send ········ answer
 */
export async function* answers(
  context: Context,
  lines: AsyncGenerator<NumberedLine>,
  { keepsAhead, over }: BatchOptions,
): AsyncGenerator<LineAnswer, void> {
  const memory = new BatchMemory(context);
  let stop = (): void => {};
  const stopped = new Promise<false>((resolve) => {
    stop = () => resolve(false);
  });
  const begin = async (after: Promise<unknown>) => {
    const ready = await readyLine(context, lines);
    const turn: Turn = Promise.race([after.then(() => true), stopped]);
    return ready === undefined ? undefined : { answer: answerTo(ready, memory, turn, keepsAhead) };
  };
  let next = begin(Promise.resolve());
  try {
    for (let begun = await next; begun !== undefined; begun = await next) {
      const { answer } = begun;
      let isSeen = (): void => {};
      const seen = new Promise<void>((resolve) => {
        isSeen = resolve;
      });
      next = hasLeft().then(() => begin(seen));
      // Looked at when its turn comes, which it may not.
      next.catch(() => {});
      yield await answer;
      memory.shown();
      isSeen();
    }
  } finally {
    stop();
    over.abort();
    await next.then((begun) => begun?.answer).catch(() => {});
  }
}

/** A request is written in the second turn of the event loop from here; nothing is to hold it up. */
async function hasLeft(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

async function readyLine(context: Context, lines: AsyncGenerator<NumberedLine>): Promise<Prepared | undefined> {
  while (true) {
    const { value: line, done } = await lines.next();
    if (done === true) return undefined;
    const ready = prepare(line, context.settings, context.registry);
    if (ready !== undefined) return ready;
  }
}

async function answerTo(ready: Prepared, memory: BatchMemory, turn: Turn, keepsAhead: boolean): Promise<LineAnswer> {
  const { line, id } = ready;
  try {
    if ('failure' in ready) return { line, id, ok: false, exit: ready.failure.exit, error: wireFacts(ready.failure) };
    const { path, input, settings } = ready;
    const looksAnew = /^(accounts|markets)\b/.test(path);
    const context = new LineContext(memory, { settings, turn, looksAnew });
    if (!keepsAhead || !sendOnly.has(path)) await context.itsTurn();
    const { run } = await memory.module(path);
    const result = await run(context, input as never);
    const data = await dataOf(result);
    const exit = result.exit ?? exitCodes.done;
    return { line, id, ok: exit === exitCodes.done, exit, data };
  } catch (error) {
    const facts = factsOf(error);
    return { line, id, ok: false, exit: facts.exit, error: wireFacts(facts) };
  }
}

async function dataOf(result: Result): Promise<unknown> {
  if (result.kind === 'list') return Array.fromAsync(result.rows);
  return result.kind === 'record' ? result.record : result.text;
}

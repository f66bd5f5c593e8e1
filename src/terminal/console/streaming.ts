import { exitCodes, Failure, interruptedFailure, usageFailure } from '../../base/failure/failure.ts';
import { realTiming } from '../../base/sockets/timing.ts';
import { stretch } from '../../base/text/format.ts';
import { streamNames } from '../../desk/reading/streams.ts';
import { StreamTable, type Subject } from '../../wire/client/streams/stream-state.ts';
import type { Console } from './console.ts';
import { csvPrinter } from './output/csv.ts';
import type { Result } from './output/result.ts';
import type { EventView } from './views/stream-view.ts';
import { sayFirst } from './where.ts';

/** The options that end a stream by themselves. */
export interface EndInput {
  maxEvents: number | undefined;
  for: number | undefined;
  idleTimeout: number | undefined;
}

/** The receiver of a stream's events. */
interface EventPrinter {
  /** Prints one event. */
  tell(event: object): void;
  /** Ends the command with an error. */
  fail(error: unknown): void;
  /** The state of the stream; decides whether it was ever accepted. */
  readonly table: StreamTable;
}

/**
 * Prints events as they arrive, one line each in every format (JSON lines unless on a terminal), until Ctrl-C (130),
 * --max-events, --for or --idle-timeout. `start` starts following and returns a function that stops it. A stream that
 * the service never accepted has recorded nothing, which is a failure.
 */
export async function stream(
  console: Console,
  input: EndInput,
  { view, subject, table = new StreamTable() }: { view: EventView; subject: Subject; table?: StreamTable },
  start: (printer: EventPrinter) => Promise<() => void>,
): Promise<Result> {
  if (console.settings.dryRun) throw usageFailure("A stream can't be combined with --dry-run.", 'Omit --dry-run.');
  const write = writerOf(console, view);
  const ended = Promise.withResolvers<void>();
  const { signal } = console;
  const interrupt = () => ended.reject(signal.reason ?? interruptedFailure('Stopped.'));
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  const { maxEvents = Number.POSITIVE_INFINITY, idleTimeout } = input;
  let printed = 0;
  const idle =
    idleTimeout === undefined
      ? undefined
      : setTimeout(() => ended.reject(idleFailure(idleTimeout)), Math.min(idleTimeout, 2 ** 31 - 1));
  const printer: EventPrinter = {
    tell(event) {
      if (printed === maxEvents) return;
      printed += 1;
      idle?.refresh();
      write(event);
      if (printed === maxEvents) ended.resolve();
    },
    fail: (error) => ended.reject(error),
    table,
  };
  const cancelEnd = input.for === undefined ? () => {} : realTiming.after(input.for, () => ended.resolve());
  let stop = () => {};
  try {
    await sayFirst(console);
    stop = await start(printer);
    await ended.promise;
    if (printed === 0 && !table.isKnown(subject)) throw unacceptedFailure(subject, table);
  } catch (error) {
    if (!isInterruption(error, signal)) throw error;
    return { kind: 'text', text: '', exit: exitCodes.interrupted };
  } finally {
    stop();
    clearTimeout(idle);
    cancelEnd();
    signal.removeEventListener('abort', interrupt);
  }
  return { kind: 'text', text: '' };
}

function unacceptedFailure(subject: Subject, table: StreamTable): Failure {
  const { stream: state } = table.of(subject);
  const why = state.kind === 'reconnecting' ? state.reason : 'it did not answer';
  return new Failure({
    code: 'stream_not_accepted',
    message: `The service never accepted the ${streamNames[subject]} stream: ${why}. Nothing was received.`,
    retryable: true,
  });
}

function writerOf(console: Console, view: EventView): (event: object) => void {
  const { io, settings, palette } = console;
  // A program that reads a stream wants JSON; a person who pipes one can ask for a table.
  const isForPerson =
    settings.output === 'table' && (view.isText === true || settings.outputIsChosen || io.stdoutIsTerminal);
  if (isForPerson)
    return (event) =>
      io.out(
        `${view
          .line(event as never)
          .map(palette)
          .join('')}\n`,
      );
  if (settings.output !== 'csv') return (event) => console.tell(event);
  const print = csvPrinter(io.out, view.fields);
  return (event) => print(...(view.rows?.(event as never) ?? [event]));
}

function idleFailure(ms: number): Failure {
  return new Failure({
    code: 'idle_timeout',
    message: `No event arrived for ${stretch(ms)}.`,
    hint: 'Check the market with perp quote, or wait longer with --idle-timeout.',
  });
}

function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error === signal.reason && error instanceof Failure && error.facts.code === 'interrupted';
}

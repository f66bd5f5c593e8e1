import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { type ExitCode, exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { counted } from '../../../base/text/format.ts';
import { linesOf } from '../../../base/text/lines.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { answers } from '../batch/answers.ts';

export const command = defineCommand({
  summary: 'Run many commands in one process over one connection',
  description:
    'Each line is one command without "perp", quoted as in a shell; blank lines and # comments are numbered but ignored. Alternatively, each line is a JSON value: a list of words, or {"command": "order place", "args": {"market": "BTC", "side": "buy", "size": 0.05, "limit_price": 61000}, "id": "a1"}. Each command prints one JSON line, in order, as soon as it is done: {"line", "id", "ok", "exit", "data"}, or with "error" instead of "data". Never prompts. A line may have its own --account, --idempotency-key, --new, --dry-run, --timeout and --yes; all other options apply to the whole batch. With --idempotency-key KEY, line 7 uses the key KEY-7, so running the same batch again repeats nothing. Exits 0 if every line succeeded, 8 if an outcome is unknown, and 9 otherwise; with --stop-on-error, with the exit status of the failed line.',
  args: [{ name: 'file', kind: 'file', optional: true, summary: 'file of commands (default, or -: standard input)' }],
  options: { 'stop-on-error': { summary: 'stop at the first line that fails' } },
  examples: [
    ['perp batch orders.txt', 'run a file'],
    ['generate-orders | perp batch --stop-on-error', 'run commands as they arrive'],
    ['perp batch orders.txt --idempotency-key monday-1', 'safe to run again after a crash'],
  ],
  changesMore: true,
  async run(console, input) {
    if ((console.settings.idempotencyKey?.length ?? 0) > 110) {
      throw usageFailure(
        'The --idempotency-key of a batch is limited to 110 characters.',
        'Each line adds its number to the key.',
      );
    }
    const over = new AbortController();
    const lines = linesOf(source(console, over.signal, input.file));
    const tally: Tally = { run: 0, failed: 0, unknown: 0, isUnread: false };
    let last: ExitCode = exitCodes.done;
    // If the reader of the answers goes away, the remaining lines aren't run; requests already sent are still answered.
    console.io.endsWith?.(exitCodes.incomplete, () => {
      tally.isUnread = true;
      over.abort();
    });
    console.signal.addEventListener('abort', () => over.abort(), { once: true });
    for await (const answer of answers(console, lines, { keepsAhead: !input.stopOnError, over })) {
      tally.run++;
      last = answer.exit;
      if (answer.exit !== exitCodes.done) tally.failed++;
      if (answer.exit === exitCodes.outcomeUnknown) tally.unknown++;
      console.person.sayDestination(console.where, console.settings.environment === 'live');
      console.tell(answer);
      await console.io.flushed?.();
      if (answer.exit !== exitCodes.done && input.stopOnError) break;
    }
    if (tally.failed > 0) console.note(`${tally.failed} of ${counted(tally.run, 'command')} failed.`);
    const failed = input.stopOnError ? last : exitCodes.incomplete;
    return { kind: 'text', text: '', exit: exitOf(console, tally, failed) };
  },
});

interface Tally {
  run: number;
  failed: number;
  unknown: number;
  /** The reader of the answers has gone away. */
  isUnread: boolean;
}

function exitOf({ signal }: Console, { failed, unknown, isUnread }: Tally, ofFailure: ExitCode): ExitCode {
  if (unknown > 0) return exitCodes.outcomeUnknown;
  if (signal.aborted) return exitCodes.interrupted;
  if (isUnread) return exitCodes.incomplete;
  return failed === 0 ? exitCodes.done : ofFailure;
}

/** Standard input or a file, until it ends or the signal ends it. */
async function* source({ io }: Console, signal: AbortSignal, file: string | undefined): AsyncGenerator<Uint8Array> {
  try {
    const stream = file === undefined || file === '-' ? io.input() : opened(file);
    yield* addAbortSignal(signal, stream) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!signal.aborted) throw usageFailure(`Can't read the commands: ${(error as Error).message}`);
  }
}

/** Pipes are read without blocking: a thread that waits for a writer can't be interrupted. */
function opened(file: string): Readable {
  if (statSync(file, { throwIfNoEntry: false })?.isFIFO() !== true) return createReadStream(file);
  return new Socket({ fd: openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
}

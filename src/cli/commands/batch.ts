import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { answers } from '../batch/answers.ts';
import { linesOf } from '../batch/lines.ts';
import type { Context } from '../context/context.ts';
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts';
import { usageFailure } from '../failure/failure.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../text/format.ts';
import { jsonText } from '../text/plain-text.ts';

export const command = defineCommand({
  summary: 'Run many commands in one process over one connection',
  description:
    'One command per line, as after perp, with quotes as in a shell; blank lines and # comments count but do nothing. Or one JSON value per line: a list of words, or {"command": "order place", "args": {"market": "BTC", "side": "buy", "size": 0.05, "limit_price": 61000}, "id": "a1"}. Each is answered by one JSON line, in order, as soon as it is done: {"line", "id", "ok", "exit", "data"} or with "error" in place of "data". Nobody is ever asked. A line may have its own --account, --idempotency-key, --new, --dry-run, --timeout and --yes; everything else holds for the batch. With --idempotency-key KEY line 7 has the key KEY-7: the same batch again does nothing twice. Exits 0 when all lines did, 8 when what came of one is not known, else 9; with --stop-on-error with what the failed line exits with.',
  args: [{ name: 'file', kind: 'file', optional: true, summary: 'commands (default: standard input, as with -)' }],
  options: { 'stop-on-error': { summary: 'end at the first line that fails' } },
  examples: [
    ['perp batch orders.txt', 'a file'],
    ['generate-orders | perp batch --stop-on-error', 'as they come'],
    ['perp batch orders.txt --idempotency-key monday-1', 'may be run again after a crash'],
  ],
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  if ((context.settings.idempotencyKey?.length ?? 0) > 110) {
    throw usageFailure(
      '--idempotency-key of a batch has at most 110 characters.',
      'Its lines add their numbers to it.',
    );
  }
  const over = new AbortController();
  const lines = linesOf(source(AbortSignal.any([context.signal, over.signal]), input.file));
  const tally = { run: 0, failed: 0, unknown: 0 };
  let last: ExitCode = exitCodes.done;
  // Should the reader of the answers go away, what is left is not run.
  context.io.endsWith?.(exitCodes.incomplete);
  for await (const answer of answers(context, lines, { keepsAhead: !input.stopOnError, over })) {
    tally.run++;
    last = answer.exit;
    if (answer.exit !== exitCodes.done) tally.failed++;
    if (answer.exit === exitCodes.outcomeUnknown) tally.unknown++;
    context.io.out(`${jsonText(answer)}\n`);
    await context.io.flushed?.();
    if (answer.exit !== exitCodes.done && input.stopOnError) break;
    if (context.signal.aborted) break;
  }
  if (tally.failed > 0) context.note(`${tally.failed} of ${counted(tally.run, 'command')} failed.`);
  return { kind: 'text', text: '', exit: exitOf(context, tally, input.stopOnError ? last : exitCodes.incomplete) };
}

function exitOf({ signal }: Context, tally: { failed: number; unknown: number }, failed: ExitCode): ExitCode {
  if (tally.unknown > 0) return exitCodes.outcomeUnknown;
  if (signal.aborted) return exitCodes.interrupted;
  return tally.failed === 0 ? exitCodes.done : failed;
}

/** Standard input or a file, until it ends or the signal ends it. */
async function* source(signal: AbortSignal, file: string | undefined): AsyncGenerator<Uint8Array> {
  try {
    const stream = file === undefined || file === '-' ? process.stdin : opened(file);
    yield* addAbortSignal(signal, stream) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!signal.aborted) throw usageFailure(`Cannot read the commands: ${(error as Error).message}`);
  }
}

/** A pipe is read without blocking: a thread that waits for whoever writes to it could not be interrupted. */
function opened(file: string): Readable {
  if (statSync(file, { throwIfNoEntry: false })?.isFIFO() !== true) return createReadStream(file);
  return new Socket({ fd: openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
}

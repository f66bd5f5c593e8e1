import type { Io } from '../terminal/io.ts';
import { renderBlocks } from './render.ts';
import type { RecordResult, Result } from './result.ts';

/** Writes to standard output and waits until it is written: what goes there may be larger than memory. */
export async function writeOut({ io }: { io: Io }, text: string): Promise<void> {
  io.out(text);
  await io.flushed?.();
}

/** Standard output carries the result itself: the report goes to stderr. */
export async function reportAside(
  context: { io: Io; note(text: string): void },
  report: RecordResult,
): Promise<Result> {
  context.note((await renderBlocks(report.blocks(), context.io.columns)).trimEnd());
  return { kind: 'text', text: '' };
}

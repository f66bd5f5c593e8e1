import { renderBlocks } from '../output/render.ts';
import type { RecordResult, Result } from '../output/result.ts';
import type { Context } from './context.ts';

/** Writes to standard output and waits until it is written: what goes there may be larger than memory. */
export async function writeOut({ io }: Context, text: string): Promise<void> {
  io.out(text);
  await io.flushed?.();
}

/** Standard output carries the result itself: the report goes to stderr. */
export async function reportAside(context: Context, report: RecordResult): Promise<Result> {
  context.note((await renderBlocks(report.blocks(), context.io.columns)).trimEnd());
  return { kind: 'text', text: '' };
}

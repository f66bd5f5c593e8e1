import { renderBlocks } from '../output/render.ts';
import type { RecordResult, Result } from '../output/result.ts';
import type { Context } from './context.ts';

/** Writes to stdout and waits until it is written, since the output may be larger than memory. */
export async function writeOut({ io }: Context, text: string): Promise<void> {
  io.out(text);
  await io.flushed?.();
}

/** Prints the report on stderr, because stdout carries the result itself. */
export async function reportAside(context: Context, report: RecordResult): Promise<Result> {
  context.note((await renderBlocks(report.blocks(), context.io.columns)).trimEnd());
  return { kind: 'text', text: '' };
}

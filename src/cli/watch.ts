import type { Context } from './context.ts';
import { jsonText } from './output/plain-text.ts';
import { renderBlocks } from './output/render.ts';
import { type Block, line, type Result } from './output/result.ts';

const everyMs = 1_000;

/** One look at something that changes. */
export interface Look {
  /** What a program gets, one JSON line a record. */
  records: readonly unknown[];
  blocks: readonly Block[];
}

/**
 * Looks again and again until Ctrl-C. On a terminal the same lines are rewritten in place, without flicker; elsewhere,
 * and with JSON, every change is a line.
 */
export async function watch(context: Context, look: () => Promise<Look>): Promise<Result> {
  const { io, settings } = context;
  const inPlace = io.stdoutIsTerminal && settings.output === 'table' && context.variables.TERM !== 'dumb';
  let before = '';
  let height = 0;
  while (true) {
    const { records, blocks } = await look();
    context.signal.throwIfAborted();
    const text =
      settings.output === 'table'
        ? await renderBlocks(
            inPlace ? [...blocks, line({ text: 'Ctrl-C ends.', tone: 'faint' })] : blocks,
            io.columns,
            context.palette,
          )
        : records.map((record) => `${jsonText(record)}\n`).join('');
    if (text !== before) {
      io.out(inPlace ? redraw(text, height) : text);
      height = text.split('\n').length - 1;
      before = text;
    }
    await context.sleep(everyMs);
  }
}

/** Moves up to the first line drawn before, and writes every line over the old one, clearing what sticks out. */
function redraw(text: string, height: number): string {
  const up = height === 0 ? '' : `\u001b[${height}A`;
  const lines = text.replaceAll('\n', '\u001b[K\n');
  return `${up}\r${lines}\u001b[J`;
}

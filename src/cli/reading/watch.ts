import { accountChanges } from '../../desk/reading/account-changes.ts';
import { exitCodes, type Failure } from '../../ground/failure/failure.ts';
import { jsonText } from '../../ground/text/plain-text.ts';
import type { Console } from '../console/console.ts';
import { placeLine, sayFirst } from '../console/where.ts';
import { renderBlocks } from '../output/render.ts';
import type { Block, Result } from '../output/result.ts';
import { Screen } from '../terminal/screen.ts';

const everyMs = 1_000;

/** One reading of something that changes. */
export interface Look {
  /** Records for programs, one JSON line each. */
  records: readonly unknown[];
  blocks: readonly Block[];
}

/**
 * Reads every second until Ctrl-C, and immediately when something changes in an account, if the host reports changes. On a
 * terminal, redraws in place without flicker, and columns never move. Without a terminal, or with JSON, prints a line per
 * change.
 */
export async function watch(console: Console, look: () => Promise<Look>): Promise<Result> {
  const { io, settings } = console;
  const inPlace = io.stdoutIsTerminal && settings.output === 'table' && console.variables.TERM !== 'dumb';
  if (inPlace) return watchInPlace(console, look);
  await using changes = await accountChanges(console);
  await sayFirst(console);
  let before = '';
  while (true) {
    const { records, blocks } = await look();
    console.signal.throwIfAborted();
    const text =
      settings.output === 'table' ? await renderBlocks(blocks, io.columns, console.palette) : jsonText(records);
    if (text !== before && settings.output === 'table') io.out(text);
    else if (text !== before) for (const record of records) console.tell(record);
    before = text;
    await changes.wait(everyMs);
  }
}

async function watchInPlace(console: Console, look: () => Promise<Look>): Promise<Result> {
  const { io, palette } = console;
  await using changes = await accountChanges(console);
  const screen = new Screen(io);
  const widths = new Map<string, number>();
  const ending = palette({ text: 'Press Ctrl-C to stop.', tone: 'faint' });
  try {
    while (true) {
      const { blocks } = await look();
      console.signal.throwIfAborted();
      const shown = await renderBlocks(blocks, io.columns, palette, widths);
      screen.show(`${shown}${await placeLine(console)}`, ending);
      await changes.wait(everyMs);
    }
  } catch (error) {
    // The last output stays, without the hint line.
    screen.end();
    if ((console.signal.reason as Failure | undefined)?.facts.code !== 'interrupted') throw error;
    return { kind: 'text', text: '', exit: exitCodes.interrupted };
  }
}

import { destinationLine, destinationName, destinationText } from '../intents/destination.ts';
import { renderBlocks } from '../output/render.ts';
import { type Block, type ListResult, type RecordResult, type Result, withComputed } from '../output/result.ts';
import type { Context } from './context.ts';

/**
 * The result of a write with where it was sent, so a write to the wrong place is noticed: `computed.destination` in its
 * record or rows, the last line of its text, and for a live write a line on stderr that --quiet leaves.
 */
export function withDestination(context: Context, account: string | undefined, result: Result): Result {
  if (result.kind === 'text' || context.where === undefined) return result;
  const { destination } = context.where;
  const { quiet, output } = context.settings;
  if (destination.environment === 'live' && (quiet || output !== 'table'))
    context.sayDestination({ destination, account }, true);
  const ending = { kind: 'line', cells: [destinationLine(destination, account)] } as const;
  return {
    ...withComputed(withBlocks(result, ending), { destination: destinationName(destination, account) }),
    isOfWrite: true,
  };
}

function withBlocks<R extends RecordResult | ListResult>(result: R, ending: Block): R {
  if (result.kind === 'list') return { ...result, after: [ending] };
  return { ...result, blocks: () => [...result.blocks(), ending] };
}

/**
 * Prints the result of a command together with where it comes from: on a terminal as its last line, otherwise as a line
 * on stderr.
 */
export async function showPlaced(context: Context, result: Result): Promise<void> {
  const { io, settings, palette } = context;
  const isRead = result.kind !== 'text' && result.isOfWrite !== true;
  const isOnTerminal = settings.output === 'table' && io.stdoutIsTerminal;
  if (isRead && !isOnTerminal) context.sayDestination();
  await context.show(result);
  // A list may have opened its connection only while it was printed.
  if (isRead && !isOnTerminal) context.sayDestination();
  if (!isRead || !isOnTerminal || context.where === undefined) return;
  const { destination, account } = context.where;
  const ending = { kind: 'line', cells: [destinationLine(destination, account)] } as const;
  io.out(await renderBlocks([ending], io.columns, palette));
}

/** The destination of a failed command, for its error; undefined if it failed before it had one. */
export function failedOn(context: Context): string | undefined {
  return context.where === undefined ? undefined : destinationName(context.where.destination, context.where.account);
}

/** The destination of a write to this account, for previews: `SIM default, synthetic, account acc_1`. */
export async function goesTo(context: Context, account: string | undefined): Promise<string> {
  return destinationText((await context.connection()).destination, account);
}

import { type Destination, destinationName, destinationText } from '../../desk/intents/note.ts';
import type { Console } from './console.ts';
import { renderBlocks } from './output/render.ts';
import { type Cell, line, type RecordResult, type Result, withComputed, withEach } from './output/result.ts';

/**
 * The result of a write with its destination, so that a write to the wrong place is noticed: `computed.destination` in
 * its record or rows, the last line of its text, and for a live write a line on stderr that --quiet keeps.
 */
export function withDestination(console: Console, account: string | undefined, result: Result): Result {
  if (result.kind === 'text' || console.where === undefined) return result;
  const { destination } = console.where;
  const { quiet, output } = console.settings;
  if (destination.environment === 'live' && (quiet || output !== 'table'))
    console.person.sayDestination({ destination, account }, true);
  const ending = line(destinationLine(destination, account));
  const placed = withComputed(result, { destination: destinationName(destination, account) });
  if (placed.kind === 'list') return { ...placed, after: ending, isOfWrite: true };
  return { ...placed, blocks: () => [placed.blocks(), ending], isOfWrite: true };
}

/**
 * Prints the result of a command together with its source: on a terminal as its last line, otherwise as a line on
 * stderr.
 */
export async function showPlaced(console: Console, result: Result): Promise<void> {
  const isRead = result.kind === 'text' ? result.text !== '' : result.isOfWrite !== true;
  const isOnScreen = isOnTerminal(console);
  if (isRead && !isOnScreen) console.person.sayDestination(console.where);
  const isJson = console.settings.output === 'json' || console.settings.output === 'ndjson';
  await console.show(isJson ? withProfile(console, result) : result);
  if (!isRead) return;
  if (isOnScreen) console.io.out(await placeLine(console));
  // A list may not have opened its access until it was printed.
  else console.person.sayDestination(console.where);
}

/**
 * A read with its destination in `computed` of its record or rows, like a write, if a profile chose the destination:
 * with several logins, each result shows its owner. Without one, JSON is the API's own.
 */
export function withProfile(console: Console, result: Result): Result {
  if (result.kind === 'text' || result.isOfWrite === true || console.settings.profile === undefined) return result;
  return withEach(result, (row) => {
    // A list may not open its access until it is printed.
    const destination = destinationOf(console);
    if (destination === undefined || typeof row !== 'object' || row === null) return row;
    const { computed = null } = row as { computed?: object | null };
    return { ...row, computed: { destination, ...computed } };
  });
}

/** The name of a live screen's target; a live one is marked, and names its account unless a simulation answers. */
export function whereNow({ where }: Console, account: string | undefined): Cell {
  if (where === undefined) return '';
  const { destination } = where;
  if (destination.environment !== 'live') return { text: destinationName(destination), tone: 'strong' };
  return { text: destinationText(destination, destination.prices === undefined ? account : undefined), tone: 'warn' };
}

/** Prints the source of a continuing output after its first line: above it on a terminal, otherwise on stderr. */
export async function sayFirst(console: Console): Promise<void> {
  await console.access();
  if (isOnTerminal(console)) console.io.out(await placeLine(console));
  else console.person.sayDestination(console.where);
}

function isOnTerminal({ settings, io }: Console): boolean {
  return settings.output === 'table' && io.stdoutIsTerminal;
}

/** The line `on SIM default, synthetic, account acc_1` as text; empty without access. */
export async function placeLine({ where, io, palette }: Console): Promise<string> {
  return renderBlocks(where && line(destinationLine(where.destination, where.account)), io.columns, palette);
}

/** The destination of a command, for its error or its JSON; undefined if it had none. */
export function destinationOf(console: Console): string | undefined {
  return console.where === undefined ? undefined : destinationName(console.where.destination, console.where.account);
}

/** The destination of a write to this account, for previews: `SIM default, synthetic, account acc_1`. */
export async function goesTo(console: Console, account: string | undefined): Promise<string> {
  return destinationText((await console.access()).destination, account);
}

/** The line `on SIM default, synthetic, account acc_1` below a result. */
function destinationLine(destination: Destination, account?: string): Cell {
  const tone = destination.environment === 'live' ? 'warn' : 'faint';
  return { text: `on ${destinationText(destination, account)}`, tone };
}

/** Writes to stdout and waits until it is written, since the output may be larger than memory. */
export async function writeOut({ io }: Console, text: string): Promise<void> {
  io.out(text);
  await io.flushed?.();
}

/** Prints the report on stderr, because stdout carries the result itself. */
export async function reportAside(console: Console, report: RecordResult): Promise<Result> {
  console.note((await renderBlocks(report.blocks(), console.io.columns)).trimEnd());
  return { kind: 'text', text: '' };
}

import { type Destination, destinationName, destinationText } from '../../desk/intents/note.ts';
import type { Console } from './console.ts';
import { renderBlocks } from './output/render.ts';
import { type Block, type Cell, type RecordResult, type Result, withComputed, withEach } from './output/result.ts';

/**
 * The result of a write with where it was sent, so a write to the wrong place is noticed: `computed.destination` in its
 * record or rows, the last line of its text, and for a live write a line on stderr that --quiet leaves.
 */
export function withDestination(console: Console, account: string | undefined, result: Result): Result {
  if (result.kind === 'text' || console.where === undefined) return result;
  const { destination } = console.where;
  const { quiet, output } = console.settings;
  if (destination.environment === 'live' && (quiet || output !== 'table'))
    console.person.sayDestination({ destination, account }, true);
  const ending: Block = { kind: 'line', cells: [destinationLine(destination, account)] };
  const placed = withComputed(result, { destination: destinationName(destination, account) });
  if (placed.kind === 'list') return { ...placed, after: [ending], isOfWrite: true };
  return { ...placed, blocks: () => [...placed.blocks(), ending], isOfWrite: true };
}

/**
 * Prints the result of a command together with where it comes from: on a terminal as its last line, otherwise as a line
 * on stderr.
 */
export async function showPlaced(console: Console, result: Result): Promise<void> {
  const isRead = result.kind === 'text' ? result.text !== '' : result.isOfWrite !== true;
  const isOnScreen = isOnTerminal(console);
  if (isRead && !isOnScreen) console.person.sayDestination(console.where);
  const isJson = console.settings.output === 'json' || console.settings.output === 'ndjson';
  await console.show(isJson ? withProfile(console, result) : result);
  if (!isRead) return;
  if (isOnScreen) console.io.out(await placeLine(console));
  // A list may have opened its access only while it was printed.
  else console.person.sayDestination(console.where);
}

/**
 * A read with its destination in `computed` of its record or rows, as a write has it, if a profile says where it went:
 * of several logins, each result tells whose it is. Without one, JSON is the API's own.
 */
export function withProfile(console: Console, result: Result): Result {
  if (result.kind === 'text' || result.isOfWrite === true || console.settings.profile === undefined) return result;
  return withEach(result, (row) => {
    // A list may open its access only while it is printed.
    const destination = destinationOf(console);
    if (destination === undefined || typeof row !== 'object' || row === null) return row;
    const { computed = null } = row as { computed?: object | null };
    return { ...row, computed: { destination, ...computed } };
  });
}

/** The name of what a live screen shows; a live one is marked, and names its account unless a simulation answers. */
export function whereNow({ where }: Console, account: string | undefined): Cell {
  if (where === undefined) return '';
  const { destination } = where;
  if (destination.environment !== 'live') return { text: destinationName(destination), tone: 'strong' };
  return { text: destinationText(destination, destination.prices === undefined ? account : undefined), tone: 'warn' };
}

/** Says where something comes from that continues after its first line: above it on a terminal, else on stderr. */
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
  if (where === undefined) return '';
  const ending = { kind: 'line', cells: [destinationLine(where.destination, where.account)] } as const;
  return renderBlocks([ending], io.columns, palette);
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

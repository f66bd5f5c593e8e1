import { constants, readdirSync, statSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename, join } from 'node:path';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { opened, readRegularFile } from '../../base/files/private-files.ts';
import { notMade } from '../../wire/client/read-back-made.ts';
import { intentFileEnding, removeFile } from './intent-file.ts';
import { eventOf, type IntentEvent, lineOf, type Note } from './note.ts';

/** A kept write and the intent file that contains it. */
export interface KeptWrite {
  note: Note;
  file: string;
}

/** An unreadable part of an intent file. */
export interface Damage {
  file: string;
  reason: string;
}

/** Everything unsettled, of all processes. */
interface Unsettled {
  writes: KeptWrite[];
  damages: Damage[];
}

/** An intent file that has not changed for this long is no longer in use. */
const restingMs = 60_000;

/** The folder of the intent files. */
export function intentFolder(variables: Variables): string {
  return join(stateFolder(variables), 'intents');
}

/**
 * Writes with an unknown outcome, oldest first, except those in the file `except`. Damage is reported and hides
 * nothing else. Files without open writes are removed once their process has ended.
 */
export function unsettledWrites(folder: string, except?: string): Unsettled {
  const unsettled: Unsettled = { writes: [], damages: [] };
  for (const file of intentFiles(folder, unsettled.damages)) {
    if (file === except) continue;
    const { writes, damages } = readIntentFile(file);
    unsettled.writes.push(...writes);
    unsettled.damages.push(...damages);
    if (writes.length === 0 && damages.length === 0) removeIfAtRest(file);
  }
  unsettled.writes.sort((one, other) => one.note.time - other.note.time);
  return unsettled;
}

/** Records in another process's file that a strategy, which is like what a write makes, answered another write. */
export function recordNotMade({ note: { id }, file }: KeptWrite, made: string): void {
  addTo(file, { kind: 'not_it', id, made });
}

/** Never recreates the file: if it is gone, everything in it was settled. */
function addTo(file: string, event: IntentEvent): boolean {
  try {
    using open = opened(file, constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0));
    // Starts a new line, in case an earlier one was cut off.
    writeSync(open.fd, `\n${lineOf(event)}`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Records in another process's file that a write is settled. */
export function settleKeptWrite({ note, file }: KeptWrite): void {
  if (!addTo(file, { kind: 'closed', id: note.id })) return;
  const { writes, damages } = readIntentFile(file);
  if (writes.length === 0 && damages.length === 0 && !isAlive(writerOf(file))) removeFile(file);
}

/** Whether a process on this machine is still running. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function intentFiles(folder: string, damages: Damage[]): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(intentFileEnding));
    return names.map((name) => join(folder, name));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') damages.push({ file: folder, reason: message });
    return [];
  }
}

/**
 * The unsettled writes and the damage in one file. If its process is writing, a read may see a half-written state,
 * so apparent damage is read again, a little later each time.
 */
export function readIntentFile(file: string): Unsettled {
  let read = readOnce(file);
  for (let pauseMs = 1; pauseMs <= 16 && read.damages.length > 0 && isAlive(writerOf(file)); pauseMs *= 2) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    read = readOnce(file);
  }
  return read;
}

function readOnce(file: string): Unsettled {
  let text: string;
  try {
    text = readRegularFile(file).text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { writes: [], damages: code === 'ENOENT' ? [] : [{ file, reason: message }] };
  }
  const lines = text.split('\n');
  const lastWritten = lines.findLastIndex((line) => line.trim() !== '');
  const open = new Map<string, Note>();
  const passed = { released: new Set<string>(), answered: new Set<string>() };
  const damages: Damage[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const event = eventOf(line);
    if (event?.kind === 'opened') open.set(event.note.id, event.note);
    else if (event?.kind === 'closed') open.delete(event.id);
    else if (event?.kind === 'not_it') {
      const note = open.get(event.id);
      if (note !== undefined) open.set(event.id, { ...note, before: notMade(note.before, event.made) });
    } else if (event !== undefined) passed[event.kind].add(event.id);
    else if (at < lastWritten || !isUnfinished(lines, at)) damages.push({ file, reason: `line ${at + 1} is damaged` });
    else if (!isAlive(writerOf(file))) damages.push({ file, reason: cutOff });
  }
  const unsettled = [...open.values()].filter(({ id, pid, time, ahead }) => {
    const hasLeft = ahead === undefined || passed.released.has(id);
    // Answered, and its process is about to close it: settled for everyone else.
    if (hasLeft) return !passed.answered.has(id) || !isAlive(pid);
    // Never sent: only a crash of the whole machine could have lost a line saying that it was.
    return !isAlive(pid) && time < startOfMachine() + marginMs;
  });
  return { writes: unsettled.map((note) => ({ note, file })), damages };
}

/** Whether a line is still incomplete: nothing follows it except allocated space. */
function isUnfinished(lines: readonly string[], at: number): boolean {
  return at === lines.length - 1 || lines[at]!.endsWith(' ');
}

/** Tolerance for adjusted clocks. */
const marginMs = 60_000;

/** When this machine was started, Unix ms. */
function startOfMachine(): number {
  return Date.now() - uptime() * 1_000;
}

const cutOff =
  'it ends in the middle of an entry: perp was stopped while writing it and sent nothing, or the file was truncated';

/** The process that writes an intent file, from its name. */
function writerOf(file: string): number {
  return Number(/-(\d+)-/.exec(basename(file))?.[1] ?? 0);
}

function removeIfAtRest(file: string): void {
  try {
    if (!isAlive(writerOf(file)) && Date.now() - statSync(file).mtimeMs > restingMs) removeFile(file);
  } catch {
    // Another process removed it, or only its owner may: either way it no longer matters.
  }
}

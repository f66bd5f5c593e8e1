import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { writePrivateFile } from '../../base/files/private-files.ts';

/** Kept this often while time goes on, ms. */
const keptEveryMs = 10_000;
const lookEveryMs = 1_000;

interface Seen {
  /** The highest time seen, Unix ms, and when by the clock that nobody sets. */
  at: number;
  uptime: number;
  /** As it is on disk. */
  kept: number;
  lookedAt: number;
}

/**
 * The highest time at which each mandate and each key was looked at, kept over restarts: a clock that is set back gives
 * no right back. Time goes on from there by the clock that nobody sets.
 */
export class SeenTimes {
  readonly #folder: string;
  readonly #uptime: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(variables: Variables, uptime: () => number = () => performance.now()) {
    this.#folder = folderOf(variables);
    this.#uptime = uptime;
  }

  /** The time for something that ends at `until`: the wall's, unless a higher one was seen. */
  timeOf(name: string, wall: number, until: number): number {
    const uptime = this.#uptime();
    const seen = this.#current(name, uptime) ?? this.#read(name, uptime);
    const at = Math.max(wall, seen.at + Math.max(0, uptime - seen.uptime));
    const isOverNow = at >= until && seen.kept < until;
    seen.at = at;
    seen.uptime = uptime;
    if (isOverNow || at - seen.kept >= keptEveryMs) this.#keep(name, seen);
    return at;
  }

  /** Known facts about a name, unless a person has signed again since: then its file is gone. */
  #current(name: string, uptime: number): Seen | undefined {
    const seen = this.#seen.get(name);
    if (seen === undefined || uptime - seen.lookedAt < lookEveryMs) return seen;
    seen.lookedAt = uptime;
    const isGone = Number.isFinite(seen.kept) && !existsSync(join(this.#folder, name));
    return isGone ? undefined : seen;
  }

  #read(name: string, uptime: number): Seen {
    const at = keptTime(join(this.#folder, name));
    const seen = { at, uptime, kept: at, lookedAt: uptime };
    this.#seen.set(name, seen);
    return seen;
  }

  /** A disk that takes no file changes nothing for this process. */
  #keep(name: string, seen: Seen): void {
    seen.kept = seen.at;
    try {
      writePrivateFile(join(this.#folder, name), `${seen.at}\n`, 'quick');
    } catch {
      // The next one is tried in a while.
    }
  }
}

/** Begins anew for a mandate that a person signs now: a clock that once ran ahead has not ended it for good. */
export function forgetSeenTime(variables: Variables, bot: string): void {
  rmSync(join(folderOf(variables), seenNameOf(bot)), { force: true });
}

/** The key of a mandate's stored time. */
export function seenNameOf(bot: string): string {
  return `mandate-${bot}`;
}

function folderOf(variables: Variables): string {
  return join(stateFolder(variables), 'gate', 'times');
}

function keptTime(file: string): number {
  try {
    const time = Number(readFileSync(file, 'utf8'));
    return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

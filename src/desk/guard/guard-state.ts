import { statSync } from 'node:fs';
import { checkedLine, readChecked, writePrivateFile } from '../../base/files/private-files.ts';
import { moveFile } from '../../base/system/system.ts';
import type { Account } from '../../wire/contract/accounts.ts';

/** A guard's own state, unknown to the service: its past and pending actions. Times are the exchange's. */
export interface GuardState {
  format: 1;
  /** Identity of the simulation's run that all of it belongs to; absent on a host. */
  run?: string | undefined;
  /** Of the latest judgment; null before the first. */
  time: number | null;
  /** The day that `dayEquity` belongs to, and its first equity, USD. */
  day: number;
  dayEquity: number | null;
  /** Keys of the firings so far, newest last. Nothing fires twice under one key. */
  fired: string[];
  /** Conditions that hold now, by rule id, with the time since when they no longer do. */
  holding: Record<string, { clearSince?: number }>;
  /** The best mark since each position was first seen, by position id. */
  best: Record<string, number>;
  /** Ids of the latest fills that were reported; null before the first check, and without a rule about fills. */
  fills: string[] | null;
  /** How long the files of heartbeat rules had not been touched. */
  heartbeats?: Record<string, Heartbeat>;
  /** Ids of the markets in the rules, by their names as written. */
  markets?: Record<string, string>;
  /** The account as last read, without changing values: a guard that can't read it still judges prices and times. */
  account?: Account;
  /** The firing that has locked and flattened the account: until then, it stays flat. */
  flat?: { key: string; rule: string; until: number };
  tasks: Task[];
}

/** One firing, and the steps that remain. */
export interface Task {
  /** Unique; the idempotency keys of its actions are derived from it. */
  key: string;
  rule: string;
  time: number;
  /** The event, as text. */
  says: string;
  /** The same as data. */
  facts: Readonly<Record<string, unknown>>;
  steps: Step[];
}

/** One step of a task, pending or done. */
export interface Step {
  /** Its index in the task. */
  nth: number;
  kind: 'lock' | 'cancel' | 'flatten' | 'close' | 'exec';
  /** When a lock ends, Unix ms. */
  until?: number;
  /** Ids of the positions to close. */
  positions?: readonly string[];
  /** The program was started, and it is unknown whether it ended. */
  begun?: true;
}

/** The state of a guard that has not seen its account yet. */
export const freshState: GuardState = {
  format: 1,
  time: null,
  day: 0,
  dayEquity: null,
  fired: [],
  holding: {},
  best: {},
  fills: null,
  tasks: [],
};

/**
 * Writes the state, readable only by its owner. A `quick` write may be lost in a power failure, a `durable` one may
 * not.
 */
export function writeState(file: string, state: GuardState, speed: 'durable' | 'quick' = 'durable'): void {
  writePrivateFile(file, checkedLine(JSON.stringify(state)), speed);
}

/** The state on disk; undefined if there is none. */
export function peekState(file: string): GuardState | 'damaged' | undefined {
  const value = readChecked(file) as GuardState | 'damaged' | undefined;
  if (value === undefined || value === 'damaged') return value;
  return value.format === 1 ? { ...value, tasks: value.tasks.map(present) } : 'damaged';
}

/**
 * Reads the state; a new one if there is none. A damaged file is moved aside, because acting on it could repeat or skip
 * actions; `onDamaged` then receives its new name,
 * or its own if it can't be moved.
 */
export function readState(file: string, onDamaged: (aside: string) => void): GuardState {
  const state = peekState(file) ?? freshState;
  if (state !== 'damaged') return state;
  const aside = `${file}.damaged`;
  try {
    moveFile(file, aside);
    onDamaged(aside);
  } catch {
    onDamaged(file);
  }
  return freshState;
}

/** A task of an earlier version, which closed everything in three steps, as one of this version. */
function present(task: Task): Task {
  const isFlattening = ({ kind }: Step) => kind === 'close' && !task.key.startsWith('trail@');
  const closing = task.steps.find(isFlattening);
  if (closing === undefined) return task;
  const others = task.steps.filter((step) => !isFlattening(step) && step.kind !== 'cancel');
  return { ...task, steps: [{ nth: closing.nth, kind: 'flatten' }, ...others] };
}

/** How long a file had not been touched when it was last checked. */
export interface Heartbeat {
  /** When it was last written, by the file system; null if it does not exist. */
  touched: number | null;
  silentMs: number;
  /** When that was, in uptime of the machine, ms: setting the clock does not change it. */
  at: number;
}

interface Clocks {
  /** Steady while this process runs, ms. */
  monotonic(): number;
  /** Uptime of the machine, ms. */
  uptime(): number;
}

/**
 * The time since files were last touched, measured on steady clocks, so setting the system clock changes nothing.
 * Continues from `known`, an earlier guard's observation, otherwise from the first check.
 */
export class Heartbeats {
  readonly #files: readonly string[];
  readonly #clocks: Clocks;
  readonly #seen = new Map<string, { touched: number | null; since: number }>();

  constructor(files: Iterable<string>, known: Readonly<Record<string, Heartbeat>>, clocks: Clocks) {
    this.#files = [...new Set(files)];
    this.#clocks = clocks;
    const [now, uptime] = [clocks.monotonic(), clocks.uptime()];
    for (const [file, { touched, silentMs, at }] of Object.entries(known)) {
      // After a restart of the machine, only its uptime is known to have passed.
      const passedMs = uptime >= at ? uptime - at : uptime;
      this.#seen.set(file, { touched, since: now - silentMs - passedMs });
    }
  }

  /** Checks the files. */
  silences(): Map<string, number> {
    const now = this.#clocks.monotonic();
    return new Map(
      this.#files.map((file) => {
        const touched = touchedAt(file);
        const seen = this.#seen.get(file);
        if (seen === undefined || (touched !== null && touched !== seen.touched))
          this.#seen.set(file, { touched, since: now });
        return [file, now - this.#seen.get(file)!.since];
      }),
    );
  }

  /** State for the next guard. */
  get kept(): Record<string, Heartbeat> {
    const [now, at] = [this.#clocks.monotonic(), this.#clocks.uptime()];
    const kept = this.#files.flatMap((file) => {
      const seen = this.#seen.get(file);
      return seen === undefined ? [] : [[file, { touched: seen.touched, silentMs: now - seen.since, at }] as const];
    });
    return Object.fromEntries(kept);
  }
}

/** When a file was last written, ms; null if it does not exist or can't be read. */
function touchedAt(file: string): number | null {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return null;
  }
}

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { defaultState, isStateName, liveState } from '../../base/terms/state-names.ts';
import { plans } from '../../exchange/engine/defaults.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { LiveOptions } from '../live/open-markets.ts';
import { SimulationError } from '../state/state-directory.ts';
import type { WeatherProfile } from '../weather/weather.ts';

/** Where a new synthetic state begins. */
interface Beginning {
  readonly seed: number;
  /** Exchange time, Unix ms. */
  readonly startTime: Ms;
}

/** How to open a state; omitted options are as in the state, or the defaults for a new one. */
export interface SimulationOptions {
  stateDir: string;
  /** The state is in memory, and gone when it is closed; the folder then only holds compiled recordings. */
  inMemory?: boolean | undefined;
  /** Where recordings are kept compiled; default: beside the states. */
  recordingsDir?: string | undefined;
  /** Default: `default`, or with `books` a new name. */
  state?: string | undefined;
  /** A recording or tape to take markets and books from (simulation 9.2), or `live`: live markets. */
  books?: string | undefined;
  /** For `live`: the feeds that this process opens. If absent, only the state's tape is available. */
  live?: LiveOptions | undefined;
  /** For `live`: no feeds and no trading; each market's book is requested once. */
  glances?: boolean | undefined;
  /** For a recording: nothing beyond the clock is revealed, for practice without knowing what comes next. */
  blind?: boolean | undefined;
  /** For a recording: it plays as if it were recorded now, and repeats without end. */
  asNow?: boolean | undefined;
  /** From now on, the state's behavior toward its clients; `off`: calm. */
  weather?: WeatherProfile | 'off' | undefined;
  /** Where in a recording a new state starts: a bookmark, a time of day in UTC (14:00), or Unix ms. */
  from?: string | undefined;
  clock?: 'real' | 'manual' | undefined;
  /** Speed of a recording on the real clock: a multiple of real time. */
  speed?: number | undefined;
  /** Seed of a new state; default: random. */
  seed?: number | undefined;
  /**
   * Challenge plan of a new state's accounts (simulation 6.1), or several in turn: `select,none`; default: `select`.
   */
  plan?: string | undefined;
  /** Starting balance of a new state's accounts, USD; default: 100,000. */
  startingBalance?: number | undefined;
  /** Number of accounts of the local owner in each environment of a new state; default: one for each plan. */
  accounts?: number | undefined;
  /** Exchange time at which a synthetic state starts, Unix ms; default now. */
  startTime?: Ms | undefined;
  /** The seed and start of a new synthetic state that sets neither, in place of a random seed and now. */
  beginning?: Beginning | undefined;
  /** Wall time; Date.now except in tests. */
  wall?: (() => Ms) | undefined;
}

/** The value of `books` for live markets. */
export const liveBooks = 'live';

/** The state that these options name; a recording without one gets a new name. */
export function stateOf({ state, books }: SimulationOptions): string {
  if (state !== undefined && !isStateName(state))
    throw new SimulationError(
      'invalid',
      "A state's name has up to 64 letters, digits, dots, dashes and underscores, and does not start with a dot.",
    );
  if (state !== undefined) return state;
  if (books === undefined) return defaultState;
  return books === liveBooks ? liveState : freshName(books);
}

/** The plans of a new state's accounts, in rotation. */
export function plansOf({ plan = 'select' }: SimulationOptions): (keyof typeof plans)[] {
  return plan.split(',').map((name) => name.trim()) as (keyof typeof plans)[];
}

/** Throws `SimulationError` for values that no state can have. */
export function checkOptions(options: SimulationOptions): void {
  const { accounts = plansOf(options).length, startingBalance = 1, speed = 1, books, clock, blind, asNow } = options;
  const refuse = (message: string) => {
    throw new SimulationError('invalid', message);
  };
  const unknown = plansOf(options).find((name) => !Object.hasOwn(plans, name));
  if (unknown !== undefined)
    refuse(`There is no plan ${JSON.stringify(unknown)}. Plans: ${Object.keys(plans).join(', ')}.`);
  if (!Number.isInteger(accounts) || accounts < 1 || accounts > 100)
    refuse('Accounts must be a whole number from 1 to 100.');
  if (!(startingBalance > 0 && startingBalance <= 1e9))
    refuse('The balance must be more than 0 and at most 1,000,000,000 USD.');
  if (books === liveBooks && (clock === 'manual' || speed !== 1)) refuse('Live markets run on the real clock.');
  if (asNow && books === liveBooks) refuse('Live markets are already as of now.');
  if (asNow && blind) refuse("A recording as of now repeats, so its future is also its past: it can't be blind.");
  if (asNow && speed !== 1) refuse('A recording as of now runs at the speed of the wall clock.');
  if ((books === undefined || books === liveBooks) && (blind || options.from !== undefined))
    refuse('Only a recording can be played blind or from a chosen start: name one with books.');
  if (!(speed > 0 && speed <= 1e6)) refuse('The speed must be above 0 and at most 1,000,000.');
}

/** `books.jsonl.gz` gives `books-20261120T215300-3f9a`. */
function freshName(books: string): string {
  const stem =
    basename(books)
      .split('.', 1)[0]!
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, 32) || 'recording';
  const turn = new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace(/[-:]/g, '');
  return `${stem}-${turn}-${randomBytes(2).toString('hex')}`;
}

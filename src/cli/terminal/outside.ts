import type { Variables } from '../files/folders.ts';
import type { Io } from './io.ts';

/** What a person is asked on a terminal. */
export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /** A text that is not shown while it is typed; stops waiting at the signal. */
  secret(message: string, signal: AbortSignal): Promise<string>;
}

/** The parts of the outside world that a run uses; tests swap them. */
export interface Outside {
  io: Io;
  variables: Variables;
  prompts: Prompts;
  /** Wall time, Unix ms. */
  now(): number;
}

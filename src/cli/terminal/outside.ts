import type { Variables } from '../files/folders.ts';
import type { Io } from './io.ts';

/** Prompts on a terminal. */
export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /** Reads text without echoing it; stops waiting at the signal. */
  secret(message: string, signal: AbortSignal): Promise<string>;
}

/** The outside world of one run; tests replace it. */
export interface Outside {
  io: Io;
  variables: Variables;
  prompts: Prompts;
  /** Wall time, Unix ms. */
  now(): number;
}

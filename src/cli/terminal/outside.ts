import type { RenewableTransport } from '../../client/send.ts';
import type { StreamTransport } from '../../contract/wire.ts';
import type { Variables } from '../../ground/files/folders.ts';
import type { Timing } from '../../sockets/timing.ts';
import type { Io } from './io.ts';

/** A value to choose and how it is shown. */
export interface Choice {
  readonly value: string;
  readonly name: string;
}

/** Prompts on a terminal. */
export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /** Reads text without echoing it; stops waiting at the signal. */
  secret(message: string, signal: AbortSignal): Promise<string>;
  /** One of several values. With many, typing narrows the list. */
  choose(message: string, choices: readonly Choice[]): Promise<string>;
  /** A line of text; `problem` says what is wrong with it, and the question is repeated. */
  line(message: string, problem: (text: string) => string | undefined): Promise<string>;
}

/** The outside world of one run; tests replace it. */
export interface Outside {
  io: Io;
  variables: Variables;
  prompts: Prompts;
  /** Wall time, Unix ms. */
  now(): number;
  /** Where a new synthetic simulation begins, in place of a random seed and now: the same prices in every run. */
  readonly beginning?: { readonly seed: number; readonly startTime: number };
  /** Waits between attempts at a request, ms, in place of real time; resolves at once when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly stage?: Stage | undefined;
}

/** Time, hosts and programs in place of the real ones, with everything that can go wrong with them. */
export interface Stage {
  readonly timers: Timing;
  /** Requests to a host. */
  http(address: string): RenewableTransport & { close(): Promise<void> };
  /** Streams of a host. */
  stream(address: string): StreamTransport;
  /** Runs a program with text on its standard input; resolves with what went wrong. */
  run(program: readonly string[], input: string): Promise<string | undefined>;
}

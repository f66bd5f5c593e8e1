import type { Server } from 'node:http';
import type { Machine } from '../../../desk/session/session.ts';
import type { CreateOrderRequest } from '../../../wire/contract/orders.ts';
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
  /** An order is about to be confirmed, exactly as it would be sent. */
  propose?(order: CreateOrderRequest): void;
}

/** An answer to a browser. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** A run's interface to the outside; tests replace it. */
export interface Outside extends Machine {
  readonly io: Io;
  readonly prompts: Prompts;
  /** From now on, another process answers a server's requests with this page, for a minute. */
  leavePage?(server: Server, page: Page): Promise<void>;
  /**
   * The start of a new synthetic simulation, instead of a random seed and the current time: the same prices in every
   * run.
   */
  readonly beginning?: { readonly seed: number; readonly startTime: number };
}

import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure, interruptedFailure } from '../failure/failure.ts';
import { stretch } from '../text/format.ts';
import { codeOf, pastedCode } from './answer.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import type { LoopbackReceiver } from './receiver.ts';

export interface Approval {
  /** The address to open in a browser. */
  readonly address: string;
  readonly state: string;
  /** False: the user opens the address, here or on another machine. */
  readonly opensBrowser: boolean;
  /** How long to wait for approval. */
  readonly patienceMs: number;
}

/**
 * Sends the user to the approval page and waits for the code: from the browser, or pasted if the browser is on another
 * machine. Answers to other logins are ignored. Rejects with a Failure for a refusal, a timeout, and an interruption.
 */
export async function approvedCode(context: Context, receiver: LoopbackReceiver, approval: Approval): Promise<string> {
  const over = new AbortController();
  // Created before anything is shown, so that Ctrl-C ends the login cleanly from then on.
  const stop = AbortSignal.any([context.signal, over.signal]);
  const isOpened = approval.opensBrowser && hasBrowser(context.variables) && (await openBrowser(approval.address));
  invite(context, approval.address, isOpened);
  try {
    return await Promise.race([
      receiver.answer.then((query) => codeOf(query, approval.state)),
      ...(isOpened ? [] : [pasted(context, approval.state, stop)]),
      tooLate(approval.patienceMs, stop),
    ]);
  } catch (error) {
    throw context.signal.aborted ? interruption(context.signal) : error;
  } finally {
    over.abort();
  }
}

function invite(context: Context, address: string, isOpened: boolean): void {
  if (isOpened && context.settings.quiet) return;
  const invitation = isOpened
    ? 'Approve the login in the browser. If no window opened, go to:'
    : 'Open this address in a browser and approve the login:';
  const pasting = isOpened
    ? ''
    : 'If the browser is on another machine, it ends at an address that does not load. Paste that address, or the code in it.\n';
  context.io.err(`${invitation}\n\n  ${address}\n\n${pasting}`);
}

/** The first line that contains a code. If input ends, the browser's answer is awaited. */
async function pasted(context: Context, state: string, stop: AbortSignal): Promise<string> {
  for await (const line of lines(context, stop)) {
    const code = codeIn(context, line, state);
    if (code !== undefined) return code;
  }
  return new Promise(() => {});
}

/** The code in a pasted line; if there is none for this login, tells the user and returns undefined. */
function codeIn(context: Context, line: string, state: string): string | undefined {
  try {
    const code = pastedCode(line, state);
    if (code === undefined) context.io.err('That is neither a code nor the address at which the browser ended.\n');
    return code;
  } catch (error) {
    if ((error as Failure).facts?.code !== 'state_mismatch') throw error;
    context.io.err('That address belongs to another login. Paste the address of this login.\n');
    return undefined;
  }
}

async function* lines(context: Context, stop: AbortSignal): AsyncGenerator<string> {
  if (context.io.stdinIsTerminal && context.io.stderrIsTerminal) {
    for (;;) yield await context.outside.prompts.secret('Code or address (not shown)', stop);
  }
  const input = createInterface({ input: process.stdin, signal: stop });
  try {
    yield* input;
  } finally {
    input.close();
  }
}

async function tooLate(patienceMs: number, stop: AbortSignal): Promise<never> {
  await delay(patienceMs, undefined, { signal: stop });
  throw new Failure({
    exit: exitCodes.unavailable,
    code: 'login_timeout',
    message: `The login was not approved within ${stretch(patienceMs)}. No access was granted.`,
    hint: 'Type perp login to begin again.',
  });
}

function interruption({ reason }: AbortSignal): Failure {
  const isTerminated = (reason as Partial<Failure>)?.facts?.code === 'terminated';
  return interruptedFailure('The login was interrupted. Nothing was stored.', isTerminated ? 'SIGTERM' : 'SIGINT');
}

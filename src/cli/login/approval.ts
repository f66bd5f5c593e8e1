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
  /** What is to be opened in a browser. */
  readonly address: string;
  readonly state: string;
  /** False: the person opens the address, here or elsewhere. */
  readonly opensBrowser: boolean;
  /** How long a person may take. */
  readonly patienceMs: number;
}

/**
 * Sends a person to the approval page and waits for the code: from the browser, or pasted where the browser is not here.
 * Answers of other logins are ignored. Rejects with a Failure for a refusal, a timeout, and an interruption.
 */
export async function approvedCode(context: Context, receiver: LoopbackReceiver, approval: Approval): Promise<string> {
  const over = new AbortController();
  // Before anything is shown: from then on Ctrl-C ends the login in order.
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
    : 'If the browser is on another machine, it ends at an address that does not load: paste that, or the code in it.\n';
  context.io.err(`${invitation}\n\n  ${address}\n\n${pasting}`);
}

/** The first line that holds a code. Input that ends leaves it to the browser. */
async function pasted(context: Context, state: string, stop: AbortSignal): Promise<string> {
  for await (const line of lines(context, stop)) {
    const code = codeIn(context, line, state);
    if (code !== undefined) return code;
  }
  return new Promise(() => {});
}

/** The code in a pasted line; undefined, after telling the person, when there is none for this login. */
function codeIn(context: Context, line: string, state: string): string | undefined {
  try {
    const code = pastedCode(line, state);
    if (code === undefined) context.io.err('That is neither a code nor the address that the browser ended at.\n');
    return code;
  } catch (error) {
    if ((error as Failure).facts?.code !== 'state_mismatch') throw error;
    context.io.err('That address belongs to another login. Paste the one where this login ended.\n');
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
    message: `Nobody approved the login within ${stretch(patienceMs)}. Nothing was granted.`,
    hint: 'Type perp login to begin again.',
  });
}

function interruption({ reason }: AbortSignal): Failure {
  const isTerminated = (reason as Partial<Failure>)?.facts?.code === 'terminated';
  return interruptedFailure('The login was interrupted. Nothing was kept.', isTerminated ? 'SIGTERM' : 'SIGINT');
}

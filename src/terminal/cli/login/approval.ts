import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes, Failure, interruptedFailure } from '../../../base/failure/failure.ts';
import { stretch } from '../../../base/text/format.ts';
import type { Console } from '../../console/console.ts';
import { codeOf, pastedCode, startOver } from './answer.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import type { LoopbackReceiver } from './receiver.ts';

/** An approval that a browser is about to be asked for. */
export interface Approval {
  /** The address to open in a browser. */
  readonly address: string;
  readonly state: string;
  /** False: the user opens the address, here or on another machine. */
  readonly opensBrowser: boolean;
  /** How long to wait for approval. */
  readonly maxWaitMs: number;
}

/**
 * Sends the user to the approval page, waits for the code, from the browser or pasted if the browser is on another
 * machine, and returns what `accept` makes of it. Answers to other logins are ignored; a pasted code that the host does
 * not accept may be pasted again. Rejects with a Failure for a refusal, a timeout, and an interruption.
 */
export async function approvedSession<T>(
  console: Console,
  receiver: LoopbackReceiver,
  approval: Approval,
  accept: (code: string) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  // Created before anything is shown, so that Ctrl-C ends the login cleanly from then on.
  const stop = AbortSignal.any([console.signal, over.signal]);
  const isOpened =
    approval.opensBrowser && hasBrowser(console.variables) && (await openBrowser(approval.address, console.variables));
  invite(console, approval.address, isOpened);
  const answered = receiver.answer.then((query) => ({ code: codeOf(query, approval.state), isPasted: false }));
  const lines = isOpened ? undefined : pastedCodes(console, approval.state, stop);
  const late = tooLate(approval.maxWaitMs, stop);
  let refusal: unknown;
  try {
    for (;;) {
      const sources = lines === undefined ? [answered, late] : [answered, nextPasted(lines, refusal), late];
      const { code, isPasted } = await Promise.race(sources).catch((error: unknown) => {
        if (console.signal.aborted) throw interruption(console.signal);
        throw (error as Partial<Failure>).facts?.exit === exitCodes.interrupted ? interruption() : error;
      });
      const session = await accept(code).catch((error: unknown) => {
        if (!isPasted || (error as Partial<Failure>).facts?.code !== 'invalid_grant') throw error;
        refusal = error;
        console.io.err('The host does not accept that code. Paste the address or code of this login.\n');
      });
      if (session !== undefined) return session;
    }
  } finally {
    over.abort();
  }
}

function invite(console: Console, address: string, isOpened: boolean): void {
  if (isOpened && console.settings.quiet) return;
  const invitation = isOpened
    ? 'Approve the login in the browser. If no window opened, go to:'
    : 'Open this address in a browser and approve the login:';
  const pasting = isOpened
    ? ''
    : 'If the browser is on another machine, it ends up at an address that does not load. Paste that address, or the code in it.\n';
  console.io.err(`${invitation}\n\n  ${address}\n\n${pasting}`);
}

/** The codes in pasted lines. */
async function* pastedCodes(console: Console, state: string, stop: AbortSignal): AsyncGenerator<string> {
  for await (const line of lines(console, stop)) {
    const code = codeIn(console, line, state);
    if (code !== undefined) yield code;
  }
}

/** The next pasted code. If input ends, the browser's answer is awaited, unless the last code was refused. */
async function nextPasted(
  codes: AsyncGenerator<string>,
  refusal: unknown,
): Promise<{ code: string; isPasted: boolean }> {
  const { value, done } = await codes.next();
  if (done !== true) return { code: value, isPasted: true };
  if (refusal !== undefined) throw refusal;
  return new Promise(() => {});
}

/** The code in a pasted line; if there is none for this login, tells the user and returns undefined. */
function codeIn(console: Console, line: string, state: string): string | undefined {
  try {
    const code = pastedCode(line, state);
    if (code === undefined) console.io.err('That is neither a code nor the address at which the browser ended.\n');
    return code;
  } catch (error) {
    if ((error as Failure).facts?.code !== 'state_mismatch') throw error;
    console.io.err('That address belongs to another login. Paste the address of this login.\n');
    return undefined;
  }
}

async function* lines(console: Console, stop: AbortSignal): AsyncGenerator<string> {
  if (console.io.stdinIsTerminal && console.io.stderrIsTerminal) {
    for (;;) yield await console.outside.prompts.secret('Code or address (not shown)', stop);
  }
  const input = createInterface({ input: console.io.input(), signal: stop });
  try {
    yield* input;
  } finally {
    input.close();
  }
}

async function tooLate(maxWaitMs: number, stop: AbortSignal): Promise<never> {
  await delay(maxWaitMs, undefined, { signal: stop });
  throw new Failure({
    code: 'login_timeout',
    message: `The login was not approved within ${stretch(maxWaitMs)}. No access was granted.`,
    hint: startOver,
  });
}

function interruption(signal?: AbortSignal): Failure {
  const isTerminated = (signal?.reason as Partial<Failure>)?.facts?.code === 'terminated';
  return interruptedFailure('The login was interrupted. Nothing was stored.', isTerminated ? 'SIGTERM' : 'SIGINT');
}

import { statSync } from 'node:fs';
import { createClient } from '../../client/client.ts';
import { streamPaths } from '../../contract/streams.ts';
import type { StreamTransport } from '../../contract/wire.ts';
import { type NamedMandate, readMandate } from '../../desk/mandate/mandate-file.ts';
import { effectiveMandate, readSigned, type SignedMandate } from '../../desk/mandate/signed.ts';
import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import type { Console } from '../console/console.ts';
import type { OpenedAccess } from '../console/open-access.ts';
import { type AgentDesk, SharedRead } from './agent-console.ts';

/** The desk of a connection that may only read. */
export function readingDesk(console: Console): AgentDesk {
  return { console, markets: new SharedRead(), mandate: undefined, access: () => console.access() };
}

/**
 * The desk of a connection with a mandate: everything that it does passes a gate in this process, which judges, sends and
 * records it. Throws a failure for a mandate that nobody has signed.
 */
export async function tradingDesk(console: Console, file: string): Promise<AgentDesk & AsyncDisposable> {
  const inForce = new MandateInForce(console, file);
  const { name } = inForce;
  const { Gate } = await import('../../gate/gate.ts');
  const { gateFolder } = await import('../../gate/bots-file.ts');
  const { takeAccounts } = await import('../../gate/charge.ts');
  const upstream = await console.access();
  await using ending = new AsyncDisposableStack();
  ending.use(takeAccounts(console.variables, upstream.destination, inForce.now().accounts));
  const gate = await Gate.open({
    session: console,
    mandates: () => new Map([[name, inForce.now()]]),
    folder: gateFolder(console.variables),
    // Nobody decides within a call; the agent can tell its person at once.
    approvalHoldMs: 0,
    note: (text) => console.note(text),
  });
  ending.use(gate);
  // One attempt: the gate itself repeats what is safe to repeat, and finds out what got no answer.
  const client = createClient({
    transport: gate.transport(name),
    retry: { attempts: 1, arrivalMs: 0 },
    timeoutMs: console.settings.timeoutMs,
    keepsKeys: true,
  });
  const open: StreamTransport = (target, events) => gate.stream(name, target, events);
  const access: OpenedAccess = {
    ...upstream,
    carrier: { transport: gate.transport(name) },
    client,
    urgent: client,
    once: client,
    isInProcess: true,
    streams: async () => ({ market: open, account: { transport: open, path: streamPaths.live } }),
  };
  const end = ending.move();
  return {
    console,
    markets: new SharedRead(),
    mandate: name,
    access: async () => access,
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}

/** What a person has signed, tightened by its file as it is now. */
class MandateInForce {
  readonly name: string;
  readonly #file: string;
  readonly #signed: SignedMandate;
  #seen: { readonly at: number; readonly mandate: NamedMandate };

  constructor(console: Console, file: string) {
    const { mandate } = readMandate(file);
    const signed = readSigned(console.variables, mandate.name);
    if (signed === undefined) throw notSigned(mandate.name, file);
    const { mandate: effective, looser } = effectiveMandate(signed, mandate);
    if (looser.length > 0)
      console.note(`${file} has looser terms than were signed, which do not count: ${looser.join(', ')}.`);
    this.name = mandate.name;
    this.#file = file;
    this.#signed = signed;
    this.#seen = { at: changedAt(file), mandate: effective };
  }

  /** A file that can't be read any more leaves nothing in force. */
  now(): NamedMandate {
    const at = changedAt(this.#file);
    if (at === this.#seen.at) return this.#seen.mandate;
    try {
      const { mandate } = effectiveMandate(this.#signed, readMandate(this.#file).mandate);
      this.#seen = { at, mandate };
    } catch {
      this.#seen = { at, mandate: { ...this.#signed.mandate, until: 0 } };
    }
    return this.#seen.mandate;
  }
}

/** When a file was last changed, ms; NaN if it is gone. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function notSigned(name: string, file: string): Failure {
  return new Failure({
    exit: exitCodes.notAllowed,
    code: 'not_signed',
    message: `Nobody has signed the mandate ${name}.`,
    hint: `A person signs it on a terminal: perp mandate sign ${file}`,
  });
}

import type { Session } from '../../desk/session/session.ts';
import type { RequestLine } from '../../wire/hosting/host-request.ts';
import { gateFolder } from './bots-file.ts';
import { takeAccounts } from './charge.ts';
import { holdGate, serveControl } from './control.ts';
import { Gate } from './gate.ts';
import { listenForBots } from './gate-host.ts';
import { MandateFiles } from './mandate-files.ts';
import type { GateStatus } from './options.ts';

/** How a gate is served. */
export interface ServeGateOptions {
  readonly session: Session;
  /** Files of signed mandates, one for each bot. */
  readonly mandates: readonly string[];
  /** Port for bots; 0: any free one. */
  readonly port: number;
  /** Requests per minute that the service allows; undefined: not known. */
  readonly rateLimit: number | undefined;
  readonly log: ((line: RequestLine) => void) | null;
  /** Takes a remark for the gate's owner, in a sentence. */
  note(text: string): void;
}

/** A served gate. Disposing it answers what waits, and ends it. */
export interface ServedGate extends AsyncDisposable {
  /** Where bots reach it. */
  readonly url: string;
  status(): GateStatus;
}

/** Serves a gate to bots and to its owner. Throws failures; rejects with EADDRINUSE if the port is taken. */
export async function serveGate({
  session,
  mandates,
  port,
  rateLimit,
  log,
  note,
}: ServeGateOptions): Promise<ServedGate> {
  const { variables, now } = session.machine;
  const folder = gateFolder(variables);
  await using undo = new AsyncDisposableStack();
  undo.use(holdGate(folder));
  const files = undo.use(new MandateFiles(mandates, variables, note));
  const accounts = [...files.inForce.values()].flatMap((mandate) => mandate.accounts);
  undo.use(takeAccounts(variables, (await session.access()).destination, [...new Set(accounts)]));
  const gate = undo.use(await Gate.open({ session, mandates: () => files.inForce, folder, rateLimit, note }));
  const host = await listenForBots({
    gate,
    environment: environmentOf(session),
    port,
    now: () => now(),
    log,
    note,
  });
  undo.defer(() => host.stop());
  undo.use(await serveControl(gate, folder, host.url));
  // What waits is answered before connections end.
  undo.defer(() => gate.drain());
  const opened = undo.move();
  return { url: host.url, status: () => gate.status(), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The environment of keys for the place that a session leads to. */
export function environmentOf({ settings }: Pick<Session, 'settings'>): 'live' | 'test' {
  return settings.environment === 'sandbox' ? 'test' : 'live';
}

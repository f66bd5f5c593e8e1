import type { SeenTimes } from '../../desk/mandate/signed.ts';
import type { Session } from '../../desk/session/session.ts';
import { streamPaths } from '../../wire/contract/streams.ts';
import type { WireRequest } from '../../wire/contract/wire.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import {
  bearerKey,
  environmentNamedBy,
  type HostEnvironment,
  noCredential,
  unauthorized,
  wrongHost,
} from '../../wire/hosting/keys.ts';
import type { RequestLine } from '../../wire/hosting/read-request.ts';
import { type ListeningHost, listen } from '../../wire/hosting/server.ts';
import { type BotsFile, gateFolder } from './bots-file.ts';
import { holdGate, onThisMachine, serveControl } from './control.ts';
import { Gate, type Identify } from './gate.ts';
import { MandateFiles, takeAccounts } from './mandate-files.ts';
import { unavailable } from './upstream.ts';

/** How a gate is served. */
export interface ServeGateOptions extends Pick<GateHostOptions, 'port' | 'log' | 'note'> {
  readonly session: Session;
  /** Files of signed mandates, one for each bot. */
  readonly mandates: readonly string[];
  /** Requests per minute that the service allows; undefined if unknown. */
  readonly rateLimit: number | undefined;
}

/**
 * Serves a gate to bots, at `url`, and to its owner. Disposing it answers waiting requests, and ends it. Throws
 * failures; rejects with EADDRINUSE if the port is taken.
 */
export async function serveGate({ session, mandates, port, rateLimit, log, note }: ServeGateOptions) {
  const { variables, now } = session.machine;
  const folder = gateFolder(variables);
  await using undo = new AsyncDisposableStack();
  undo.use(holdGate(folder));
  const files = undo.use(new MandateFiles(mandates, variables, note));
  const accounts = [...files.inForce.values()].flatMap((mandate) => mandate.accounts);
  undo.use(takeAccounts(variables, (await session.access()).destination, [...new Set(accounts)]));
  const gate = undo.use(await Gate.open({ session, mandates: () => files.inForce, folder, rateLimit, note }));
  const host = await listenForBots({ gate, environment: environmentOf(session), port, now, log, note });
  undo.defer(() => host.stop());
  undo.use(await serveControl(gate, folder, host.url));
  // Waiting requests are answered before connections end.
  undo.defer(() => gate.drain());
  const opened = undo.move();
  return { url: host.url, status: () => gate.status(), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The environment of keys for the place that a session leads to. */
export function environmentOf({ settings }: Pick<Session, 'settings'>): 'live' | 'test' {
  return settings.environment === 'sandbox' ? 'test' : 'live';
}

/** Options for serving a gate to bots. */
interface GateHostOptions {
  readonly gate: Gate;
  readonly environment: HostEnvironment;
  /** 0: any free port. */
  readonly port: number;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: ((line: RequestLine) => void) | null;
  /** Takes a remark for the gate's owner, in a sentence. */
  note(text: string): void;
}

/** Serves a gate to bots on this machine, each with its key. Rejects if the port is taken. */
export async function listenForBots({
  gate,
  environment,
  port,
  log,
  ...options
}: GateHostOptions): Promise<ListeningHost> {
  const { bots, times } = gate;
  const keys = { ...options, bots, times, environment };
  const report = (error: unknown, during: string) =>
    options.note(`${during} failed: ${error instanceof Error ? error.message : String(error)}`);
  return await listen({
    ...onThisMachine,
    environment,
    port,
    log,
    onError: report,
    answer: (request: WireRequest, received) =>
      gate.answer(request, { identify: identifiedBy(request.headers.authorization, keys), problems: received }),
    streams: {
      get isStopping() {
        return gate.isStopping;
      },
      async admit({ path, search, authorization }) {
        if (path === streamPaths.marketData) return gate.admit(null, path, search, () => true);
        const wanted = path === streamPaths.live ? 'live' : 'test';
        if (wanted !== environment) throw wrongHost(`This gate serves the ${environment} environment only.`);
        const bot = botOf(authorization, keys);
        return gate.admit(bot, path, search, () => isStill(bot, authorization, keys));
      },
      failureOf(error) {
        if (error instanceof Failure) return error;
        report(error, 'A stream');
        return unavailable('The gate could not open this stream.');
      },
    },
  });
}

type Keys = Pick<GateHostOptions, 'environment' | 'now'> & { readonly bots: BotsFile; readonly times: SeenTimes };

function identifiedBy(authorization: string | undefined, keys: Keys): Identify {
  return ({ auth }) => {
    if (auth === 'none' || (auth === 'optional' && authorization === undefined)) return null;
    return botOf(authorization, keys);
  };
}

/** The bot whose key a header has. Throws a 401. */
function botOf(authorization: string | undefined, { bots, times, environment, now }: Keys): string {
  if (authorization === undefined) throw noCredential();
  const text = bearerKey(authorization);
  const key = bots.key(text);
  const belongsTo = key?.environment ?? environmentNamedBy(text);
  if (belongsTo !== null && belongsTo !== environment)
    throw wrongHost(`This is a ${belongsTo} key, but this gate serves ${environment}.`);
  if (key === undefined) throw unauthorized('This credential is unknown.');
  if (key.revoked_at !== null) throw unauthorized('This credential was revoked.');
  if (times.timeOf(key.id, now(), key.expires_at) >= key.expires_at)
    throw unauthorized('This credential has expired. Ask the owner of the gate for another.');
  return key.bot;
}

function isStill(bot: string, authorization: string | undefined, keys: Keys): boolean {
  try {
    return botOf(authorization, keys) === bot;
  } catch {
    return false;
  }
}

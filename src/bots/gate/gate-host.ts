import type { SeenTimes } from '../../desk/mandate/seen-times.ts';
import { streamPaths } from '../../wire/contract/streams.ts';
import type { WireRequest } from '../../wire/contract/wire.ts';
import { bearerKey, noCredential, unauthorized, wrongHost } from '../../wire/hosting/bearer.ts';
import type { HostEnvironment } from '../../wire/hosting/environment.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { ownNames, type RequestLine } from '../../wire/hosting/host-request.ts';
import { environmentNamedBy } from '../../wire/hosting/keys.ts';
import { Origins } from '../../wire/hosting/origins.ts';
import { type ListeningHost, listen } from '../../wire/hosting/server.ts';
import type { BotsFile } from './bots-file.ts';
import type { Gate, Identify } from './gate.ts';
import { unavailable } from './upstream.ts';

/** How a gate is served to bots. */
export interface GateHostOptions {
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
    environment,
    port,
    names: ownNames,
    origins: new Origins([]),
    page: () => null,
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
    throw wrongHost(`This is a ${belongsTo} key, and this gate serves ${environment}.`);
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

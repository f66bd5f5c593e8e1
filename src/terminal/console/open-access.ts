import { usageFailure } from '../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { makePrivateFolder } from '../../base/files/private-files.ts';
import { liveState } from '../../base/terms/state-names.ts';
import type { VenueName } from '../../base/terms/venues.ts';
import { maybe } from '../../base/text/format.ts';
import { findCredential, warningsOf } from '../../desk/credentials/credentials.ts';
import type { FoundCredential } from '../../desk/credentials/session-file.ts';
import { intentFolder } from '../../desk/intents/intent-files.ts';
import { WriteKeeper } from '../../desk/intents/keeper.ts';
import { type Destination, type Given, pricesInWords, pricesOfAnswer, refuseSecret } from '../../desk/intents/note.ts';
import { placesOf } from '../../desk/intents/places.ts';
import { exposureProof } from '../../desk/lock/trading-lock.ts';
import type { Access, Stage, StreamHosts } from '../../desk/session/session.ts';
import { type ClientOptions, createClient } from '../../wire/client/client.ts';
import type { Intent } from '../../wire/client/intent.ts';
import type { Prove } from '../../wire/client/proven-send.ts';
import type { Attempt, RenewableTransport } from '../../wire/client/send.ts';
import { streamPaths } from '../../wire/contract/streams.ts';
import type { OpenedStream, StreamTransport, Transport, WireResponse } from '../../wire/contract/wire.ts';
import { runningSimulation } from './settings/in-use.ts';
import { baseUrlVariables, type Settings } from './settings/settings.ts';
import { liveOptions } from './settings/venues.ts';
import type { Outside } from './terminal/outside.ts';

/** An access as the command line opens it. */
export interface OpenedAccess extends Access {
  /** The credential in use, looked up on first use; undefined in the simulation, which needs none. */
  readonly credential: (() => Promise<FoundCredential>) | undefined;
}

/** The settings that decide where a command's requests go. */
export interface AccessOptions {
  settings: Settings;
  outside: Outside;
  version: string;
  note(text: string): void;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Learns from each answer which run of a simulation gave it. */
  onRun?: ((run: string) => void) | undefined;
  /** The command that uses the access. */
  given?: Given | undefined;
  /** The command's own simulation, which it closes itself. */
  own?: OwnSimulation | undefined;
}

/** A simulation in this process that no other command sees, and the source of its prices, in words. */
export interface OwnSimulation {
  readonly api: InProcess;
  readonly prices: string;
}

type InProcess = import('../../service/public.ts').InProcess;

interface Carried {
  transport: RenewableTransport;
  streams: () => Promise<StreamHosts>;
  /** Key of a served simulation, which belongs to this user. */
  key?: string;
  /** A simulation keeps idempotency keys until it is reset (simulation 8.3). */
  keepsKeys?: true;
  credential?: () => Promise<FoundCredential>;
  state?: string;
  /** The opened service's description of itself. */
  destination: Destination;
  bug?: () => unknown;
  close(): Promise<void>;
}

/** Opens the environment: a host, a served simulation, or the in-process simulation. */
export async function openAccess(options: AccessOptions): Promise<OpenedAccess> {
  const { settings, outside, version, onAttempt, note } = options;
  const opening = settings.environment === 'sim' ? simulation : remote;
  const carried = maybe(options.own, ownSimulation) ?? (await opening(options));
  const { credential, state, bug, streams, destination } = carried;
  [destination.place] = placesOf(outside.variables, destination);
  let run: string | undefined;
  const transport = heard(carried.transport, ({ headers }) => {
    run = headers['x-sim-run'] ?? run;
    if (run !== undefined) options.onRun?.(run);
  });
  const { variables, now } = outside;
  const { timeoutMs } = settings;
  const intents = new WriteKeeper({ folder: intentFolder(variables), destination, timeoutMs, note, now });
  intents.isDeliberate = settings.fresh;
  intents.given = options.given;
  let hasFolder = false;
  const beforeWrite = async () => {
    await credential?.();
    if (!hasFolder) hasFolder = makeStateFolder(outside.variables);
  };
  const isInProcess = bug !== undefined;
  const arrivalMs = isInProcess ? 0 : settings.arrivalMs;
  const common = {
    transport,
    isInProcess,
    credential: isInProcess ? undefined : async () => carried.key ?? (await credential?.())?.text,
    userAgent: `perp/${version}`,
    onAttempt,
  };
  const urgent = createClient({ ...common, retry: { attempts: 1, arrivalMs: 0 } });
  const kept = {
    ...common,
    timeoutMs,
    keepsKeys: carried.keepsKeys,
    ...keptWrites(options, intents, beforeWrite, (intent) => exposure(intent)),
  };
  const once = createClient({ ...kept, retry: { attempts: 1, arrivalMs } });
  const waiting = { sleep: outside.sleep, ...(outside.stage && { now: () => outside.stage!.timers.uptime() }) };
  // In process, a retry would fail the same way.
  const retry = { arrivalMs, ...(isInProcess ? { attempts: 1 } : waiting) };
  const client = createClient({ ...kept, retry });
  intents.attach(client);
  const exposure = (intent: Intent) => exposureProof(intent, { variables, destination, client, now });
  return {
    client,
    urgent,
    once,
    carrier: common,
    intents,
    credential,
    state,
    destination,
    exposureProof: exposure,
    beforeWrite,
    isInProcess,
    arrivalMs,
    run: () => run,
    streams,
    knownTick: async (market_id) => (await import('../../service/state/known-tick.ts')).knownTick(market_id),
    bug: bug ?? (() => undefined),
    close() {
      intents.end();
      return carried.close();
    },
  };
}

/** Proves that a write may leave before it is kept, and keeps it before it leaves. */
function keptWrites(
  { settings }: AccessOptions,
  intents: WriteKeeper,
  beforeWrite: Access['beforeWrite'],
  exposure: Access['exposureProof'],
): Pick<ClientOptions, 'intents' | 'prove'> {
  const proofs = new WeakMap<Intent, Prove>();
  return {
    intents: {
      async beforeSend(intent) {
        await beforeWrite();
        refuseSecret(intent, settings.baseUrl);
        proofs.set(intent, await exposure(intent));
        return await intents.beforeSend(intent);
      },
      afterAnswer: intents.afterAnswer.bind(intents),
      waits: intents.waits.bind(intents),
    },
    prove(intent) {
      // A proof made before the write was stored is valid for its first sending.
      const proof = proofs.get(intent);
      proofs.delete(intent);
      return proof ?? exposure(intent);
    },
  };
}

/**
 * Whether the folder exists now. If creating it fails, the keeper reports it, except that ENOENT would make it retry
 * forever.
 */
function makeStateFolder(variables: Variables): boolean {
  try {
    makePrivateFolder(stateFolder(variables));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    return false;
  }
}

async function remote({ settings, outside, note }: AccessOptions): Promise<Carried> {
  const { environment, baseUrl } = settings;
  if (baseUrl === undefined) {
    const variable = baseUrlVariables[environment as 'live' | 'sandbox'];
    throw usageFailure(
      `The address of the ${environment} API is not set.`,
      `Set ${variable}, or run: perp config set ${environment}.base_url https://...`,
    );
  }
  const look = async () => {
    const found = await findCredential(settings, outside.variables);
    for (const warning of warningsOf(found, outside.now())) note(warning);
    return found;
  };
  let found: Promise<FoundCredential> | undefined;
  const credential = () => {
    found ??= look().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  const { market, account } = settings.streams;
  const path = environment === 'live' ? streamPaths.live : streamPaths.test;
  const streams = () => streamsAt(outside.stage, market, account, path, async () => (await credential()).text);
  const { transport, close } = await overHttp(baseUrl, outside.stage);
  const destination: Destination = { environment, baseUrl, profile: settings.profile };
  // The last answer decides whether the destination is a simulation.
  const listening = heard(transport, ({ headers }) => {
    destination.prices = pricesOfAnswer(headers);
  });
  return { transport: listening, close, destination, credential, streams };
}

/** The transport, with a listener for its answers. */
function heard(transport: RenewableTransport, hear: (answer: WireResponse) => void): RenewableTransport {
  return Object.assign(async (...[request, options]: Parameters<RenewableTransport>) => {
    const answer = await transport(request, options);
    hear(answer);
    return answer;
  }, transport);
}

/** The credential is sent only to the account stream. */
async function streamsAt(
  stage: Stage | undefined,
  market: string | undefined,
  account: string | undefined,
  path: string,
  credential: () => Promise<string>,
): Promise<StreamHosts> {
  const { webSocketTransport: real } = await import('../../wire/client/streams/web-socket.ts');
  const webSocketTransport: typeof real = stage === undefined ? real : (address) => stage.stream(address);
  return {
    market: maybe(market, webSocketTransport),
    account: account === undefined ? undefined : { transport: webSocketTransport(account, { credential }), path },
  };
}

/** The streams of a served simulation: each connection uses the address and key of that moment. */
async function servedStreams(where: () => Promise<{ baseUrl: string; key: string }>): Promise<StreamHosts> {
  const { webSocketTransport } = await import('../../wire/client/streams/web-socket.ts');
  const follow =
    (isKeyed: boolean): StreamTransport =>
    (target, events) => {
      let stream: OpenedStream | undefined;
      let isClosed = false;
      where().then(
        ({ baseUrl, key }) => {
          const options = isKeyed ? { credential: async () => key } : {};
          if (!isClosed) stream = webSocketTransport(baseUrl.replace(/^http/, 'ws'), options)(target, events);
        },
        ({ message }: Error) => isClosed || events.closed({ code: 1006, reason: message }),
      );
      return {
        send: (text) => stream?.send(text),
        close() {
          isClosed = true;
          stream?.close();
        },
      };
    };
  return { market: follow(false), account: { transport: follow(true), path: streamPaths.live } };
}

async function overHttp(baseUrl: string, stage?: Stage): Promise<Pick<Carried, 'transport' | 'close'>> {
  const transport =
    stage?.http(baseUrl) ?? (await import('../../wire/client/http-transport.ts')).httpTransport(baseUrl);
  return { transport, close: () => transport.close() };
}

function ownSimulation({ api, prices }: OwnSimulation): Carried {
  const { state } = api.simulation;
  return {
    transport: api.transport,
    keepsKeys: true,
    streams: streamsOf(api),
    destination: { environment: 'sim', state, prices },
    state,
    bug: () => undefined,
    close: async () => {},
  };
}

async function simulation({ settings, outside, note, given }: AccessOptions): Promise<Carried> {
  const { state, books, clock, speed } = settings.simulation;
  const { strayOfHost } = settings;
  const { variables, beginning } = outside;
  if (strayOfHost !== undefined)
    note(`${strayOfHost} is ignored in the simulation. To use the host, add --env live or set PERP_ENV.`);
  const stateDir = stateFolder(variables);
  const isLive = books === 'live';
  const name = state ?? (isLive ? liveState : undefined);
  const running = name === undefined ? undefined : await runningSimulation(stateDir, name);
  if (running !== undefined) {
    for (const [name, value] of Object.entries({ books, clock, speed })) {
      if (value === undefined || (name === 'books' && isLive)) continue;
      throw usageFailure(
        `The simulation ${running.state} is being served, and its --${name} can't change while it runs.`,
        `Omit --${name}, or choose another --state.`,
      );
    }
    const { baseUrl, key, source, firstTime } = running;
    const prices = pricesInWords(source, firstTime);
    const destination = { environment: settings.environment, state: running.state, prices, profile: settings.profile };
    const streams = () => servedStreams(async () => (await runningSimulation(stateDir, running.state)) ?? running);
    return { ...(await overHttp(baseUrl)), destination, key, keepsKeys: true, state: running.state, streams };
  }
  const { inProcessTransport } = await import('../../service/public.ts');
  let bug: unknown;
  const onBug = (error: unknown) => {
    bug = error;
  };
  const glance = isLive && state === undefined ? glanceOptions(variables, given) : undefined;
  const leavesNothing = settings.dryRun;
  const options = { stateDir, state, books, clock, speed, beginning, onBug, leavesNothing, ...glance };
  const opened = await inProcessTransport(options);
  if (glance !== undefined)
    note(
      'No simulation on live markets is being served, so this is a single REST snapshot. Start one with: perp sim serve --books live',
    );
  else if (state === undefined && books !== undefined && !settings.dryRun)
    note(`Created a simulation of the recording; use --state ${opened.simulation.state} to return to it.`);
  const takeBug = () => {
    const taken = bug;
    bug = undefined;
    return taken;
  };
  const transport = glance === undefined ? opened.transport : onlyMarkets(opened.transport);
  const { source, firstTime } = opened.simulation.facts;
  const prices = pricesInWords(source.name, firstTime);
  const own = opened.simulation.state;
  const { environment, profile } = settings;
  const destination = { environment, state: glance === undefined ? own : undefined, prices, profile };
  return {
    transport,
    keepsKeys: true,
    streams: streamsOf(opened),
    destination,
    state: own,
    bug: takeBug,
    close: async () => opened.close(),
  };
}

/** The streams of a simulation in this process. */
function streamsOf({ stream }: Pick<InProcess, 'stream'>): Carried['streams'] {
  return async () => ({ market: stream, account: { transport: stream, path: streamPaths.live } });
}

/** Live markets without a served simulation: each question about a market is one request to the venue. */
function glanceOptions(variables: Variables, given: Given | undefined) {
  const venues = (given?.input.venue ?? []) as readonly VenueName[];
  const live = liveOptions(variables, venues.length > 0 ? venues : undefined);
  return { state: `glance-${crypto.randomUUID().slice(0, 8)}`, leavesNothing: true, glances: true, live };
}

/** The operations that need only markets. */
const aboutMarkets = /^\/v1(?:\/(?:markets|accounts)(?:[/?].*)?)?$/;

function onlyMarkets(transport: Transport): Transport {
  return async (request, options) => {
    if (request.method === 'GET' && aboutMarkets.test(request.target)) return await transport(request, options);
    throw usageFailure(
      'Without a served simulation, only perp quote and perp markets work on live markets.',
      'Start one with: perp sim serve --books live',
    );
  };
}

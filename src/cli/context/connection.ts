import { type Client, createClient } from '../../client/client.ts';
import type { Attempt, RenewableTransport } from '../../client/send.ts';
import { streamPaths } from '../../contract/streams.ts';
import type { StreamTransport } from '../../contract/wire.ts';
import { findCredential, warningsOf } from '../credentials/credentials.ts';
import type { FoundCredential } from '../credentials/session.ts';
import { usageFailure } from '../failure/failure.ts';
import { stateFolder, type Variables } from '../files/folders.ts';
import { makePrivateFolder } from '../files/private-files.ts';
import { journalFolder } from '../intents/journals.ts';
import { WriteKeeper } from '../intents/keeper.ts';
import { type Given, refuseSecret } from '../intents/note.ts';
import { baseUrlVariables, type Settings } from '../settings/settings.ts';
import { runningSimulation } from './served.ts';

/** A client and what it talks to. */
export interface Connection {
  readonly client: Client;
  /** Puts every write down before it leaves. */
  readonly intents: WriteKeeper;
  /** The credential in use, looked up when first asked; undefined in the simulation, which needs none. */
  readonly credential: (() => Promise<FoundCredential>) | undefined;
  /** Name of the simulation, where it is one. */
  readonly state: string | undefined;
  /** What there must be before a write is put down: the credential, to be kept out of it, and a folder for it. */
  readonly beforeWrite: () => Promise<void>;
  /** The answer comes within the call itself: nothing to wait for, nothing to interrupt. */
  readonly isInProcess: boolean;
  /** What was sent may arrive so long after the service answers again; 0 in this process. */
  readonly travelMs: number;
  /** The streams of what the client talks to, opened by whoever follows them. */
  readonly streams: () => Promise<StreamHosts>;
  /** What went wrong inside a simulation in this process since it was last asked: a bug, its answer only says internal. */
  readonly bug: () => unknown;
  close(): Promise<void>;
}

/** Where the streams are; undefined where nobody gave an address. */
export interface StreamHosts {
  market: StreamTransport | undefined;
  account: { transport: StreamTransport; path: string } | undefined;
}

export interface ConnectionOptions {
  settings: Settings;
  variables: Variables;
  version: string;
  note(text: string): void;
  /** Wall time, Unix ms. */
  now(): number;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** The command whose connection it is. */
  given?: Given | undefined;
}

interface Carried {
  transport: RenewableTransport;
  streams: () => Promise<StreamHosts>;
  /** Of the served simulation, which is this person's own. */
  key?: string;
  credential?: () => Promise<FoundCredential>;
  state?: string;
  bug?: () => unknown;
  close(): Promise<void>;
}

/** Opens what the environment names: a host, the simulation that is being served, or the simulation in this process. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { settings, version, onAttempt } = options;
  const carried = settings.environment === 'sim' ? await simulation(options) : await remote(options);
  const intents = keeperOf(options, carried);
  const beforeWrite = async () => {
    await carried.credential?.();
    makeStateFolder(options.variables);
  };
  const isInProcess = carried.bug !== undefined;
  const travelMs = isInProcess ? 0 : settings.arrivalMs;
  const client = createClient({
    transport: carried.transport,
    credential: async () => carried.key ?? (await carried.credential?.())?.text,
    timeoutMs: settings.timeoutMs,
    // In this process nothing travels: what failed once fails again.
    retry: isInProcess ? { attempts: 1, travelMs } : { travelMs },
    userAgent: `perp/${version}`,
    intents: {
      async beforeSend(intent) {
        await beforeWrite();
        refuseSecret(intent, settings.baseUrl);
        await intents.beforeSend(intent);
      },
      afterAnswer: (intent, outcome) => intents.afterAnswer(intent, outcome),
    },
    onAttempt,
  });
  intents.attach(client);
  const { credential, state, bug, streams } = carried;
  const close = async () => {
    intents.end();
    await carried.close();
  };
  const takeBug = bug ?? (() => undefined);
  return { client, intents, credential, state, beforeWrite, isInProcess, travelMs, streams, bug: takeBug, close };
}

/** Where even making the folder fails, the keeper says so; but it must not try for ever. */
function makeStateFolder(variables: Variables): void {
  try {
    makePrivateFolder(stateFolder(variables));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
  }
}

function keeperOf({ settings, variables, note, now, given }: ConnectionOptions, { state }: Carried): WriteKeeper {
  const { environment, baseUrl, timeoutMs } = settings;
  const destination = { environment, baseUrl, state };
  const keeper = new WriteKeeper({ folder: journalFolder(variables), destination, timeoutMs, note, now });
  keeper.isDeliberate = settings.fresh;
  keeper.given = given;
  return keeper;
}

async function remote({ settings, variables, note, now }: ConnectionOptions): Promise<Carried> {
  const { environment, baseUrl } = settings;
  if (baseUrl === undefined) {
    const variable = baseUrlVariables[environment as 'live' | 'sandbox'];
    throw usageFailure(
      `The address of the ${environment} API is not set.`,
      `Set ${variable}, or run: perp config set ${environment}.base_url https://...`,
    );
  }
  const look = async () => {
    const found = await findCredential(settings, variables);
    for (const warning of warningsOf(found, now())) note(warning);
    return found;
  };
  let found: Promise<FoundCredential> | undefined;
  const credential = () => {
    found ??= look();
    return found;
  };
  const { market, account } = settings.streams;
  const path = environment === 'live' ? streamPaths.live : streamPaths.test;
  const streams = () => streamsAt(market, account, path, async () => (await credential()).text);
  return { ...(await overHttp(baseUrl)), credential, streams };
}

/** The credential goes to the account stream only. */
async function streamsAt(
  market: string | undefined,
  account: string | undefined,
  path: string,
  credential: () => Promise<string>,
): Promise<StreamHosts> {
  const { webSocketTransport } = await import('../../client/streams/web-socket.ts');
  return {
    market: market === undefined ? undefined : webSocketTransport(market),
    account: account === undefined ? undefined : { transport: webSocketTransport(account, { credential }), path },
  };
}

async function overHttp(baseUrl: string): Promise<Omit<Carried, 'streams'>> {
  const { httpTransport } = await import('../../client/http-transport.ts');
  const transport = httpTransport(baseUrl);
  return { transport, close: () => transport.close() };
}

async function simulation({ settings, variables, note }: ConnectionOptions): Promise<Carried> {
  const { state, books, clock, speed } = settings.simulation;
  const { strayOfHost } = settings;
  if (strayOfHost !== undefined)
    note(`${strayOfHost} is not used: this plays in the simulation. --env live (or PERP_ENV) sends it to the host.`);
  const stateDir = stateFolder(variables);
  const isLive = books === 'live';
  const isFresh = books !== undefined && state === undefined && !isLive;
  const running = isFresh ? undefined : await runningSimulation(stateDir, state ?? (isLive ? 'live' : undefined));
  if (running !== undefined) {
    for (const [name, value] of Object.entries({ books, clock, speed })) {
      if (value === undefined || (name === 'books' && isLive)) continue;
      throw usageFailure(
        `The simulation ${running.state} is being served; its --${name} was settled when it started.`,
        `Leave --${name} out, or choose another --state.`,
      );
    }
    if (running.state !== (state ?? 'default')) note(`Using the simulation ${running.state}, which is being served.`);
    const { baseUrl, key } = running;
    const origin = baseUrl.replace(/^http/, 'ws');
    const streams = () => streamsAt(origin, origin, streamPaths.live, async () => key);
    return { ...(await overHttp(baseUrl)), key, state: running.state, streams };
  }
  const { inProcessTransport } = await import('../../service/entry.ts');
  let bug: unknown;
  const onBug = (error: unknown) => {
    bug = error;
  };
  const isGlance = isLive && state === undefined;
  const glance = isGlance ? (await import('./glance.ts')).glanceOptions(variables) : undefined;
  const options = { stateDir, state, books, clock, speed, onBug, leavesNothing: settings.dryRun, ...glance };
  const opened = await inProcessTransport(options);
  const name = opened.simulation.state;
  if (glance !== undefined) note(glance.says);
  else if (state === undefined && books !== undefined && !settings.dryRun)
    note(`A fresh simulation of the recording: --state ${name} comes back to it.`);
  const takeBug = () => {
    const taken = bug;
    bug = undefined;
    return taken;
  };
  const transport = glance === undefined ? opened.transport : glance.readOnly(opened.transport);
  const streams = async () => ({
    market: opened.stream,
    account: { transport: opened.stream, path: streamPaths.live },
  });
  return { transport, streams, state: name, bug: takeBug, close: async () => opened.close() };
}

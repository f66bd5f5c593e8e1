import type { ServerResponse } from 'node:http';
import { jsonObjectIn } from '../base/terms/json-object.ts';
import type { Environment } from '../exchange/engine/model.ts';
import { StoreError } from '../exchange/store/errors.ts';
import { closeCodes, streamPaths } from '../wire/contract/streams.ts';
import type { WireRequest } from '../wire/contract/wire.ts';
import { resumeOf } from '../wire/hosting/account-stream.ts';
import { Failure } from '../wire/hosting/failure.ts';
import { hashSecret, newKey } from '../wire/hosting/keys.ts';
import { Origins } from '../wire/hosting/origins.ts';
import { RateLimit } from '../wire/hosting/rate-limit.ts';
import { newRequestId, ownNames, type RequestLine } from '../wire/hosting/read-request.ts';
import {
  type HostOptions,
  type ListeningHost,
  listen,
  type PageHandler,
  type Received,
} from '../wire/hosting/server.ts';
import type { Outlet, StreamConnection, StreamHost, StreamRequest } from '../wire/hosting/stream-host.ts';
import type { HostUrls } from './handlers/operations.ts';
import { Service } from './handlers/service.ts';
import type { ServedMarkets } from './live/open-markets.ts';
import { observedByOwner } from './present/presenters.ts';
import { localOwner, localPrincipal, type Principal } from './simulation/keys.ts';
import { openSimulation } from './simulation/open.ts';
import { type SimulationOptions, stateOf } from './simulation/options.ts';
import type { Simulation } from './simulation/simulation.ts';
import { DailyBackups } from './state/daily-backup.ts';
import { assertLocksWork } from './state/lock-probe.ts';
import {
  type RunningService,
  removeServiceFile,
  ServeLock,
  servedAlready,
  writeServiceFile,
} from './state/service-file.ts';
import { makeStateDirectory, type StateFiles, stateFiles } from './state/state-directory.ts';
import { Streams } from './streams/streams.ts';

/** How a simulation is served: ports, limits, and who is notified of bugs and troubles. */
export interface ServeOptions extends SimulationOptions {
  /** Port of the live host; 0: any free one. Default 7400. */
  port?: number | undefined;
  /** Port of the sandbox host. Default 7401. */
  sandboxPort?: number | undefined;
  /** Requests per minute from one address; `off`: no limit. Default 300. */
  rateLimit?: number | 'off' | undefined;
  /** A program that this process runs: it gets its own key, and the host names that it has built in. */
  program?: ProgramHost | undefined;
  /** Origins of web pages that may use the API and the streams, as browsers send them; default: none. */
  allowedOrigins?: readonly string[] | undefined;
  /** First checks that the file system supports locks between processes, which takes a second process. */
  probesLocks?: boolean | undefined;
  /** How long stream readers may continue after the service has announced that it is stopping, ms. Default 1,000. */
  drainMs?: number | undefined;
  log?: ((line: RequestLine) => void) | undefined;
  onBug?: ((error: unknown, requestId: string) => void) | undefined;
  /** How long after the start the first daily backup is made, ms; default 10,000. */
  backupAfterMs?: number | undefined;
  /** Called when a daily backup can't be made, or shows that the state is damaged. */
  onBackupProblem?: ((problem: string) => void) | undefined;
  /** Called when the state's file fails. */
  onTrouble?: ((error: StoreError) => void) | undefined;
}

/** A running service. */
export interface Serving extends RunningService {
  simulation: Simulation;
  hosts: Record<Environment, ListeningHost>;
  program: ServedProgram | undefined;
  /** Finishes requests in flight, closes the database and releases the state. */
  stop(): Promise<void>;
  /** Plain commands on a terminal mean this state, as long as it is served. */
  putInUse(): void;
}

/** How often time advances without requests, so that the next request need not wait for all of it. */
const tickMs = 1_000;

/**
 * Serves a state on two loopback ports until `stop` (simulation 8, 9). Throws `SimulationError` of kind `conflict` if
 * another process serves it; rejects with the code EADDRINUSE if a port is taken.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  // Undone in reverse order, whether the start fails or the service stops.
  await using undo = new AsyncDisposableStack();
  const state = stateOf(options);
  makeStateDirectory(options.stateDir);
  const files = stateFiles(options.stateDir, state);
  if (options.probesLocks) assertLocksWork(options.stateDir);
  const lock = lockToServe(files, state);
  undo.defer(() => lock.release());
  removeServiceFile(files);
  const simulation = await openSimulation({ ...options, state });
  undo.defer(() => simulation.close());
  simulation.shareLoop();
  const backups = keptBackups(files, simulation, options);
  undo.defer(() => backups.stop());
  const { live } = simulation.facts;
  undo.defer(() => live?.close());

  const key = newKey('live', 'sim_local_');
  const urls = { live: '', test: '' };
  const program = options.program && keyed(options.program);
  const service = new Service(simulation, {
    urls,
    rateLimit: rateLimitOf(options),
    localKeyHash: hashSecret(key),
    passing: program?.principal,
    groupsCommits: true,
    onBug: options.onBug ?? (() => {}),
    onTrouble: options.onTrouble,
  });
  const streams = new Streams(simulation, (error) => report(error, service, 'a stream'));
  const served = (environment: Environment) => ({
    environment,
    answer: (request: WireRequest, received: Received) => service.handle(request, { ...received, environment }),
    onError: (error: unknown, during: string) => report(error, service, during),
    streams: servedStreams(service, streams, environment),
  });
  const page = pages(simulation, urls, rateLimitOf(options));
  const origins = new Origins(options.allowedOrigins ?? [], options.allowedOrigins && '--allow-origin');
  const shared = { served, page, origins, names: ownNames, log: options.log ?? null };
  const { secure, ...hosts } = await openHosts(options, program, shared, undo);
  Object.assign(urls, { live: hosts.live.url, test: hosts.test.url });
  undo.defer(() => streams.stop(options.drainMs ?? 1_000));
  const { source, firstTime } = simulation.facts;
  const addresses = { baseUrl: urls.live, sandboxUrl: urls.test };
  const running = { state, pid: process.pid, ...addresses, key, source: source.name, firstTime };
  writeServiceFile(files, running);
  undo.defer(() => removeServiceFile(files));
  const tick = setInterval(() => passTime(simulation, service), tickMs);
  undo.defer(() => clearInterval(tick));
  undo.defer(followEvents(live, () => passTime(simulation, service)));

  const opened = undo.move();
  let stopping: Promise<void> | null = null;
  return {
    ...running,
    simulation,
    hosts,
    program: program && { key: program.key, secure },
    putInUse: () => writeServiceFile(files, { ...running, inUseSince: Date.now() }),
    stop() {
      stopping ??= opened.disposeAsync();
      return stopping;
    },
  };
}

/** Settings that the hosts share, and those of each environment. */
type Served = Pick<HostOptions, 'environment' | 'answer' | 'onError' | 'streams'>;
type SharedOptions = Omit<HostOptions, 'port' | keyof Served> & { served: (environment: Environment) => Served };

/** The two hosts, and the program's. */
async function openHosts(
  options: ServeOptions,
  program: ProgramHost | undefined,
  { served, ...shared }: SharedOptions,
  undo: AsyncDisposableStack,
) {
  const started = async <Host extends ListeningHost>(listening: Promise<Host>) => {
    const host = await listening;
    undo.defer(() => host.stop());
    return host;
  };
  return {
    live: await started(listen({ ...shared, ...served('live'), port: options.port ?? 7400 })),
    test: await started(listen({ ...shared, ...served('test'), port: options.sandboxPort ?? 7401 })),
    secure: program?.names.length
      ? await started(secureHost(program, { ...shared, ...served(program.environment) }))
      : undefined,
  };
}

function keptBackups({ database }: StateFiles, simulation: Simulation, options: ServeOptions): DailyBackups {
  const onProblem = options.onBackupProblem ?? (() => {});
  return new DailyBackups(database, () => simulation.wallTime(), onProblem, options.backupAfterMs);
}

/**
 * Advances time whenever a live market has moved, once for all events that came together; returns a function that stops
 * it.
 */
function followEvents(live: ServedMarkets | undefined, pass: () => void): () => void {
  let next: NodeJS.Immediate | null = null;
  const forget = live?.onEvents(() => {
    next ??= setImmediate(() => {
      next = null;
      pass();
    });
  });
  return () => {
    forget?.();
    if (next !== null) clearImmediate(next);
  };
}

function rateLimitOf({ rateLimit = 300 }: ServeOptions): RateLimit | null {
  return rateLimit === 'off' ? null : new RateLimit(rateLimit);
}

function lockToServe(files: StateFiles, state: string): ServeLock {
  const lock = ServeLock.acquire(files.lock);
  if (lock !== null) return lock;
  throw servedAlready(state, files, 'or serve another --state NAME at the same time, with --port 0 --sandbox-port 0.');
}

function passTime(simulation: Simulation, service: Service): void {
  try {
    simulation.store.assertInPlace();
    const late = simulation.passage?.catchUp() ?? null;
    if (late === null) simulation.read(() => {});
    else late.catch((error) => report(error, service, 'the clock'));
  } catch (error) {
    report(error, service, 'the clock');
  }
}

/** Reports an error outside of any request. */
function report(error: unknown, service: Service, during: string): void {
  if (error instanceof StoreError) service.reportTrouble(error);
  else service.reportBug(error, during);
}

/**
 * Pages that the hosts serve besides the API: its OpenAPI document and, on live, the page that approves a command-line
 * login. The page has its own rate limit, so that guessing there does not lock out commands.
 */
function pages(simulation: Simulation, urls: HostUrls, rateLimit: RateLimit | null): PageHandler {
  let approval: Promise<import('./approval-page.ts').ApprovalPages> | null = null;
  return (request, response, host) => {
    const path = (request.url ?? '').split('?', 1)[0];
    if (path === '/openapi.json' && (request.method === 'GET' || request.method === 'HEAD'))
      return sendDescription(numbered(response), urls);
    if (path === '/cli/authorize' && host.environment === 'live') {
      approval ??= import('./approval-page.ts').then(({ ApprovalPages }) => new ApprovalPages(simulation, rateLimit));
      return approval.then((pages) => pages.handle(request, numbered(response)));
    }
    return null;
  };
}

/** With its own request id, as every response has (API 1). */
function numbered(response: ServerResponse): ServerResponse {
  return response.setHeader('x-request-id', newRequestId());
}

async function sendDescription(response: ServerResponse, urls: HostUrls): Promise<void> {
  const { openApiDocument } = await import('../wire/contract/openapi.ts');
  const text = JSON.stringify(openApiDocument({ baseUrl: urls.live, sandboxUrl: urls.test }));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Settings that let one program take a simulation for the service it was written for. */
interface ProgramHost {
  environment: Environment;
  /** Of its key; default: `sim_`. */
  keyPrefix?: string | undefined;
  /** Host names that are served with TLS, in lower case; none: no TLS. */
  names: readonly string[];
  /** Ports at which it expects them: connections arrive by `take`, or at the first if that is free. */
  ports: readonly number[];
  /** Called with the reason when it does not accept the certificate. */
  onDistrust?: ((reason: string) => void) | undefined;
}

/** How that program is served. */
interface ServedProgram {
  /** Valid as long as the service runs; stored nowhere. */
  key: string;
  /** With TLS, under the program's names; absent: it has none. */
  secure: SecureHost | undefined;
}

/** A host with TLS, and the authority (PEM) that its clients have to trust. */
type SecureHost = ListeningHost & { readonly authority: string };

/** The program with its key, and its identity: the local owner, with trade scope. */
function keyed(program: ProgramHost): ProgramHost & { key: string; principal: Principal } {
  const { environment, keyPrefix } = program;
  const key = newKey(environment, keyPrefix);
  const principal = {
    owner: localOwner,
    environment,
    scope: 'trade',
    kind: 'key',
    credentialHash: hashSecret(key),
  } as const;
  return { ...program, key, principal };
}

/** A host under other names, on their expected port if that is free, otherwise on any. */
async function secureHost(
  { names, ports, onDistrust }: ProgramHost,
  shared: Omit<HostOptions, 'port' | 'secure'>,
): Promise<SecureHost> {
  const { certificateFor } = await import('../wire/hosting/certificates.ts');
  const secure = certificateFor(names, Date.now());
  const host = {
    ...shared,
    secure,
    onDistrust,
    // No page reaches it but the program's own: it has a certificate that nobody else trusts.
    origins: new Origins('any'),
    names: { has: (name: string) => names.includes(name), inWords: names.join(', ') },
  };
  const listening = await listen({ ...host, port: ports[0]! }).catch(() => listen({ ...host, port: 0 }));
  return Object.assign(listening, { authority: secure.authority });
}

/** The streams of a simulation on the host of an environment. */
function servedStreams(service: Service, streams: Streams, environment: Environment): StreamHost {
  return {
    get isStopping() {
      return streams.isStopping;
    },
    get headers() {
      return service.ownHeaders;
    },
    failureOf: (error, requestId) => service.failureOf(error, requestId),
    async admit(request) {
      await service.simulation.passage?.catchUp();
      if (request.path === streamPaths.marketData)
        return (outlet) => streams.openMarket(outlet, () => doPingsCount(service, environment));
      return accountStream(service, streams, request);
    },
  };
}

/** The market stream has no credential, so the local user's accounts on this host decide. */
function doPingsCount(service: Service, environment: Environment): boolean {
  const principal = localPrincipal(environment);
  return service.simulation.read((turn) => observedByOwner(principal, turn).pingsKeepStream ?? false);
}

function accountStream(
  service: Service,
  streams: Streams,
  { path, search, authorization }: StreamRequest,
): (outlet: Outlet) => StreamConnection {
  const principal = service.principal(authorization, path === streamPaths.live ? 'live' : 'test');
  const isStillAllowed = () => {
    try {
      return service.principal(authorization, principal.environment) !== null;
    } catch (error) {
      return !(error instanceof Failure);
    }
  };
  return (outlet) => {
    // A client has nothing to send here; one JSON object, such as its own ping, is ignored.
    const receive = (text: string) => {
      if (jsonObjectIn(text) === null) outlet.close(closeCodes.policy, "clients can't send on this stream");
    };
    const connection = { receive, pinged: () => {}, waiting: 0 };
    try {
      return { ...connection, end: streams.openAccount(principal, outlet, resumeOf(search), isStillAllowed) };
    } catch (error) {
      const { code, message } = service.failureOf(error, newRequestId());
      outlet.send(JSON.stringify({ type: 'error', code, message }));
      outlet.close(1011, 'the state could not be read; try again');
      return { ...connection, end: () => {} };
    }
  };
}

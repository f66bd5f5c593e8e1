import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../exchange/store/errors.ts';
import { Store } from '../exchange/store/store.ts';
import { closeCodes, streamPaths } from '../wire/contract/streams.ts';
import type { OpenedStream, StreamEvents, StreamTransport, Transport } from '../wire/contract/wire.ts';
import { resumeOf } from '../wire/hosting/account-stream.ts';
import type { Outlet } from '../wire/hosting/stream-host.ts';
import { Service } from './handlers/service.ts';
import { localPrincipal, type Principal } from './simulation/keys.ts';
import { openSimulation, startOver } from './simulation/open.ts';
import { type SimulationOptions, stateOf } from './simulation/options.ts';
import type { Simulation } from './simulation/simulation.ts';
import { ServeLock, servedAlready } from './state/service-file.ts';
import { makeStateDirectory, stateFiles } from './state/state-directory.ts';
import type { Streams } from './streams/streams.ts';

export { presetAccounts } from './handlers/admin.ts';
export { openSimulation } from './simulation/open.ts';
export type { SimulationOptions } from './simulation/options.ts';
export { processFolder } from './state/process-folder.ts';
export { type RunningService, runningService } from './state/service-file.ts';
export { SimulationError } from './state/state-directory.ts';
export { type StateHealth, stateHealth } from './state/state-health.ts';

/** The simulation in this process, with the same requests and answers as any host. */
export interface InProcess {
  transport: Transport;
  simulation: Simulation;
  /** Both streams of this simulation, as they would be served; loaded only when used, and closed by `close`. */
  stream: StreamTransport;
  close(): void;
}

/** Further options for use in process. */
export interface InProcessOptions extends SimulationOptions {
  environment?: 'live' | 'test' | undefined;
  /** Called for bugs; by default they are only answered with 500. */
  onBug?: ((error: unknown, requestId: string) => void) | undefined;
  /** Create a new state in a temporary folder, removed by `close`. */
  leavesNothing?: boolean | undefined;
}

/** The API's address if it were served; only used in the wrong-host message and the documentation link. */
const urls = { live: 'http://127.0.0.1:7400', test: 'http://127.0.0.1:7401' };

/**
 * Opens a state in this process: no key, no rate limit, owner `local` with trade scope (simulation 8.1). While a
 * service runs on the state (`runningService`), use that. Throws `SimulationError`, `StoreError` or `RecordingError`.
 */
export async function inProcessTransport(options: InProcessOptions): Promise<InProcess> {
  const opened =
    options.leavesNothing === true ? await openAside(options) : { simulation: await openSimulation(options) };
  return inProcess(opened, options);
}

/** An opened state in this process. */
export function inProcess(
  { simulation, closed }: Opened,
  { environment = 'live', onBug = () => {} }: Pick<InProcessOptions, 'environment' | 'onBug'>,
): InProcess {
  const service = new Service(simulation, { urls, rateLimit: null, localKeyHash: null, groupsCommits: false, onBug });
  const context = { environment, principal: localPrincipal(environment) };
  let streams: Promise<import('./streams/streams.ts').Streams> | undefined;
  return {
    simulation,
    stream(target, events) {
      streams ??= import('./streams/streams.ts').then(({ Streams }) => {
        return new Streams(simulation, (error) => onBug(error, 'a stream'));
      });
      return openInProcess(streams, context.principal, target, events, () => service.ownHeaders);
    },
    close() {
      streams?.then((opened) => opened.end()).catch(() => {});
      simulation.close();
      closed?.();
    },
    async transport(request) {
      const answer = await service.handle(request, context);
      // The same as over HTTP: absent fields are absent, and nothing is shared.
      return { ...answer, body: asSent(answer.body) };
    },
  };
}

/** A copy of JSON values as their text would give them; reading the text takes three times as long. */
function asSent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asSent);
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    if (field !== undefined) copy[name] = asSent(field);
  }
  return copy;
}

/** A simulation, and what is to be done once it is closed. */
interface Opened {
  simulation: Simulation;
  closed?(): void;
}

/** Opens a state if it exists; otherwise creates it in a temporary folder, which is removed when it is closed. */
async function openAside(options: SimulationOptions): Promise<Opened> {
  const state = stateOf(options);
  if (existsSync(stateFiles(options.stateDir, state).database))
    return { simulation: await openSimulation({ ...options, state }) };
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-'));
  const remove = () => rmSync(stateDir, { recursive: true, force: true });
  try {
    return { simulation: await openSimulation({ ...options, state, stateDir }), closed: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The properties of the new state. */
interface ResetOptions extends SimulationOptions {
  /** Called with the place that a damaged state's file was moved to. */
  onSetAside?: (file: string) => void;
}

/**
 * Resets a state: all trades are deleted, API keys are kept. A newer perp's file is replaced, a damaged one is moved
 * aside. Throws `SimulationError` of kind `conflict` if a service is running on it (simulation 9.1), StoreError
 * `foreign` if another program's database is there.
 */
export async function resetState(options: ResetOptions): Promise<Simulation> {
  const state = stateOf(options);
  makeStateDirectory(options.stateDir);
  const files = stateFiles(options.stateDir, state);
  const lock = ServeLock.acquire(files.lock);
  if (lock === null) throw servedAlready(state, files, 'then reset it.');
  try {
    return await startOver({ ...options, state });
  } catch (error) {
    if (!(error instanceof StoreError && ['corrupt', 'newer', 'outdated'].includes(error.kind))) throw error;
    if (error.kind !== 'corrupt') Store.destroy(files.database);
    else options.onSetAside?.(Store.setAside(files.database));
    return await startOver({ ...options, state });
  } finally {
    lock.release();
  }
}

/** Opens a stream for a reader in this process: the same frames as over a WebSocket, without one. */
function openInProcess(
  streams: Promise<Streams>,
  principal: Principal,
  target: string,
  events: StreamEvents,
  headers: () => Readonly<Record<string, string>>,
): OpenedStream {
  let isOver = false;
  let receive = (_text: string) => {};
  let end = () => {};
  const closed = (code: number, reason: string) => {
    if (isOver) return;
    isOver = true;
    end();
    events.closed({ code, reason });
  };
  const outlet: Outlet = {
    send: (text) => {
      if (!isOver) events.text(text);
    },
    buffered: 0,
    close: closed,
  };
  streams
    .then((opened) => {
      if (isOver) return;
      if (opened.isStopping) return closed(closeCodes.goingAway, 'the simulation was closed');
      const [path = '', query = ''] = target.split('?');
      if (path === streamPaths.marketData) {
        ({ receive, end } = opened.openMarket(outlet));
        events.opened(headers());
        return;
      }
      events.opened(headers());
      end = opened.openAccount(principal, outlet, resumeOf(new URLSearchParams(query)), () => true);
    })
    .catch((error: Error) => closed(1011, error.message));
  return {
    send(text) {
      // An answer never arrives before the request was sent, as over a network.
      queueMicrotask(() => {
        if (!isOver) receive(text);
      });
    },
    close() {
      isOver = true;
      end();
    },
  };
}

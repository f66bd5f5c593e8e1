import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import type { EnvironmentName, Variables } from '../../base/files/folders.ts';
import type { Timing } from '../../base/sockets/timing.ts';
import { stretch } from '../../base/text/format.ts';
import type { Place } from '../../base/text/place-options.ts';
import type { Answer, CallOptions, Client, ClientOptions } from '../../wire/client/client.ts';
import type { Intent } from '../../wire/client/intent.ts';
import type { ItemOf, PagedOperationId } from '../../wire/client/pages.ts';
import type { Prove } from '../../wire/client/proven-send.ts';
import type { RenewableTransport } from '../../wire/client/send.ts';
import type { KnownOperationId, RequestOf } from '../../wire/contract/operations.ts';
import type { StreamTransport } from '../../wire/contract/wire.ts';
import type { WriteKeeper } from '../intents/keeper.ts';
import type { Destination } from '../intents/note.ts';
import type { SessionMemory } from './memory.ts';

/** Dependencies of the desk: a connection to the service, its permissions there, and a listener for its messages. */
export interface Session {
  /** Calls one operation. A write that got no answer is looked up. */
  call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>>;
  /** Items of a list, page after page. */
  pages<Id extends PagedOperationId>(id: Id, request: RequestOf<Id> & CallOptions): AsyncGenerator<ItemOf<Id>>;
  /** The way to the service, opened when first needed, or `again`: a served simulation may have another key by then. */
  access(again?: 'again'): Promise<Access>;
  /** Aborts when the work should stop. */
  readonly signal: AbortSignal;
  /** Takes a remark about the current work, in a sentence. */
  note(text: string): void;
  readonly settings: SessionSettings;
  readonly memory: SessionMemory;
  readonly machine: Machine;
}

/** A trader's settings. */
export interface SessionSettings extends Place {
  readonly environment: EnvironmentName;
  /** The profile in use, whose login is used; undefined if there is none. */
  readonly profile: string | undefined;
  /** Undefined means the only account. */
  account: string | undefined;
  /** Where the account was set. */
  readonly accountFrom: '--account' | 'PERP_ACCOUNT' | `profile ${string}` | 'the config file' | undefined;
  /** Address of the API; undefined for the simulation, or if not set. */
  readonly baseUrl: string | undefined;
  /** `table`: the result is for people, who read fewer figures. */
  readonly output: 'table' | 'json' | 'ndjson' | 'csv';
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly timeoutMs: number;
  readonly leverage: number | undefined;
  readonly marginMode: 'cross' | 'isolated' | undefined;
  readonly floorCheck: FloorCheck;
  readonly unknownFloor: UnknownFloor;
  readonly stops: StopGrowth;
  /** Orders that add exposure without a stop are refused. */
  readonly requireStop: boolean;
  /** The assumed slippage of a stop beyond its trigger, bps; undefined: estimated from the market's own moves. */
  readonly gapAllowanceBps: number | undefined;
  /** The next thing to do once an account has ended, as a sentence without its end; absent: the session's default. */
  readonly afterEnd?: string | undefined;
}

/** The treatment of an order whose worst case reaches a floor of its account. */
export type FloorCheck = 'refuse' | 'warn' | 'off';

/** The treatment of new exposure in an account of a host that reports no floor. */
export type UnknownFloor = 'warn' | 'refuse';

/** The treatment of the stop of a position that an order adds to. */
export type StopGrowth = 'follow' | 'ask' | 'off';

/** The machine of a session: its folders and its time; tests replace it. */
export interface Machine {
  readonly variables: Variables;
  /** Wall time, Unix ms. */
  now(): number;
  /** How long the machine has run, ms, by a clock that is never set; default: the real one. */
  uptime?(): number;
  /** Waits between attempts at a request, ms, in place of real time; resolves at once when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  readonly stage?: Stage | undefined;
}

/** Time, hosts and programs in place of the real ones, with all their possible failures. */
export interface Stage {
  readonly timers: Timing;
  /** Requests to a host. */
  http(address: string): RenewableTransport & { close(): Promise<void> };
  /** Streams of a host. */
  stream(address: string): StreamTransport;
  /** Runs a program with text on its standard input; resolves with its failure, if any. */
  run(program: readonly string[], input: string): Promise<string | undefined>;
}

/** The connection to the service: clients, streams, and the keeper of writes. */
export interface Access {
  readonly client: Client;
  /** A client for requests that must not wait: it makes one attempt and stores nothing. See `attempt`. */
  readonly urgent: Client;
  /** A client for requests that must arrive now or never: it stores its writes, and makes one attempt. */
  readonly once: Client;
  /** Options of every client of it: how requests are sent, and with which credential. */
  readonly carrier: Pick<ClientOptions, 'transport' | 'isInProcess' | 'credential' | 'userAgent'>;
  /** Keeps every write on disk before sending. */
  readonly intents: WriteKeeper;
  /** Name of the simulation, if it is one. */
  readonly state: string | undefined;
  /** Where its requests go. */
  readonly destination: Destination;
  /** Proves that a write adds no exposure in an account that a guard has locked; throws a failure if it would. */
  readonly exposureProof: (intent: Intent) => Promise<Prove>;
  /** Prepares to store a write: the credential, so that it never gets into the file, and the folder. */
  readonly beforeWrite: () => Promise<void>;
  /** Answers come within the call itself, with nothing to wait for or interrupt. */
  readonly isInProcess: boolean;
  /** How late a request may still arrive after the service answers again, ms; 0 in this process. */
  readonly arrivalMs: number;
  /** The run of the simulation that answered last; undefined for a host, or before an answer. */
  readonly run: () => string | undefined;
  /** Opens the streams of the environment. */
  readonly streams: () => Promise<StreamHosts>;
  /** The tick of a market as perp's own catalog knows it. */
  readonly knownTick: (market_id: string) => Promise<number | undefined>;
  /** The bug inside an in-process simulation since the last call; the answer itself only has the code internal. */
  readonly bug: () => unknown;
  close(): Promise<void>;
}

/** Addresses of the streams; undefined if not set. */
export interface StreamHosts {
  market: StreamTransport | undefined;
  account: { transport: StreamTransport; path: string } | undefined;
}

/** Time for one attempt, ms. */
const attemptMs = 4_000;

/**
 * Calls one operation once: no retries, nothing kept, its own short time. For requests that must not wait and are safe
 * to repeat: reads, and writes that only close and cancel. Rejects as the client does.
 */
export async function attempt<Id extends KnownOperationId>(
  session: Session,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): Promise<Answer<Id>> {
  const { urgent, bug, isInProcess } = await session.access();
  const limits = { timeoutMs: attemptMs, signal: isInProcess ? undefined : session.signal };
  try {
    const answer = await urgent.call(id, { ...request, ...limits });
    session.memory.storeEndings(answer.headers['x-sim-endings'] ?? session.memory.endings);
    session.memory.took(id, answer);
    return answer;
  } catch (error) {
    throw bug() ?? error;
  }
}

/** The rows of a paged list; each page is one attempt. */
export async function* attemptPages<Id extends PagedOperationId>(
  session: Session,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): AsyncGenerator<ItemOf<Id>> {
  const { urgent, isInProcess } = await session.access();
  yield* urgent.pages(id, { ...request, timeoutMs: attemptMs, signal: isInProcess ? undefined : session.signal });
}

/** The rows of a list with an id each. Throws for an answer that isn't such a list: unknown is not empty. */
export function rowsOf<Row extends { id: string }>(data: readonly Row[]): readonly Row[] {
  const isRow = (row: unknown) => typeof (row as { id?: unknown } | null | undefined)?.id === 'string';
  if (Array.isArray(data) && data.every(isRow)) return data;
  throw Object.assign(new Error('the list in the answer is damaged'), { name: 'ProtocolError' });
}

/** A read of additional figures: if it fails, a note says so. */
export async function noted<T, U>(session: Session, what: string, read: Promise<T>, without: U): Promise<T | U> {
  try {
    return await read;
  } catch (error) {
    // Ctrl-C ends the command.
    if (session.signal.aborted) throw error;
    // A missing account is the failure of the command, which reports it once.
    if (!(error instanceof Failure && error.facts.exit === exitCodes.notFound))
      session.note(`${what} could not be fetched: ${factsOf(error).message}`);
    return without;
  }
}

/** A read that must not hold up an order for longer; undefined if it has not ended by then. Rejects as it does. */
export async function inTime<T>(reading: Promise<T>, forMs = 5_000): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, forMs, undefined);
  reading.catch(() => {});
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same, but a failure if it has not ended by then. */
export async function answered<T extends object>(reading: Promise<T>, forMs = 5_000): Promise<T> {
  const known = await inTime(reading, forMs);
  if (known !== undefined) return known;
  throw new Failure({ code: 'no_answer', message: `no answer within ${stretch(forMs)}.` });
}

import { Failure, interruptedFailure } from '../../base/failure/failure.ts';
import type { Mandate } from '../../desk/mandate/mandate.ts';
import { SessionMemory } from '../../desk/session/memory.ts';
import { createClient } from '../../wire/client/client.ts';
import { anotherRun } from '../../wire/client/streams/stream-state.ts';
import { type KnownOperationId, operations } from '../../wire/contract/operations.ts';
import type { ObjectSchema, Schema } from '../../wire/contract/schema.ts';
import { simulationOperations } from '../../wire/contract/simulation.ts';
import { streamPaths } from '../../wire/contract/streams.ts';
import type { StreamTransport } from '../../wire/contract/wire.ts';
import { Console, type Way } from '../console/console.ts';
import type { OpenedAccess } from '../console/open-access.ts';
import { plainPalette } from '../console/output/themes.ts';
import { Person } from '../console/person.ts';
import type { Settings } from '../console/settings/settings.ts';
import { ForeignText } from './foreign-text.ts';

/** State shared by all calls of one connection. */
export interface AgentDesk {
  /** The list of markets, which hardly ever changes. */
  readonly markets: SharedRead;
  /** The console of `perp mcp` itself. */
  readonly console: Console;
  /** The connection to the service: with a mandate, through its gate. */
  access(): Promise<OpenedAccess>;
  /** Whether a failed read may be repeated, because there is another way besides the one it used. */
  reopened?(used: OpenedAccess, error: unknown): Promise<boolean>;
  /** The mandate's name; undefined: read-only. */
  readonly mandate: string | undefined;
  /** The accounts of the mandate in force, if its gate is in this process. */
  accounts?(): readonly string[];
  /** Its terms in force now, one per line, as in its file; undefined if none are in force. */
  terms(): readonly string[] | undefined;
}

/** The subject of one call. */
interface CallTerms {
  readonly account: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Aborts when its caller no longer wants it. A request that was sent continues regardless. */
  readonly canceled: AbortSignal;
  readonly sends: boolean;
}

/** A list is read again after this time, ms. */
const lastsMs = 60_000;

/** A value that calls read once a minute for all of them. */
export class SharedRead {
  #read: { readonly at: number; readonly value: Promise<unknown> } | undefined;

  value<T>(read: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (this.#read === undefined || now - this.#read.at > lastsMs) {
      const value = read();
      this.#read = { at: now, value };
      value.catch(() => {
        this.#read = undefined;
      });
    }
    return this.#read.value as Promise<T>;
  }

  /** It is read again on demand. */
  forget(): void {
    this.#read = undefined;
  }
}

/** The state of one call. */
class CallMemory extends SessionMemory {
  readonly #markets: SharedRead;

  constructor(isHost: boolean, markets: SharedRead) {
    super({ isHost });
    this.#markets = markets;
  }

  override once<T>(name: string, work: () => Promise<T>): Promise<T> {
    return name === 'markets' ? this.#markets.value(work) : super.once(name, work);
  }
}

/** One tool call: its console, which asks nobody, and the text it has collected. */
export interface AgentCall {
  readonly console: Console;
  /** Notes about its result. */
  readonly notes: readonly string[];
  /** Text written by others. */
  readonly foreign: ForeignText;
  /** The terms of the mandate in force; undefined: none are. */
  readonly terms: readonly string[] | undefined;
  /** Ends a call that was canceled, or whose client is gone, before anything is sent. */
  stopIfCanceled(): void;
}

/** Begins a tool call. */
export function agentCall(desk: AgentDesk, { account, idempotencyKey, canceled, sends }: CallTerms): AgentCall {
  const work = sends ? new AbortController().signal : canceled;
  const { registry, lineReader, outside, settings: shared } = desk.console;
  const settings: Settings = {
    ...shared,
    account: account ?? shared.account,
    accountFrom: account === undefined ? shared.accountFrom : '--account',
    idempotencyKey,
    // No option of a tool goes beyond what the floors allow.
    floorCheck: 'refuse',
    output: 'table',
    dryRun: false,
    yes: true,
    quiet: false,
  };
  const notes = new Set<string>();
  const foreign = new ForeignText();
  const memory = new CallMemory(settings.environment !== 'sim', desk.markets);
  const person = new Person(settings, outside, { hears: (text) => notes.add(text), knowsWhere: true });
  const way = agentWay(desk, memory, foreign);
  const interruption = () => work;
  const palette = plainPalette;
  return {
    console: new Console({ settings, registry, lineReader, outside, interruption, palette, memory, person, way }),
    get notes() {
      return [...notes];
    },
    foreign,
    get terms() {
      return desk.terms();
    },
    stopIfCanceled() {
      if (canceled.aborted) throw interruptedFailure('The call was canceled before anything was sent.');
    },
  };
}

/** The transport of a tool call: its connection's, whose answers reveal text written by others. */
function agentWay(desk: AgentDesk, memory: SessionMemory, foreign: ForeignText): Way {
  return {
    open: () => desk.access(),
    // Without a mandate, only reads pass, no matter who asks.
    async call(id, request, send) {
      if (desk.mandate === undefined && !isRead(id)) throw readOnlyFailure();
      try {
        const carry = () => (isBesideTheGate(desk, id, request) ? desk.console.call(id, request) : send(request));
        const used = await desk.access();
        const answer = await carry().catch(async (error: unknown) => {
          if (!(await desk.reopened?.(used, error))) throw error;
          return carry();
        });
        takeRun(desk, memory, id);
        foreign.learn(answer.body);
        return answer;
      } catch (error) {
        // A host's words in a refusal are external text, too.
        const { name, message, details } = error as Error & { details?: unknown };
        if (name === 'ApiError') foreign.learn({ message, details });
        throw error;
      }
    },
    saw: (row) => foreign.learn(row),
  };
}

/** A call shares the connection's knowledge of the run. Reads must not mix two runs; a write's answer is final. */
function takeRun(desk: AgentDesk, memory: SessionMemory, id: KnownOperationId): void {
  const { run } = desk.console.memory;
  const before = memory.run;
  if (run === undefined || run === before) return;
  memory.tookRun(run);
  if (before !== undefined && isRead(id))
    throw new Failure({ code: 'another_run', message: anotherRun, hint: 'Call the tool again.' });
}

/** A gate has no operations of the simulation, so its record is read beside it, for the mandate's accounts only. */
function isBesideTheGate(desk: AgentDesk, id: KnownOperationId, request: object): boolean {
  const accounts = desk.accounts?.();
  if (accounts === undefined || !recordReads.has(id)) return false;
  const account = (request as { query?: { account_id?: string } }).query?.account_id;
  return account === undefined || accounts.includes(account);
}

/** Simulation reads about its time, its prices, or the account that they name. */
const recordReads: ReadonlySet<KnownOperationId> = new Set([
  'simStatus',
  'simMarks',
  'simListFills',
  'simListPayments',
]);

function isRead(id: KnownOperationId): boolean {
  return { ...operations, ...simulationOperations }[id].method === 'GET';
}

/** The refusal of a write without a mandate. */
export function readOnlyFailure(): Failure {
  return new Failure({
    code: 'read_only',
    message: 'These tools can only read: perp mcp was started without a mandate and without a gate. Nothing was sent.',
    hint: 'A person signs a mandate on a terminal (perp mandate sign) and starts perp mcp with --mandate FILE. No argument of a tool changes this.',
  });
}

/** The desk of a connection that may only read. */
export function readingDesk(console: Console): AgentDesk {
  const access = () => console.access();
  const markets = new SharedRead();
  let reopening: Promise<void> | undefined;
  return {
    ...{ console, markets, mandate: undefined, terms: () => undefined, access },
    /** A simulation that was reset, restored or served again has another key, address and accounts. */
    async reopened(used, error) {
      const { status, code } = error as { status?: unknown; code?: unknown };
      const mayBeAnother = status === 401 || status === 409 || code === 'no_connection';
      if (console.settings.environment !== 'sim') return false;
      if (reopening === undefined && (await access()) !== used) return true;
      if (reopening === undefined && !mayBeAnother) return false;
      reopening ??= console.reopen().finally(() => {
        reopening = undefined;
        markets.forget();
      });
      await reopening;
      return true;
    },
  };
}

/**
 * The desk of a connection to a gate that another user or host serves: the mandate and its enforcement are there.
 * Throws a failure for a host that is not a gate.
 */
export async function gatedDesk(console: Console): Promise<AgentDesk> {
  const upstream = await console.access();
  const credential = await upstream.credential?.();
  // Only a gate accepts its keys, and the list of accounts shows that this one does.
  if (credential === undefined || !/^gate_(live|test)_/.test(credential.text))
    throw new Failure({
      code: 'not_a_gate',
      message: 'The credential is not the key of a gate, so nothing would limit an agent there.',
      hint: 'Set the address of perp gate serve and a key of perp gate key add, or use --mandate FILE.',
    });
  await upstream.client.call('listAccounts', {});
  // One attempt: an order that waits for a person is reported at once.
  const access: OpenedAccess = { ...upstream, client: upstream.once };
  return { console, markets: new SharedRead(), mandate: atTheGate, terms: () => undefined, access: async () => access };
}

/** The placeholder for the name of a mandate at a gate. */
const atTheGate = 'of the gate';

/**
 * The desk of a connection with a mandate: all its requests pass a gate in this process, which judges, sends and
 * records them. Throws a failure for an unsigned mandate, and while another gate has its accounts.
 */
export async function tradingDesk(console: Console, file: string): Promise<AgentDesk & AsyncDisposable> {
  const { Gate } = await import('../../bots/gate/gate.ts');
  const { gateFolder } = await import('../../bots/gate/bots-file.ts');
  const { MandateFiles, takeAccounts } = await import('../../bots/gate/mandate-files.ts');
  const { mandateText } = await import('../../desk/mandate/mandate-file.ts');
  const { variables } = console;
  const note = (text: string) => console.note(text);
  await using ending = new AsyncDisposableStack();
  const files = ending.use(new MandateFiles([file], variables, note));
  const [[name, { accounts }]] = [...files.inForce] as unknown as [[string, Mandate]];
  const upstream = await console.access();
  ending.use(takeAccounts(variables, upstream.destination, accounts));
  const gate = ending.use(
    await Gate.open({
      session: console,
      mandates: () => files.inForce,
      folder: gateFolder(variables),
      // Nobody decides during a call; the agent can inform its person immediately.
      approvalHoldMs: 0,
      note,
    }),
  );
  // One attempt: the gate itself repeats requests that are safe to repeat, and finds the outcome of unanswered ones.
  const transport = gate.transport(name);
  const { timeoutMs } = console.settings;
  const client = createClient({ transport, retry: { attempts: 1, arrivalMs: 0 }, timeoutMs, keepsKeys: true });
  const open: StreamTransport = (target, events) => gate.stream(name, target, events);
  const access: OpenedAccess = {
    ...upstream,
    carrier: { transport },
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
    accounts: () => files.inForce.get(name)?.accounts ?? [],
    terms() {
      const mandate = files.inForce.get(name);
      return mandate && mandateText(mandate).trimEnd().split('\n');
    },
    access: async () => access,
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}

/** One tool: its definition, and what it does. */
export interface Tool {
  readonly name: string;
  /** Its audience, when to use it, and what it never does. */
  readonly description: string;
  /** Whether it sends writes. */
  readonly changes: boolean;
  /** Whether it only waits: it ends when nobody can read its answer anymore. */
  readonly waits?: true;
  readonly input: ObjectSchema;
  /** The additional fields of its result. */
  readonly output: Readonly<Record<string, Schema>>;
  run(console: Console, args: never, call: ToolCall): Promise<ToolResult>;
}

/** The context of a call. */
export interface ToolCall extends Pick<AgentCall, 'stopIfCanceled' | 'terms'> {
  /** The key of a tool that changes something, otherwise empty. */
  readonly key: string;
  /** The request first sent with this key, so that a repeated call sends the same bytes. */
  readonly kept: Map<string, unknown>;
}

/** The tool's own part of a result, and one sentence about the current state. */
export interface ToolResult extends Record<string, unknown> {
  readonly summary: string;
}

/** Declares a tool, whose arguments have the type of its input. */
export function defineTool<A, const T extends Omit<Tool, 'run' | 'input'>>(
  tool: T & {
    readonly input: ObjectSchema<A>;
    run(console: Console, args: A, call: ToolCall): Promise<ToolResult>;
  },
): Tool {
  return tool as unknown as Tool;
}

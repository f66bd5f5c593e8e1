import { Failure, interruptedFailure } from '../../base/failure/failure.ts';
import { SessionMemory } from '../../desk/session/memory.ts';
import { anotherRun } from '../../wire/client/streams/stream-state.ts';
import { type KnownOperationId, operations } from '../../wire/contract/operations.ts';
import { simulationOperations } from '../../wire/contract/simulation.ts';
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
  /** The way to the service: with a mandate, through its gate. */
  access(): Promise<OpenedAccess>;
  /** Whether a failed read may be repeated, because there is another way besides the one it used. */
  reopened?(used: OpenedAccess, error: unknown): Promise<boolean>;
  /** The mandate's name; undefined: nothing may be changed. */
  readonly mandate: string | undefined;
  /** The accounts of the mandate in force, if its gate is in this process. */
  accounts?(): readonly string[];
  /** Its terms in force now, one a line, as its file has them; undefined: none are in force. */
  terms(): readonly string[] | undefined;
}

/** The subject of one call. */
interface CallTerms {
  readonly account: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Aborts when its caller does not want it anymore. A request that was sent continues regardless. */
  readonly canceled: AbortSignal;
  readonly sends: boolean;
}

/** A list is read again after this time, ms. */
const lastsMs = 60_000;

/** Something that calls read once a minute for all of them. */
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

  /** It is read again when it is needed. */
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

/** One tool call: its console, which asks nobody, and what it has gathered. */
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

/** The way of a tool call: that of its connection, whose answers teach it what others have written. */
function agentWay(desk: AgentDesk, memory: SessionMemory, foreign: ForeignText): Way {
  return {
    open: () => desk.access(),
    // Nothing but reads passes without a mandate, no matter who asks.
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

/** A call shares the connection's knowledge of the run. Reads must not mix two runs; a write's answer stands. */
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

/** Reads of the simulation that are about its time, its prices, or the account that they name. */
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

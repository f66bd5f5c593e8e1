import { Failure, interruptedFailure } from '../../base/failure/failure.ts';
import { SessionMemory } from '../../desk/session/memory.ts';
import type { Answer, CallOptions } from '../../wire/client/client.ts';
import type { ItemOf, PagedOperationId } from '../../wire/client/pages.ts';
import { anotherRun } from '../../wire/client/streams/stream-state.ts';
import { type KnownOperationId, operations, type RequestOf } from '../../wire/contract/operations.ts';
import { simulationOperations } from '../../wire/contract/simulation.ts';
import { Console } from '../console/console.ts';
import type { OpenedAccess } from '../console/open-access.ts';
import { plainPalette } from '../console/output/themes.ts';
import { ForeignText } from './foreign-text.ts';

/** What all calls of one connection share. */
export interface AgentDesk {
  /** The list of markets, which hardly ever changes. */
  readonly markets: SharedRead;
  /** The console of `perp mcp` itself. */
  readonly console: Console;
  /** The way to the service: with a mandate, through its gate. */
  access(): Promise<OpenedAccess>;
  /** Whether a read that failed may be repeated, because there is another way than the one that it used. */
  reopened?(used: OpenedAccess, error: unknown): Promise<boolean>;
  /** The mandate's name; undefined: nothing may be changed. */
  readonly mandate: string | undefined;
  /** The accounts of the mandate in force, if its gate is in this process. */
  accounts?(): readonly string[];
  /** Its terms in force now, one a line, as its file has them; undefined: none are in force. */
  terms(): readonly string[] | undefined;
}

/** What one call is about. */
export interface CallTerms {
  readonly account: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Aborts when its caller does not want it any more. What has been sent goes on all the same. */
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

/** What one call knows. */
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

/** The console of one tool call: it asks nobody, keeps its notes, and remembers what others have written. */
export class AgentConsole extends Console {
  readonly notes: string[] = [];
  readonly foreign = new ForeignText();
  readonly #desk: AgentDesk;
  readonly #canceled: AbortSignal;

  constructor(desk: AgentDesk, { account, idempotencyKey, canceled, sends }: CallTerms) {
    const work = sends ? new AbortController().signal : canceled;
    const { settings, registry, lineReader, outside } = desk.console;
    super({
      settings: {
        ...settings,
        account: account ?? settings.account,
        accountFrom: account === undefined ? settings.accountFrom : '--account',
        idempotencyKey,
        // No option of a tool goes beyond what the floors allow.
        floorCheck: 'refuse',
        output: 'table',
        dryRun: false,
        yes: true,
        quiet: false,
      },
      registry,
      lineReader,
      outside,
      interruption: () => work,
      palette: plainPalette,
      memory: new CallMemory(settings.environment !== 'sim', desk.markets),
    });
    this.#desk = desk;
    this.#canceled = canceled;
  }

  override get isInteractive(): boolean {
    return false;
  }

  override get showsProgress(): boolean {
    return false;
  }

  override async access(): Promise<OpenedAccess> {
    return this.goTo(await this.#desk.access());
  }

  /** Nothing but reads passes without a mandate, no matter who asks. */
  override async call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    if (this.#desk.mandate === undefined && !isRead(id)) throw readOnlyFailure();
    try {
      const isBeside = this.#isBesideTheGate(id, request);
      const call = () => (isBeside ? this.#desk.console.call(id, request) : super.call(id, request));
      const used = await this.#desk.access();
      const answer = await call().catch(async (error: unknown) => {
        if (!(await this.#desk.reopened?.(used, error))) throw error;
        return call();
      });
      this.#tookRun(id);
      this.foreign.learn(answer.body);
      return answer;
    } catch (error) {
      this.#learnFrom(error);
      throw error;
    }
  }

  /** What the connection knows of the run, this call knows, too. Reads must not mix two runs; a write's answer stands. */
  #tookRun(id: KnownOperationId): void {
    const { run } = this.#desk.console.memory;
    const before = this.memory.run;
    if (run === undefined || run === before) return;
    this.memory.tookRun(run);
    if (before !== undefined && isRead(id))
      throw new Failure({ code: 'another_run', message: anotherRun, hint: 'Call the tool again.' });
  }

  /** A gate has no operations of the simulation, so its record is read beside it, for the mandate's accounts only. */
  #isBesideTheGate(id: KnownOperationId, request: object): boolean {
    const accounts = this.#desk.accounts?.();
    if (accounts === undefined || !recordReads.has(id)) return false;
    const account = (request as { query?: { account_id?: string } }).query?.account_id;
    return account === undefined || accounts.includes(account);
  }

  override async *pages<Id extends PagedOperationId>(
    id: Id,
    request: RequestOf<Id> & CallOptions,
  ): AsyncGenerator<ItemOf<Id>> {
    for await (const item of super.pages(id, request)) {
      this.foreign.learn(item);
      yield item;
    }
  }

  /** What a host says in a refusal is text from outside, too. */
  #learnFrom(error: unknown): void {
    const { name, message, details } = error as Error & { details?: unknown };
    if (name === 'ApiError') this.foreign.learn({ message, details });
  }

  /** The terms of the mandate in force; undefined: none are. */
  get terms(): readonly string[] | undefined {
    return this.#desk.terms();
  }

  /** Ends a call that was canceled, or whose client is gone, before anything is sent. */
  stopIfCanceled(): void {
    if (this.#canceled.aborted) throw interruptedFailure('The call was canceled before anything was sent.');
  }

  override note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  override sayDestination(): void {}

  /** The access belongs to the connection. */
  override async close(): Promise<void> {
    this.memory.end();
  }
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

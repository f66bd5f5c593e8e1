import type { Variables } from '../../base/files/folders.ts';
import { stretch } from '../../base/text/format.ts';
import { jsonText, plainLines } from '../../base/text/plain-text.ts';
import { accountIn, accountOf, type Given, type Where } from '../../desk/intents/note.ts';
import { explained } from '../../desk/resolve/unknown.ts';
import { SessionMemory } from '../../desk/session/memory.ts';
import type { Session } from '../../desk/session/session.ts';
import type { Answer, CallOptions } from '../../wire/client/client.ts';
import type { OutcomeUnknownError } from '../../wire/client/client-errors.ts';
import type { ItemOf, PagedOperationId } from '../../wire/client/pages.ts';
import type { Attempt } from '../../wire/client/send.ts';
import type { KnownOperationId, RequestOf } from '../../wire/contract/operations.ts';
import type { LineReader } from './grammar/command-line.ts';
import type { ArgumentSpec, Catalog, CommandSpec, OptionSpec, ValuesOf } from './grammar/spec.ts';
import type { OpenedAccess, OwnSimulation } from './open-access.ts';
import type { JsonFilter } from './output/jq.ts';
import { render } from './output/render.ts';
import type { Result } from './output/result.ts';
import type { Palette } from './output/themes.ts';
import { Person } from './person.ts';
import type { Settings } from './settings/settings.ts';
import type { Io } from './terminal/io.ts';
import type { Outside } from './terminal/outside.ts';

/** Noted where `--columns` has nothing to choose from. */
export const columnsOfLists = '--columns applies to lists only.';

/** A command: its description, and its code. */
export interface Command<Input = never> extends CommandSpec {
  run(console: Console, input: Input): Promise<Result>;
}

/** Declares a command. Keeps literal types, so that `run` knows what it receives. */
export function defineCommand<
  const A extends readonly ArgumentSpec[] = [],
  const O extends Readonly<Record<string, OptionSpec>> = Record<never, OptionSpec>,
>(command: Command<ValuesOf<A, O>> & { readonly args?: A; readonly options?: O }): Command<ValuesOf<A, O>> {
  return command;
}

/** The input of a command's `run`. */
export type InputOf<C> = C extends Command<infer Input> ? Input : never;

/** The commands: their specs, and their code on demand. */
export interface Registry extends Catalog {
  /** The commit that was built; null: run from the sources, or built outside a repository. */
  readonly commit: string | null;
  load(path: string): Promise<Command>;
}

/** A borrowed access to the service: for the live screen, a batch, or an agent's connection. */
export interface Way {
  /** Passes on what its owner has opened, and closes. */
  open(): Promise<OpenedAccess>;
  /** Carries out one call with `send`, or refuses it. */
  call?<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions, send: Send<Id>): Promise<Answer<Id>>;
  /** Sees each row of a list. */
  saw?(row: unknown): void;
}

/** Sends a call, in the end. */
export type Send<Id extends KnownOperationId> = (request: RequestOf<Id> & CallOptions) => Promise<Answer<Id>>;

interface ConsoleParts {
  settings: Settings;
  registry: Registry;
  lineReader: () => Promise<LineReader>;
  outside: Outside;
  /** Starts listening for Ctrl-C on first use. */
  interruption: () => AbortSignal;
  palette: Palette;
  /** Of --jq. */
  filter?: JsonFilter | undefined;
  /** The command as given. */
  given?: Given | undefined;
  /** The names and values from its own requests; the commands of a batch share what they read. */
  memory?: SessionMemory;
  /** Default: the user of `outside`. */
  person?: Person;
  /** Default: it opens and closes its own access. */
  way?: Way;
  /** A separate simulation in this process, which receives all its requests. */
  own?: OwnSimulation;
}

/** A command's context: settings, its session with the service, and the person it talks to. */
export class Console implements Session {
  readonly settings: Settings;
  readonly registry: Registry;
  /** Reads further command lines, written as after `perp`. */
  readonly lineReader: () => Promise<LineReader>;
  readonly outside: Outside;
  readonly io: Io;
  /** Its folders and its time. */
  readonly machine: Outside;
  readonly person: Person;
  /** Colors of stdout. */
  readonly palette: Palette;
  hasWritten = false;
  readonly memory: SessionMemory;
  readonly #parts: Pick<ConsoleParts, 'filter' | 'given' | 'interruption' | 'own' | 'way'>;
  #access: Promise<OpenedAccess> | undefined;
  /** The simulation that was opened first. */
  #simulation: string | undefined;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.settings = parts.settings;
    this.registry = parts.registry;
    this.lineReader = parts.lineReader;
    this.outside = parts.outside;
    this.io = parts.outside.io;
    this.machine = parts.outside;
    this.memory = parts.memory ?? new SessionMemory({ isHost: parts.settings.environment !== 'sim' });
    this.person = parts.person ?? new Person(parts.settings, parts.outside);
    this.palette = parts.palette;
  }

  /** Aborts on Ctrl-C. Until something uses it, Ctrl-C ends the process at once. */
  get signal(): AbortSignal {
    return this.#parts.interruption();
  }

  get variables(): Variables {
    return this.outside.variables;
  }

  /** The access to the service, opened when first needed, or `again`. */
  async access(again?: 'again'): Promise<OpenedAccess> {
    if (again !== undefined && this.#parts.way === undefined) await this.reopen();
    if (this.#parts.way === undefined)
      this.#access ??= import('./open-access.ts').then(({ openAccess }) =>
        openAccess({
          settings: this.#simulation === undefined ? this.settings : this.#destined(this.#simulation),
          outside: this.outside,
          version: this.registry.version,
          note: (text) => this.note(text),
          onAttempt: this.showAttempt.bind(this),
          onRun: this.memory.tookRun.bind(this.memory),
          given: this.#parts.given,
          own: this.#parts.own,
        }),
      );
    const access = await (this.#parts.way?.open() ?? this.#access!);
    this.memory.destination = access.destination;
    return access;
  }

  /** The destination of requests; undefined until the service is opened. */
  get where(): Where | undefined {
    if (this.memory.destination === undefined) return undefined;
    const [account, ...others] = this.memory.accounts;
    return { destination: this.memory.destination, account: others.length === 0 ? account : undefined };
  }

  /**
   * Closes the access; the next call opens it again. A simulation that is served again has another key and address, but
   * remains the same simulation, even if another one is now the only one served. Its own simulation stays open.
   */
  async reopen(): Promise<void> {
    if (this.#parts.own !== undefined) return;
    const old = await this.#access?.catch(() => undefined);
    this.#access = undefined;
    this.#simulation = old?.state ?? this.#simulation;
    this.memory.forget();
    await old?.close();
  }

  /** The settings that lead to the simulation that was opened first. */
  #destined(state: string): Settings {
    const isGlance = this.settings.simulation.books === 'live' && this.settings.simulation.state === undefined;
    if (isGlance) return this.settings;
    const opened = { state, books: undefined, clock: undefined, speed: undefined };
    return { ...this.settings, simulation: { ...this.settings.simulation, ...opened } };
  }

  /** Calls one operation, with a spinner on a terminal. A write that got no answer is looked up. */
  async call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    if (this.#parts.way?.call === undefined) return this.#call(id, request);
    return this.#parts.way.call(id, request, (sent) => this.#call(id, sent));
  }

  async #call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    this.memory.concerns(accountOf(request));
    const answer = await this.person.during('Waiting', async (say) => {
      const access = await this.access();
      const { client, bug, isInProcess } = access;
      try {
        return await client.call(id, isInProcess ? request : { ...request, signal: this.signal });
      } catch (error) {
        if (isInProcess || !isUnanswered(error) || (error.idempotencyKey !== undefined && client.keepsKeys))
          throw bug() ?? (await explained(this, request, error));
        const { finishWrite, isRefused } = await import('../../desk/session/finish-write.ts');
        say(`${isRefused(error) ? 'Refused' : 'No answer'}; looking up the outcome`);
        const { signal } = this;
        const note = (text: string) => this.note(text);
        const options = { signal, timeoutMs: this.settings.timeoutMs, note };
        return await finishWrite<Id>(access, error, options).catch(async (rejected: unknown) => {
          throw await explained(this, request, rejected);
        });
      }
    });
    this.memory.marketSource = answer.headers['x-market-source'] ?? this.memory.marketSource;
    this.memory.storeEndings(answer.headers['x-sim-endings']);
    this.memory.took(id, answer);
    this.memory.concerns(accountIn(answer.data));
    return answer;
  }

  /** Items of a list, page after page. */
  async *pages<Id extends PagedOperationId>(id: Id, request: RequestOf<Id> & CallOptions): AsyncGenerator<ItemOf<Id>> {
    this.memory.concerns(accountOf(request));
    const { client, isInProcess } = await this.access();
    const items = client.pages(id, isInProcess ? request : { ...request, signal: this.signal });
    while (true) {
      const next = await this.person
        .during('Reading', () => items.next())
        .catch(async (error: unknown) => {
          throw await explained(this, request, error);
        });
      if (next.done === true) return;
      this.#parts.way?.saw?.(next.value);
      yield next.value;
    }
  }

  /** Prints a note about the result on stderr. */
  note(text: string): void {
    this.person.note(text);
  }

  /** Prints a result immediately, for commands that continue after the first one: a service, a live table. */
  async show(result: Result): Promise<void> {
    await render(this.settings.listColumns === undefined ? result : await this.#withColumns(result), {
      format: this.settings.output,
      width: this.io.columns,
      palette: this.palette,
      write: this.io.out,
      filter: this.#parts.filter === undefined ? undefined : (json) => this.#filtered(json),
    });
  }

  /** The result with the columns of --columns. A wrong name fails a read; after a write, everything is printed. */
  async #withColumns(result: Result): Promise<Result> {
    const { listColumns: columns, output } = this.settings;
    if (columns === undefined || (output !== 'table' && output !== 'csv')) return result;
    try {
      if (result.kind === 'list') {
        const { withColumns } = await import('./output/chosen-columns.ts');
        return withColumns(result, columns, output);
      }
      // Results printed while it ran have already said so.
      if (result.kind !== 'text' || result.text !== '') this.note(columnsOfLists);
    } catch (error) {
      if (!this.hasWritten) throw error;
      this.note(`The command was carried out. ${(error as Error).message}`);
    }
    return result;
  }

  /** Prints one record as a line of JSON, for commands that print as they run. */
  tell(record: unknown): void {
    this.io.out(this.#filtered(`${jsonText(record)}\n`));
  }

  /** After a write, an expression that fails must not hide the result: it is printed whole. */
  #filtered(json: string): string {
    try {
      return this.#parts.filter === undefined ? json : this.#parts.filter(json);
    } catch (error) {
      if (!this.hasWritten) throw error;
      this.note(`The command was carried out. ${(error as Error).message}`);
      return json;
    }
  }

  async sleep(ms: number): Promise<void> {
    const { setTimeout: delay } = await import('node:timers/promises');
    await delay(ms, undefined, { signal: this.signal });
  }

  async close(): Promise<void> {
    this.memory.end();
    const access = await this.#access?.catch(() => undefined);
    await access?.close();
  }

  /** Reports one attempt at a request: with --debug always, otherwise only if there is a wait before the next one. */
  showAttempt(attempt: Attempt): void {
    const { method, target, status, durationMs, requestId, error, retryInMs } = attempt;
    if (method !== 'GET') {
      this.hasWritten = true;
      this.io.changes?.();
    }
    if (this.settings.debug) {
      const outcome = status ?? error ?? 'no answer';
      const again = retryInMs === undefined ? '' : `, again in ${stretch(retryInMs)}`;
      const id = requestId === undefined ? '' : ` ${requestId}`;
      this.io.err(
        plainLines(`debug: ${method} ${target} ${outcome} ${durationMs.toFixed(0)} ms${id}${again}`).concat('\n'),
      );
    } else if (retryInMs !== undefined && retryInMs >= 1000) {
      this.note(
        `${status === 429 ? 'Rate limited' : (error?.replace(/\.$/, '') ?? 'No answer')}; retrying in ${stretch(retryInMs)}.`,
      );
    }
  }
}

/** Matched by name, not class: the client's errors are not loaded just to compare. */
function isUnanswered(error: unknown): error is OutcomeUnknownError {
  return (error as Partial<OutcomeUnknownError>).name === 'OutcomeUnknownError';
}

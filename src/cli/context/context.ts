import type { Answer, CallOptions } from '../../client/client.ts';
import type { OutcomeUnknownError } from '../../client/errors.ts';
import type { ItemOf, PagedOperationId } from '../../client/pages.ts';
import type { Attempt } from '../../client/send.ts';
import type { KnownOperationId, RequestOf } from '../../contract/operations.ts';
import { interruptedFailure, isNotFound } from '../failure/failure.ts';
import type { Variables } from '../files/folders.ts';
import type { CommandSpec } from '../grammar/spec.ts';
import type { Given } from '../intents/note.ts';
import type { Palette } from '../output/palette.ts';
import { render } from '../output/render.ts';
import type { Result } from '../output/result.ts';
import type { Settings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import type { Outside } from '../terminal/outside.ts';
import { Spinner } from '../terminal/spinner.ts';
import { stretch } from '../text/format.ts';
import { plainLines } from '../text/plain-text.ts';
import type { Catalog } from '../tree/catalog.ts';
import type { LineReader } from '../tree/command-tree.ts';
import type { Heard } from './bad-answer.ts';
import { type Connection, connect } from './connection.ts';

/** A command's module: `commands/<noun>/<verb>.ts`. */
export interface CommandModule {
  command: CommandSpec;
  run(context: Context, input: never): Promise<Result>;
}

/** The commands: their specs, and their code on demand. */
export interface Registry extends Catalog {
  load(path: string): Promise<CommandModule>;
}

interface ContextParts {
  settings: Settings;
  registry: Registry;
  lineReader: () => LineReader;
  outside: Outside;
  /** Begins to listen for Ctrl-C when first asked. */
  interruption: () => AbortSignal;
  palette: Palette;
  /** The command as it was given. */
  given?: Given | undefined;
  /** Says of a request that failed what its error leaves open. */
  explain(context: Context, request: object, error: unknown): Promise<unknown>;
}

const mostHeard = 32;

/** What a command gets: settings, the client on demand, and ways to talk to the person beside the result. */
export class Context {
  readonly settings: Settings;
  readonly registry: Registry;
  /** Reads more command lines, as they would stand after `perp`. */
  readonly lineReader: () => LineReader;
  readonly explain: ContextParts['explain'];
  readonly outside: Outside;
  /** Colours of stdout. */
  readonly palette: Palette;
  /** Where prices came from, as the last answer that had any said: `synthetic`, `recorded`, `live`. */
  marketSource: string | undefined;
  readonly #interruption: () => AbortSignal;
  readonly #given: Given | undefined;
  readonly #spinner: Spinner;
  readonly #memory = new Map<string, Promise<unknown>>();
  /** The latest answers from a host. */
  readonly #heard: Heard[] = [];
  #connection: Promise<Connection> | undefined;

  constructor(parts: ContextParts) {
    this.settings = parts.settings;
    this.registry = parts.registry;
    this.lineReader = parts.lineReader;
    this.outside = parts.outside;
    this.#interruption = parts.interruption;
    this.#given = parts.given;
    this.explain = parts.explain;
    this.palette = parts.palette;
    this.#spinner = new Spinner(this.talks && parts.settings.output === 'table');
  }

  /** Aborts at Ctrl-C. Where nothing asks for it, Ctrl-C ends the process at once, as it would any other. */
  get signal(): AbortSignal {
    return this.#interruption();
  }

  get io(): Io {
    return this.outside.io;
  }

  get variables(): Variables {
    return this.outside.variables;
  }

  /** A person is there to be asked. */
  get isInteractive(): boolean {
    return this.io.stdoutIsTerminal && this.io.stdinIsTerminal;
  }

  /** Progress may be shown: stderr is a terminal and nobody asked for silence. */
  get talks(): boolean {
    return this.io.stderrIsTerminal && !this.settings.quiet && !this.settings.debug;
  }

  /** The client's connection, opened when first needed. */
  connection(): Promise<Connection> {
    this.#connection ??= connect({
      settings: this.settings,
      variables: this.variables,
      version: this.registry.version,
      note: (text) => this.note(text),
      now: this.outside.now,
      onAttempt: (attempt) => this.showAttempt(attempt),
      given: this.#given,
    });
    return this.#connection;
  }

  /** Calls one operation; on a terminal a longer wait is seen. A write without a key that got no answer is read back. */
  async call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    const answer = await this.#spinner.during('Waiting', async () => {
      const connection = await this.connection();
      const { client, bug, isInProcess } = connection;
      try {
        return await client.call(id, isInProcess ? request : { ...request, signal: this.signal });
      } catch (error) {
        if (isInProcess || !isUnansweredWithoutKey(error)) throw bug() ?? (await this.explained(request, error));
        const { finishWrite, isRefused } = await import('./finish-write.ts');
        this.#spinner.say(`${isRefused(error) ? 'Refused' : 'No answer'}; finding out what came of it`);
        const { signal } = this;
        const note = (text: string) => this.note(text);
        const telling = { signal, timeoutMs: this.settings.timeoutMs, note };
        return await finishWrite<Id>(connection, error, telling).catch(async (rejected: unknown) => {
          throw await this.explained(request, rejected);
        });
      }
    });
    this.marketSource = answer.headers['x-market-source'] ?? this.marketSource;
    this.hear(id, answer);
    return answer;
  }

  /** Items of a list, page after page. */
  async *pages<Id extends PagedOperationId>(id: Id, request: RequestOf<Id> & CallOptions): AsyncGenerator<ItemOf<Id>> {
    const { client, isInProcess } = await this.connection();
    const items = client.pages(id, isInProcess ? request : { ...request, signal: this.signal });
    while (true) {
      const next = await this.#spinner
        .during('Reading', () => items.next())
        .catch(async (error: unknown) => {
          throw await this.explained(request, error);
        });
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Shows that something longer goes on; `say` changes what. */
  during<T>(what: string, work: (say: (text: string) => void) => Promise<T>): Promise<T> {
    return this.#spinner.during(what, () => work((text) => this.#spinner.say(text)));
  }

  /** Does something once per run: the list of markets, the account. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const known = this.#memory.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const begun = work();
    this.#memory.set(name, begun);
    return begun;
  }

  /** Something worth knowing beside the result; goes to stderr. */
  note(text: string): void {
    if (!this.settings.quiet) this.io.err(`${plainLines(text)}\n`);
  }

  /** Asks on a terminal; elsewhere, and with --yes, the answer is yes. A no is an interruption. */
  async confirm(question: string): Promise<void> {
    if (this.settings.yes || !this.isInteractive) return;
    if (!(await this.outside.prompts.confirm(plainLines(question)))) throw interruptedFailure('Nothing was sent.');
  }

  /** Prints a result now, for what goes on after its first one: a service that runs, a table that is watched. */
  async show(result: Result): Promise<void> {
    await render(result, {
      format: this.settings.output,
      width: this.io.columns,
      palette: this.palette,
      write: this.io.out,
    });
  }

  async sleep(ms: number): Promise<void> {
    const { setTimeout: delay } = await import('node:timers/promises');
    await delay(ms, undefined, { signal: this.signal });
  }

  /** Where the account that was chosen beforehand is what is not found, that is said instead. */
  async explained(request: object, error: unknown): Promise<unknown> {
    if (this.settings.account === undefined || !isNotFound(error)) return error;
    return this.explain(this, request, error);
  }

  /** Turns an error that looks like a bug into a `bad_answer` failure, if a bad answer caused it. */
  async blamed(error: unknown): Promise<unknown> {
    if (this.#heard.length === 0) return error;
    const { blamed } = await import('./bad-answer.ts');
    return blamed(this.#heard, error);
  }

  /** Remembers an answer from a host, for `blamed`. */
  hear(id: KnownOperationId, { status, body }: Pick<Heard, 'status' | 'body'>): void {
    if (this.settings.environment === 'sim') return;
    this.#heard.push({ id, status, body });
    if (this.#heard.length > mostHeard) this.#heard.shift();
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** Takes note of an attempt at a request: with --debug shows it; on its own only a wait before the next one. */
  showAttempt(attempt: Attempt): void {
    const { method, target, status, durationMs, requestId, error, retryInMs } = attempt;
    if (method !== 'GET') this.io.changes?.();
    if (this.settings.debug) {
      const outcome = status ?? error ?? 'no answer';
      const again = retryInMs === undefined ? '' : `, again in ${stretch(retryInMs)}`;
      const id = requestId === undefined ? '' : ` ${requestId}`;
      this.io.err(
        plainLines(`debug: ${method} ${target} ${outcome} ${durationMs.toFixed(0)} ms${id}${again}`).concat('\n'),
      );
    } else if (retryInMs !== undefined && retryInMs >= 1000) {
      this.note(`${status === 429 ? 'Rate limited' : (error ?? 'No answer')}; trying again in ${stretch(retryInMs)}.`);
    }
  }
}

/** By name, not by class: the client's errors are not loaded just to look. */
function isUnansweredWithoutKey(error: unknown): error is OutcomeUnknownError {
  const { name, idempotencyKey } = error as Partial<OutcomeUnknownError>;
  return name === 'OutcomeUnknownError' && idempotencyKey === undefined;
}

import type { Ora } from 'ora';
import { Failure, interruptedFailure } from '../../base/failure/failure.ts';
import { withMarketNames } from '../../base/text/format.ts';
import { withPlace } from '../../base/text/place-options.ts';
import { plainLines, quoted, wrapLines } from '../../base/text/plain-text.ts';
import { destinationText, type Where } from '../../desk/intents/note.ts';
import type { Sending } from '../../desk/writes/settlement.ts';
import type { Settings } from './settings/settings.ts';
import type { Outside } from './terminal/outside.ts';

/** The user or program that gets a command's notes and questions. */
export class Person {
  readonly #settings: Settings;
  readonly #outside: Outside;
  readonly #hears: ((text: string) => void) | undefined;
  /** Made when progress is first shown. */
  #spinner: Spinner | undefined;
  #heldNotes: string[] | undefined;
  #knowsWhere: boolean;

  /** `hears`: a program, which takes the notes. `knowsWhere`: the destination is said elsewhere. */
  constructor(
    settings: Settings,
    outside: Outside,
    { hears, knowsWhere = false }: { hears?: (text: string) => void; knowsWhere?: boolean } = {},
  ) {
    this.#settings = settings;
    this.#outside = outside;
    this.#hears = hears;
    this.#knowsWhere = knowsWhere;
  }

  /** Someone is there to answer prompts. */
  get isInteractive(): boolean {
    const { stdoutIsTerminal, stdinIsTerminal } = this.#outside.io;
    return this.#hears === undefined && stdoutIsTerminal && stdinIsTerminal;
  }

  /** Progress may be shown: stderr is a terminal, output is not silenced, and the result is for people. */
  get #seesProgress(): boolean {
    const { quiet, debug, output } = this.#settings;
    return this.#hears === undefined && output === 'table' && !quiet && !debug && this.#outside.io.stderrIsTerminal;
  }

  /** Says once, in a line on stderr, where the requests go, once the service is opened; `always`: with --quiet, too. */
  sayDestination(where: Where | undefined, always = false): void {
    if (where === undefined || this.#knowsWhere || (this.#settings.quiet && !always)) return;
    this.#knowsWhere = true;
    this.#outside.io.err(`${plainLines(destinationText(where.destination, where.account))}\n`);
  }

  /** Shows a spinner during longer work; `say` changes its text. */
  during<T>(what: string, work: (say: (text: string) => void) => Promise<T>): Promise<T> {
    if (this.#spinner === undefined && !this.#seesProgress) return work(() => {});
    this.#spinner ??= new Spinner(() => this.#seesProgress);
    const spinner = this.#spinner;
    return spinner.during(what, () => work((text) => spinner.say(text)));
  }

  /** Runs a check. Its notes are about a write that happens; the returned function prints them. */
  async checked(check: () => Promise<void> | undefined): Promise<() => void> {
    const held: string[] = [];
    this.#heldNotes = held;
    try {
      await check();
    } finally {
      this.#heldNotes = undefined;
    }
    return () => {
      for (const text of held.splice(0)) this.note(text);
    };
  }

  /** Takes a note about the result; on a terminal, on stderr. */
  note(text: string): void {
    const { io } = this.#outside;
    if (this.#hears !== undefined) this.#hears(text);
    else if (this.#heldNotes !== undefined) this.#heldNotes.push(text);
    else if (!this.#settings.quiet) {
      const said = plainLines(withMarketNames(withPlace(text, this.#settings)));
      io.err(`${wrapLines(said, io.stderrColumns ?? Number.POSITIVE_INFINITY)}\n`);
    }
  }

  /**
   * Asks for confirmation on a terminal; without a terminal or with --yes the answer is yes. Declining interrupts the
   * command.
   */
  async confirm(question: string): Promise<void> {
    if (this.#settings.yes || !this.isInteractive) return;
    const asked = () => this.#outside.prompts.confirm(plainLines(question));
    if (!(await (this.#spinner?.paused(asked) ?? asked()))) throw interruptedFailure('Nothing was sent.');
  }
}

/** Those of a console who are asked, and what was decided before. */
interface Asking {
  readonly settings: Settings;
  readonly person: Person;
  readonly outside: Outside;
}

/**
 * Asks on a terminal before a write is sent. On live, with `trade.confirm_live = name`, the answer is the name of the
 * account, or of the host if there are several; an empty one sends nothing.
 */
export async function confirmWrite(
  { settings, person, outside }: Asking,
  question: string,
  sending: Sending,
): Promise<void> {
  const asksName = settings.confirmLive === 'name' && sending.destination.environment === 'live';
  if (!asksName || settings.yes || !person.isInteractive) return person.confirm(question);
  const name = await nameToType(sending);
  const same = (text: string) => text.trim().toLowerCase() === name.trim().toLowerCase();
  const wrong = `Type ${name} to send it, or nothing to send nothing`;
  const typed = await outside.prompts.line(plainLines(`${question} Type ${name} to send it`), (text) =>
    text.trim() === '' || same(text) ? undefined : plainLines(wrong),
  );
  if (!same(typed)) throw interruptedFailure('Nothing was sent.');
}

async function nameToType({ client, destination: { baseUrl }, accounts }: Sending): Promise<string> {
  const [account, ...others] = accounts;
  if (account === undefined || others.length > 0) return new URL(baseUrl!).host;
  try {
    const { data } = await client.call('getAccount', { path: { account_id: account } });
    // A name of spaces only can't be told from no answer.
    return data.name.trim() === '' ? account : data.name;
  } catch {
    return account;
  }
}

/**
 * Throws a failure unless someone can read and type here: nothing that was said before counts, such as --yes. `what`
 * says what a person does, `untouched` that nothing has happened.
 */
export function requirePerson({ person, settings }: Asking, what: string, untouched: string, command: string): void {
  if (person.isInteractive && !settings.yes) return;
  const why = settings.yes ? '--yes is not a person' : "this isn't a terminal";
  throw new Failure({
    code: 'person_needed',
    message: `${what} on a terminal: ${why}. ${untouched}`,
    hint: `Run ${command} on a terminal, without pipes and without --yes.`,
  });
}

/**
 * Asks a person to type one of these answers in full, and returns it. An empty line is a refusal: throws an
 * interruption that says `untouched`.
 */
export async function typedAnswer<A extends string>(
  { outside }: Asking,
  answers: readonly A[],
  purpose: string,
  untouched: string,
): Promise<A> {
  const choice = answers.map((answer) => quoted(answer)).join(' or ');
  const typed = await outside.prompts.line(`Type ${choice}${purpose}`, (text) =>
    text.trim() === '' || answers.some((answer) => answer === text.trim()) ? undefined : `Type ${choice}, or nothing`,
  );
  const answer = answers.find((one) => one === typed.trim());
  if (answer === undefined) throw interruptedFailure(untouched);
  return answer;
}

/** Shorter waits need no spinner, nor the time to load one. */
const maxWaitMs = 300;

/** Shows progress on stderr if it is a terminal. */
class Spinner {
  readonly #isEnabled: () => boolean;
  #text = '';
  #depth = 0;
  #timer: NodeJS.Timeout | undefined;
  #shown: Ora | undefined;

  constructor(isEnabled: () => boolean) {
    this.#isEnabled = isEnabled;
  }

  /** Shows `text` while the work runs, if it takes longer than a moment. */
  async during<T>(text: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isEnabled()) return work();
    this.#depth++;
    if (this.#depth === 1) this.#begin(text);
    try {
      return await work();
    } finally {
      this.#depth--;
      if (this.#depth === 0) this.#end();
    }
  }

  /** Shows nothing while the work runs, such as a prompt. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    if (this.#depth === 0) return work();
    this.#end();
    try {
      return await work();
    } finally {
      this.#begin(this.#text);
    }
  }

  say(text: string): void {
    this.#text = text;
    if (this.#shown !== undefined) this.#shown.text = text;
  }

  #begin(text: string): void {
    this.#text = text;
    this.#timer = setTimeout(async () => {
      const { default: ora } = await import('ora');
      // ASCII only: other spinners are garbage in some locales.
      const look = { spinner: 'line', stream: process.stderr, discardStdin: false } as const;
      if (this.#depth > 0 && this.#isEnabled()) this.#shown = ora({ text: this.#text, ...look }).start();
    }, maxWaitMs);
    this.#timer.unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#shown?.stop();
    this.#shown = undefined;
  }
}

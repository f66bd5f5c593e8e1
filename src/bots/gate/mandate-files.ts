import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import { holdFile } from '../../base/files/private-files.ts';
import type { Destination } from '../../desk/intents/note.ts';
import { placesOf } from '../../desk/intents/places.ts';
import { accountFile } from '../../desk/lock/trading-lock.ts';
import type { Mandate } from '../../desk/mandate/mandate.ts';
import { mandateFile, readMandate } from '../../desk/mandate/mandate-file.ts';
import { type EffectiveMandate, effectiveMandate, readSigned } from '../../desk/mandate/signed.ts';
import { termKey } from '../../desk/mandate/terms.ts';
import { gateFolder } from './bots-file.ts';

/** The interval between checks of files, ms. */
const lookMs = 1_000;

/**
 * The mandates of a gate: their files, which anyone with write access may tighten at any time, and the signed terms. A
 * file that is missing or broken allows nothing new: the bot's mandate isn't in force until it can be read again.
 */
export class MandateFiles implements Disposable {
  readonly #files: readonly string[];
  readonly #variables: Variables;
  readonly #note: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  #inForce: ReadonlyMap<string, Mandate>;
  /** By file: its fault at the last reading. */
  readonly #problems = new Map<string, string>();

  /** Throws a failure if a file can't be read, is not signed, or if two are for one bot. */
  constructor(files: readonly string[], variables: Variables, note: (text: string) => void) {
    this.#files = files;
    this.#variables = variables;
    this.#note = note;
    const read = files.map((file) => inForce(file, variables));
    const [twice] = read.filter(
      ({ mandate: { name } }, nth) => read.findIndex((one) => one.mandate.name === name) < nth,
    );
    if (twice !== undefined)
      throw notUsable(`Two mandates name the bot ${twice.mandate.name}.`, 'Give each bot one mandate.');
    for (const one of read) this.#tellLooser(one);
    this.#inForce = new Map(read.map(({ mandate }) => [mandate.name, mandate]));
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  /** The mandates in force, by their bots. */
  get inForce(): ReadonlyMap<string, Mandate> {
    return this.#inForce;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const found = new Map<string, Mandate>();
    for (const file of this.#files) {
      try {
        const now = inForce(file, this.#variables);
        const { mandate } = now;
        const before = this.#inForce.get(mandate.name);
        const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(mandate);
        found.set(mandate.name, isSame ? before : mandate);
        if (!isSame) this.#tellLooser(now);
        if (!isSame) this.#note(`The mandate of ${mandate.name} has changed.`);
        this.#problems.delete(file);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (this.#problems.get(file) !== problem)
          this.#note(`${problem} Its bot can't do anything until you fix the file.`);
        this.#problems.set(file, problem);
      }
    }
    this.#inForce = found;
  }

  #tellLooser({ mandate: { name }, looser }: EffectiveMandate): void {
    const keys = looser.map(termKey).join(', ');
    if (keys !== '') this.#note(`The mandate file of ${name} loosens ${keys}; the signed values apply.`);
  }
}

/** The terms of a mandate's file and its signed copy combined. */
function inForce(file: string, variables: Variables): EffectiveMandate {
  const { mandate } = readMandate(mandateFile(variables, file));
  const signed = readSigned(variables, mandate.name);
  if (signed === undefined) throw notUsable(`The mandate ${file} is not signed.`, `Sign it: perp mandate sign ${file}`);
  return effectiveMandate(signed, mandate);
}

function notUsable(message: string, hint: string): Failure {
  return new Failure({ code: 'mandate', message, hint });
}

/** A gate that ends leaves its accounts within this time, ms. */
const waitMs = 300;

/**
 * Takes charge of accounts until disposed: two gates that judge the orders of one account could together allow more
 * than the mandate does. Throws a failure if another gate of this user is in charge of one.
 */
export function takeAccounts(variables: Variables, destination: Destination, accounts: readonly string[]): Disposable {
  using taken = new DisposableStack();
  for (const account of accounts)
    for (const key of keysOf(variables, destination, account)) {
      const held = holdFile(join(gateFolder(variables), 'accounts', accountFile(key)), waitMs);
      if (held === undefined) throw inCharge(account);
      taken.use(held);
    }
  return taken.move();
}

/** One for each name of the place, and the one held by a gate of an earlier version. */
function keysOf(variables: Variables, destination: Destination, account: string): string[] {
  const { environment, baseUrl: former, state } = destination;
  const keys = placesOf(variables, destination).map((place) => JSON.stringify([place, account]));
  return [...keys, JSON.stringify([environment, former, state, account])];
}

function inCharge(account: string): Failure {
  return new Failure({
    code: 'gate_in_charge',
    message: `Another gate is in charge of account ${account}, and two gates could allow twice the limits.`,
    hint: 'Stop the other perp mcp --mandate or perp gate serve first, or serve all bots of the account with one gate.',
  });
}

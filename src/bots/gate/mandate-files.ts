import { Failure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import type { Mandate } from '../../desk/mandate/mandate.ts';
import { mandateFile, readMandate } from '../../desk/mandate/mandate-file.ts';
import { type EffectiveMandate, effectiveMandate, readSigned } from '../../desk/mandate/signed.ts';
import { termKey } from '../../desk/mandate/terms.ts';

/** How often files are looked at again, ms. */
const lookMs = 1_000;

/**
 * The mandates of a gate: their files, tightened at any time by anyone who may write them, and what a person signed. A
 * file that is gone or broken allows nothing new: the bot's mandate is not in force until it can be read again.
 */
export class MandateFiles implements Disposable {
  readonly #files: readonly string[];
  readonly #variables: Variables;
  readonly #note: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  #inForce: ReadonlyMap<string, Mandate>;
  /** By file: what was wrong when it was last read. */
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

import type { ValueKind, ValueKinds, ValueSpec } from '../../../desk/values/values.ts';

/** The option of every command that reads rules. */
export const rulesOption = {
  rules: { value: 'FILE', kind: 'file', summary: 'rules file (default: guard.toml beside the config file)' },
} as const satisfies Record<string, OptionSpec>;

/** A positional argument of a command. */
export interface ArgumentSpec extends ValueSpec {
  /** Property of the input; help shows it in upper case. */
  readonly name: string;
  readonly optional?: true;
  readonly repeat?: true;
}

/** An option of a command. */
export interface OptionSpec extends ValueSpec {
  /** Placeholder of the value in help; absent for a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly required?: true;
  /** May be given several times. */
  readonly repeat?: true;
}

/** A command as data: its help, completion and parsing are generated from it. */
export interface CommandSpec {
  /** One line, imperative. */
  readonly summary: string;
  readonly description?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** Works only in the simulation. */
  readonly simulationOnly?: true;
  /** Changes something on this machine, or sends writes that it doesn't build itself. */
  readonly changesMore?: true;
  /** Manages profiles and settings itself, and runs without the profile in use. */
  readonly ignoresProfile?: true;
  /** Runs even if the config file is unusable, and then without it. */
  readonly toleratesBadConfig?: true;
}

type One<V> = V extends { choices: readonly (infer C)[] }
  ? C
  : V extends { kind: infer K extends ValueKind }
    ? ValueKinds[K]
    : string;

type ArgumentValue<A> = A extends { repeat: true }
  ? One<A>[]
  : A extends { optional: true }
    ? One<A> | undefined
    : One<A>;

/** The value of an option: of its kind or its choices, or whether a switch is given. */
export type OptionValue<O> = O extends { value: string }
  ? O extends { repeat: true }
    ? One<O>[]
    : O extends { required: true }
      ? One<O>
      : One<O> | undefined
  : boolean;

/** `limit-price` -> `limitPrice`, as {@link camelCase} does. */
export type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** The input of a command: one parsed and checked property per argument and option, in camel case. */
export type ValuesOf<A extends readonly ArgumentSpec[], O extends Readonly<Record<string, OptionSpec>>> = {
  [K in A[number] as K['name']]: ArgumentValue<K>;
} & { [K in keyof O as Camel<K & string>]: OptionValue<O[K]> };

/** `limitPrice` -> `limit-price`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `limit-price` -> `limitPrice`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether a command has an option. */
export function takesOf({ options = {} }: CommandSpec): (flag: string) => boolean {
  return (flag) => Object.hasOwn(options, flag.slice(2));
}

/** `MARKET`: an argument's name in help and messages. */
export function labelOf({ name }: ArgumentSpec): string {
  return name.replace(/([A-Z])/g, '-$1').toUpperCase();
}

/** The margin options of a new order. */
export const termOptions = {
  leverage: {
    value: 'N',
    kind: 'leverage',
    maximum: 1000,
    summary: 'leverage (default: that of the open position, else config, else 1)',
  },
  margin: {
    value: 'MODE',
    choices: ['cross', 'isolated'],
    summary: 'margin mode (default: that of the open position, else config, else cross)',
  },
} as const satisfies Record<string, OptionSpec>;

/** Every command by its path (`order place`): its summary is ready, its full spec is loaded on demand. */
export interface Catalog {
  readonly version: string;
  readonly summaries: ReadonlyMap<string, string>;
  spec(path: string): CommandSpec;
}

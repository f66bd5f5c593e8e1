import type { OperationId } from '../contract/operations.ts';
import type { Context } from './context.ts';
import type { Result } from './output/result.ts';
import type { Size } from './values.ts';

/** What a value on the command line means: decides how it is parsed, checked and completed. */
export interface ValueKinds {
  text: string;
  /** Market id, coin or symbol. */
  market: string;
  account: string;
  /** Order id or client order id. */
  order: string;
  /** Position id, or the market it is in. */
  position: string;
  twap: string;
  scaled: string;
  group: string;
  configKey: string;
  file: string;
  /** Above zero, USD. */
  price: number;
  /** Above zero, hundredths of a percent. */
  basisPoints: number;
  /** Above zero, USD, or `none` for null. */
  optionalPrice: number | null;
  /** Zero or more. */
  amount: number;
  /** Any decimal, negative ones too. */
  number: number;
  /** One or more. */
  count: number;
  /** Zero or more. */
  port: number;
  size: Size;
  /** Milliseconds: `30m`, `1h30m`, `45s`, `2d`. */
  duration: number;
  /** Unix milliseconds, or a duration from now. */
  time: Time;
}

/** A moment: absolute, or so long after now, where now is the exchange's. */
export type Time = { at: number } | { inMs: number };

export type ValueKind = keyof ValueKinds;

interface Value {
  readonly summary: string;
  readonly kind?: ValueKind;
  readonly choices?: readonly string[];
  /** Most that a `count` or `amount` may be. */
  readonly maximum?: number;
}

export interface ArgumentSpec extends Value {
  /** Property of the input; help shows it in capitals. */
  readonly name: string;
  readonly optional?: true;
  readonly repeat?: true;
}

export interface FlagSpec extends Value {
  /** Placeholder of its value in help; absent: a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly required?: true;
  /** May be given several times. */
  readonly repeat?: true;
}

/** A command as data: parsing, help and completion are made of it. */
export interface CommandSpec {
  /** One line, imperative. */
  readonly summary: string;
  readonly description?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly flags?: Readonly<Record<string, FlagSpec>>;
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** API operations it may call. */
  readonly operations: readonly OperationId[];
  /** Exists in the simulation only. */
  readonly simulationOnly?: true;
  /** Changes something on this machine, or sends writes that it does not form itself. */
  readonly changesMore?: true;
  /** Runs even where the config file cannot be used, and then without it. */
  readonly forgivesConfig?: true;
}

/** Declares a command; keeps literal types, so that {@link InputOf} can say what `run` receives. */
export function defineCommand<const S extends CommandSpec>(spec: S): S {
  return spec;
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

type FlagValue<F> = F extends { value: string }
  ? F extends { repeat: true }
    ? One<F>[]
    : F extends { required: true }
      ? One<F>
      : One<F> | undefined
  : boolean;

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

type ArgumentsOf<S> = S extends { args: infer A extends readonly ArgumentSpec[] }
  ? { [K in A[number] as K['name']]: ArgumentValue<K> }
  : unknown;

type FlagsOf<S> = S extends { flags: infer F extends Record<string, FlagSpec> }
  ? { [K in keyof F as Camel<K & string>]: FlagValue<F[K]> }
  : unknown;

/** What `run` receives: one property per argument and flag (camel case), already parsed and checked. */
export type InputOf<S extends CommandSpec> = ArgumentsOf<S> & FlagsOf<S>;

/** A command's module: `commands/<noun>/<verb>.ts`. */
export interface CommandModule {
  command: CommandSpec;
  run(context: Context, input: never): Promise<Result>;
}

/** `limit-price` -> `limitPrice`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

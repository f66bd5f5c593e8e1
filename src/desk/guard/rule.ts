import { usageFailure } from '../../base/failure/failure.ts';
import { one, some, type Written } from '../../base/files/toml.ts';
import { quoted } from '../../base/text/plain-text.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { PartName } from '../account/account-state.ts';
import { belowAll } from '../values/sizes.ts';
import { parseValue } from '../values/values.ts';
import type { Step } from './guard-state.ts';
import type { Amount, KeptPlan } from './plans.ts';
import { type Moment, parseMoment, parseWindow, type Window } from './schedule.ts';
import type { Followed } from './trail.ts';
import type { GuardView } from './view.ts';

/** One field of a rule: how its value is read, and whether it names something to watch. */
export interface Field<Value = unknown> {
  /** Throws a usage failure that mentions `label`. */
  readonly parse: (written: Written, label: string) => Value;
  readonly optional?: true;
  readonly names?: 'market' | 'file';
}

/** A whole number up to 1,000. */
export const count: Field<number> = {
  parse: (written, label) => parseValue('count', one(written, label), label, { maximum: 1000 }),
};
/** A price above zero, in the quote currency. */
export const price: Field<number> = { parse: (written, label) => aboveZero(one(written, label), label) };
/** A percentage, such as `2%`. */
export const percent: Field<number> = { parse: (written, label) => parsePercent(one(written, label), label) };
/** `2%`, or `500usd`. */
export const loss: Field<Amount> = { parse: (written, label) => parseAmount(one(written, label), label, 'usd') };
/** `1.5%`, or a distance in price. */
export const distance: Field<Amount> = { parse: (written, label) => parseAmount(one(written, label), label, '') };
/** A duration such as `30m`, in ms. */
export const duration: Field<number> = {
  parse: (written, label) => parseValue('duration', one(written, label), label),
};
/** Windows of the day, such as `22:00-06:00`. */
export const hours: Field<readonly Window[]> = {
  parse: (written, label) => some(written).map((text) => parseWindow(text, label)),
};
/** Times of the day or the week, such as `fri 16:00`. */
export const times: Field<readonly Moment[]> = {
  parse: (written, label) => some(written).map((text) => parseMoment(text, label)),
};
/** A market; the guard finds it and follows its mark. */
export const market = { parse: one, names: 'market' } as const satisfies Field<string>;
/** A file; the guard notes when it is touched. */
export const file = { parse: one, names: 'file' } as const satisfies Field<string>;

/** The same field, which a rule may omit. */
export function optional<F extends Field>(field: F): F & { readonly optional: true } {
  return { ...field, optional: true };
}

function parseAmount(text: string, label: string, unit: 'usd' | ''): Amount {
  if (text.endsWith('%')) return { unit: 'percent', amount: parsePercent(text, label) };
  const isMoney = /^[^a-z]*usd$/i.test(text);
  if (isMoney !== (unit === 'usd'))
    throw usageFailure(
      `${label} is ${quoted(text)}.`,
      unit === 'usd' ? 'Write 2% or 500usd.' : 'Write 1.5%, or a distance in price such as 200.',
    );
  return { unit: 'absolute', amount: aboveZero(isMoney ? text.slice(0, -3) : text, label) };
}

function parsePercent(text: string, label: string): number {
  if (!text.endsWith('%'))
    throw usageFailure(`${label} is ${quoted(text)}, not a percentage.`, 'Write one such as 2%.');
  return belowAll(aboveZero(text.slice(0, -1), label), text, label);
}

function aboveZero(text: string, label: string): number {
  const amount = parseValue('amount', text, label);
  if (amount === 0) throw usageFailure(`${label} is 0; it must be above zero.`);
  return amount;
}

/** The actions of a rule besides alerting, in the order in which they are done. */
export const stepWords = ['lock', 'cancel', 'flatten'] as const;
/** A word of a rule's `do`. */
export type StepWord = (typeof stepWords)[number];

/** A step as it is planned, before it has its place in a task. */
export type PlannedStep = Omit<Step, 'nth'>;

/** The view that every rule gets. Times are the exchange's, Unix ms. */
interface SeenByAll extends Pick<GuardView, 'time' | 'account'> {
  /** Start of the trading day. */
  readonly day: number;
  /** The time of the judgment before this one; null at the first. */
  readonly before: number | null;
  /** IANA time zone of the times in the rules. */
  readonly zone: string;
}

/**
 * The view that a rule gets only if it needs it: the guard reads, follows and reports as unknown only what some rule
 * needs.
 */
interface SeenByNeed {
  /** Open positions. */
  readonly positions: Pick<GuardView, 'positions'>;
  /**
   * The mark of the market that the rule names, or without one, of every open position; and the ids of named markets.
   */
  readonly marks: Pick<GuardView, 'marks' | 'markets'>;
  /** Equity now and at the start of the day, USD; null if unknown. */
  readonly equity: { readonly equity: number | null; readonly dayStart: number | null };
  /** Positions closed since the start of the day, newest first. */
  readonly closed: { readonly closed: readonly Position[] };
  /** Fills that were not reported yet, oldest first. */
  readonly fills: { readonly fills: readonly Order[] };
  /** All working orders. */
  readonly working: { readonly working: readonly Order[] };
  /** The positions whose stops the guard moves by this rule; a kind with this need says which (`follow`). */
  readonly stops: { readonly working: readonly Order[]; readonly followed: readonly Followed[] };
  /** The parts of exit plans that a guard carries out. */
  readonly plans: { readonly plans: readonly KeptPlan[] };
  /** Everything on which the end of the account depends besides its marks. */
  readonly outlook: Pick<GuardView, 'positions' | 'working' | 'twaps' | 'policy' | 'books'>;
  /** How long each file that a rule names has not been touched, ms, by path. */
  readonly silences: Pick<GuardView, 'silences'>;
}

/** Data that a guard may read: parts of the account, and positions closed today. */
export type ReadPart = PartName | 'closed';

/**
 * For each need: the data to read besides the account, its positions and marks; and the list that has to be known before
 * a rule with this need is judged. Without one, the rule itself says what is unknown.
 */
export const needs: Readonly<
  Record<Need, { reads: readonly ReadPart[]; list: 'positions' | 'closed' | 'fills' | null }>
> = {
  positions: { reads: [], list: 'positions' },
  marks: { reads: [], list: null },
  equity: { reads: [], list: null },
  closed: { reads: ['closed'], list: 'closed' },
  fills: { reads: ['fills'], list: 'fills' },
  working: { reads: ['working'], list: 'positions' },
  stops: { reads: ['working'], list: 'positions' },
  outlook: { reads: ['working', 'parents', 'policy'], list: 'positions' },
  silences: { reads: [], list: null },
  plans: { reads: [], list: 'positions' },
};

/** Something that a rule may need to read besides the account. */
export type Need = keyof SeenByNeed;
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer One) => void ? One : never;
/** The view of a rule with these needs; reading anything else does not compile. */
export type Seen<Needs extends Need> = SeenByAll & ([Needs] extends [never] ? unknown : All<SeenByNeed[Needs]>);

/** A rule has fired: the reason, and its key. Nothing fires twice under one key. */
export interface Fired {
  readonly key: string;
  readonly says: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** When its lock ends; otherwise with the day. */
  readonly until?: number;
  /** Replaces the rule's own steps. */
  readonly steps?: readonly PlannedStep[];
}

/** A condition: it fires when it becomes true, and again only after it was false for a minute. */
export interface Condition {
  readonly holds: boolean;
  readonly says: () => string;
  readonly facts: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, Field>>;
type Camel<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
type OptionalOf<F extends Fields> = { [N in keyof F]: F[N] extends { optional: true } ? N : never }[keyof F];
type ValueOf<F> = F extends { parse: (...given: never[]) => infer Value } ? Value : never;
/** The values of a rule's fields, by their names in camel case. */
export type ValuesOf<F extends Fields> = {
  [N in Exclude<keyof F, OptionalOf<F>> as Camel<N> & string]: ValueOf<F[N]>;
} & {
  [N in OptionalOf<F> as Camel<N> & string]?: ValueOf<F[N]>;
};

/** The fields that every rule in a file has. */
export interface RuleBase {
  /**
   * Identical for the same rule, no matter what else is in the file: keys of actions and the state on disk refer to it.
   */
  readonly id: string;
  /** The name of its kind. */
  readonly kind: string;
  /** Its line in the rules file; undefined for a rule given as an option. */
  readonly line?: number | undefined;
  readonly do: readonly StepWord[];
  /** The values as written, for text output. */
  readonly written: Readonly<Record<string, string>>;
}

/** Everything about one kind of rule, except how it moves stops. */
interface RuleKindParts<F extends Fields, Needs extends Need> {
  readonly fields: F;
  /** The data it reads besides the account. Until it is known, the rule isn't judged: unknown is not zero. */
  readonly needs: readonly Needs[];
  /** Its actions without `do`; null if it can only alert or act in its own way. */
  readonly steps: readonly StepWord[] | null;
  /** Whether it fires at most once a day, under `dayKey`: `perp day` then says whether it was kept. */
  readonly isDaily: boolean;
  /** Optional fields of which it needs at least one. */
  readonly anyOf?: readonly (keyof F & string)[];
  /** When it fires, for people: a clause that follows "when". */
  condition(rule: RuleBase & ValuesOf<F>): string;
  /** The consequence, for people. */
  consequence(rule: RuleBase): string;
  /**
   * Refuses a second rule beside an earlier one; the text names the repetition, such as `follows the same positions`.
   */
  repeats?(rule: RuleBase & ValuesOf<F>, earlier: RuleBase & ValuesOf<F>): string | undefined;
  /** Judges what is known now. */
  judge(rule: RuleBase & ValuesOf<F>, seen: Seen<Needs>): readonly Fired[] | Condition;
  /** Its example in the file that `perp guard add` writes. */
  readonly template: string;
  /** The same as its condition, for docs/guard.md. */
  readonly docs: string;
}

/** How a kind of rule moves stops. */
interface MovesStops<F extends Fields> {
  /**
   * The positions whose stops these rules move, and the new prices; a kind further down in the table takes precedence.
   */
  follow(
    rules: readonly (RuleBase & ValuesOf<F>)[],
    view: GuardView,
    bestBefore: Readonly<Record<string, number>>,
  ): Followed[];
}

/**
 * Everything about one kind of rule. One that needs `stops` has `follow`, because nothing else moves a
 * stop, and needs `marks`, which stops follow.
 */
type RuleKindOf<F extends Fields, Needs extends Need> = RuleKindParts<F, Needs> &
  ('stops' extends Needs ? ('marks' extends Needs ? MovesStops<F> : never) : { readonly follow?: never });

/** A kind of rule, regardless of its fields and needs. */
export interface AnyRuleKind
  extends Omit<RuleKindParts<Fields, Need>, 'condition' | 'repeats' | 'judge'>,
    Partial<MovesStops<Record<never, Field>>> {
  condition(rule: RuleBase): string;
  repeats?(rule: RuleBase, earlier: RuleBase): string | undefined;
  judge(rule: RuleBase, seen: Seen<Need>): readonly Fired[] | Condition;
}

/** A kind of rule, checked: it can read only the needs it declares. */
export function defineRule<const F extends Fields, const Needs extends Need = never>(
  kind: RuleKindOf<F, Needs>,
): RuleKindOf<F, Needs> {
  return kind;
}

/** The key of a rule that fires at most once a day; `day`: the start of the trading day. */
export function dayKey({ id }: Pick<RuleBase, 'id'>, day: number): string {
  return `${id}@${day}`;
}

/** The alert and the actions of a rule, in words; `locked` says how long its lock lasts. */
export function alertAnd(locked: string): (rule: RuleBase) => string {
  const steps: Readonly<Record<StepWord, string>> = {
    lock: `lock until ${locked}`,
    cancel: 'cancel every order',
    flatten: 'close every position and cancel every order',
  };
  return (rule) => ['alert', ...rule.do.map((step) => steps[step])].join(', ');
}

/** For rules whose lock lasts until the day ends. */
export const alertAndLock = alertAnd('the end of the day');

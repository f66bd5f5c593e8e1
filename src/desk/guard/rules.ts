import type { Moment, Window } from './schedule.ts';

/** The actions of a rule besides alerting, in the order in which they are done. */
export const stepWords = ['lock', 'cancel', 'flatten'] as const;
export type StepWord = (typeof stepWords)[number];

/** A percentage, or an absolute amount: USD of a loss, or a distance in the market's price. */
export interface Amount {
  unit: 'percent' | 'absolute';
  amount: number;
}

/** The conditions of each kind of rule. Prices and USD are plain numbers, times are milliseconds. */
interface RuleFields {
  'daily-stop': { loss: Amount };
  'max-trades': { trades: number };
  'max-losses': { losses: number };
  'no-trade': { hours: readonly Window[] };
  'flatten-before': { times: readonly Moment[] };
  breach: { within: number };
  trail: { market?: string; by: Amount };
  price: { market: string; above?: number; below?: number };
  fills: object;
  heartbeat: { file: string; maxAge: number };
}

export type RuleKind = keyof RuleFields;

/** One rule of a kind. */
export type RuleOf<K extends RuleKind> = {
  kind: K;
  /** Identical for the same rule, whatever else is in the file: keys of actions and the state on disk refer to it. */
  id: string;
  /** Its line in the rules file; undefined for a rule given as an option. */
  line?: number | undefined;
  do: readonly StepWord[];
  /** The values as written, for text output. */
  written: Readonly<Record<string, string>>;
} & RuleFields[K];

export type Rule = { [K in RuleKind]: RuleOf<K> }[RuleKind];

/** All rules of one guard. */
export interface Rules {
  /** The only account that these rules are for. */
  account?: string | undefined;
  /** IANA time zone of the times in them. */
  zone: string;
  /** Program and arguments that receive every alert; null if there is none. */
  exec: readonly string[] | null;
  rules: readonly Rule[];
}

/** The steps of a rule without `do`. */
export const defaultSteps: Readonly<Record<RuleKind, readonly StepWord[]>> = {
  'daily-stop': ['lock', 'flatten'],
  'max-trades': ['lock'],
  'max-losses': ['lock'],
  'no-trade': ['lock'],
  'flatten-before': ['flatten'],
  breach: [],
  trail: [],
  price: [],
  fills: [],
  heartbeat: ['flatten'],
};

/** One sentence about the rule's condition. */
export function conditionOf(rule: Rule): string {
  const { written } = rule;
  switch (rule.kind) {
    case 'daily-stop':
      return `equity is ${written.loss} below its value at the start of the day`;
    case 'max-trades':
      return `${rule.trades} ${rule.trades === 1 ? 'position has' : 'positions have'} been opened since the start of the day`;
    case 'max-losses':
      return rule.losses === 1
        ? 'a position has closed with a loss since the start of the day'
        : `${rule.losses} positions in a row have closed with a loss since the start of the day`;
    case 'no-trade':
      return `it is ${written.hours}`;
    case 'flatten-before':
      return `it is ${written.times}`;
    case 'breach':
      return `a move of ${written.within} in every market would reach a floor of the account`;
    case 'trail':
      return `a position${rule.market === undefined ? '' : ` in ${rule.market}`} is open: its stop follows the best price at a distance of ${written.by}`;
    case 'price':
      return [
        rule.above === undefined ? undefined : `${rule.market} is at or above ${written.above}`,
        rule.below === undefined ? undefined : `${rule.market} is at or below ${written.below}`,
      ]
        .filter((part) => part !== undefined)
        .join(', or ');
    case 'fills':
      return 'an order fills';
    case 'heartbeat':
      return `${rule.file} has not been touched for ${written['max-age']}`;
  }
}

/** The actions of a rule, as text. */
export function consequenceOf(rule: Rule): string {
  if (rule.kind === 'trail') return 'move the stop, only closer';
  const steps: Readonly<Record<StepWord, string>> = {
    lock: rule.kind === 'no-trade' ? 'lock until then' : 'lock until the end of the day',
    cancel: 'cancel every order',
    flatten: 'close every position and cancel every order',
  };
  return ['alert', ...rule.do.map((step) => steps[step])].join(', ');
}

import type { Moment, Window } from './schedule.ts';

/** What a rule does besides alerting, in the order in which it is done. */
export const stepWords = ['lock', 'cancel', 'flatten'] as const;
export type StepWord = (typeof stepWords)[number];

/** A share in percent, or an absolute amount: USD of a loss, or a distance in the market's price. */
export interface Amount {
  unit: 'percent' | 'absolute';
  amount: number;
}

/** What each kind of rule watches. Prices and USD are plain numbers, times are milliseconds. */
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
  /** The same for the same rule, whatever else is in the file: keys of actions and the state on disk refer to it. */
  id: string;
  /** Its line in the rules file; undefined for a rule given as an option. */
  line?: number | undefined;
  do: readonly StepWord[];
  /** The values as written, for people. */
  written: Readonly<Record<string, string>>;
} & RuleFields[K];

export type Rule = { [K in RuleKind]: RuleOf<K> }[RuleKind];

/** Everything that one guard watches. */
export interface Rules {
  /** The only account these rules are meant for. */
  account?: string | undefined;
  /** IANA zone of the times in them. */
  zone: string;
  /** Program and arguments that get every alert; null if there is none. */
  exec: readonly string[] | null;
  rules: readonly Rule[];
}

/** The steps of a rule that does not say what to do. */
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

/** One sentence on what makes a rule fire. */
export function conditionOf(rule: Rule): string {
  const { written } = rule;
  switch (rule.kind) {
    case 'daily-stop':
      return `equity is ${written.loss}${rule.loss.unit === 'percent' ? " of the day's first equity" : ''} below where it was when the day began`;
    case 'max-trades':
      return `${rule.trades} ${rule.trades === 1 ? 'position has' : 'positions have'} been opened since the day began`;
    case 'max-losses':
      return rule.losses === 1
        ? 'a position has closed with a loss since the day began'
        : `${rule.losses} positions in a row have closed with a loss since the day began`;
    case 'no-trade':
      return `it is ${written.hours}`;
    case 'flatten-before':
      return `it is ${written.times}`;
    case 'breach':
      return `a common move of ${written.within} would reach a floor of the account`;
    case 'trail':
      return `a position${rule.market === undefined ? '' : ` in ${rule.market}`} is open: its stop follows ${written.by} behind the best price`;
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

/** What a rule does, in words. */
export function consequenceOf(rule: Rule): string {
  if (rule.kind === 'trail') return 'move the stop, only closer';
  const steps: Readonly<Record<StepWord, string>> = {
    lock: rule.kind === 'no-trade' ? 'lock until then' : 'lock until the day turns',
    cancel: 'cancel every order',
    flatten: 'close every position and cancel every order',
  };
  return ['alert', ...rule.do.map((step) => steps[step])].join(', ');
}

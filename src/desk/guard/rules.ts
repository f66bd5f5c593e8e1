import type { AnyRuleKind, Field, Need, RuleBase, ValuesOf } from './rule.ts';
import { dailyStop, flattenBefore, maxLosses, maxTrades, noTrade } from './rules/day-rules.ts';
import { breach, fills, heartbeat, plans, price, trail } from './rules/state-rules.ts';
import type { Followed } from './trail.ts';
import type { GuardView } from './view.ts';

/** Every kind of rule, by its name in a rules file, in the order in which they are shown. */
export const ruleKinds = {
  'daily-stop': dailyStop,
  'max-trades': maxTrades,
  'max-losses': maxLosses,
  'no-trade': noTrade,
  'flatten-before': flattenBefore,
  breach,
  trail,
  plans,
  price,
  fills,
  heartbeat,
} as const;

/** The name of a kind of rule, as a rule file has it. */
export type RuleKind = keyof typeof ruleKinds;
/** One rule of a kind. */
export type RuleOf<K extends RuleKind> = { readonly kind: K } & RuleBase & ValuesOf<(typeof ruleKinds)[K]['fields']>;
/** A rule of any kind. */
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

/** The open positions whose stops these rules move, each by one rule (guard: trailing stops). */
export function followedBy(
  { rules }: Pick<Rules, 'rules'>,
  view: GuardView,
  bestBefore: Readonly<Record<string, number>>,
): Followed[] {
  const found = new Map<string, Followed>();
  for (const [name, kind] of Object.entries<AnyRuleKind>(ruleKinds)) {
    const own = rules.filter((rule) => rule.kind === name);
    if (own.length === 0) continue;
    for (const one of kind.follow?.(own, view, bestBefore) ?? []) found.set(one.position.id, one);
  }
  return [...found.values()];
}

/** The kind of a rule. */
export function kindOf({ kind }: Pick<Rule, 'kind'>): AnyRuleKind {
  return ruleKinds[kind];
}

/** One sentence about the rule's condition. */
export function conditionOf(rule: Rule): string {
  return kindOf(rule).condition(rule);
}

/** The actions of a rule, as text. */
export function consequenceOf(rule: Rule): string {
  return kindOf(rule).consequence(rule);
}

/** Whether rules of this kind judge the equity, which answers from before and after a fill may misstate. */
export function judgesEquity(name: string): boolean {
  return Object.hasOwn(ruleKinds, name) && kindOf({ kind: name as RuleKind }).needs.includes('equity');
}

/** The needs of these rules besides the account and its open positions. */
export function needsOf({ rules }: Pick<Rules, 'rules'>): ReadonlySet<Need> {
  return new Set(rules.flatMap((rule) => kindOf(rule).needs));
}

/** The markets or files that a rule names, as written. */
export function namedBy(rule: Rule, what: NonNullable<Field['names']>): string[] {
  const named = Object.entries(kindOf(rule).fields).filter(([, { names }]) => names === what);
  return named.flatMap(([name]) => rule.written[name] ?? []);
}

/** The file that `perp guard add` writes. */
export const rulesTemplate = `# Rules of perp guard (TOML). perp guard rules checks and explains them.
#
# Every rule that fires is printed and passed to exec. "do" lists further actions:
#   "lock"     perp refuses anything that adds exposure until the day ends (midnight in New York)
#   "cancel"   every order is canceled, TWAPs and ladders too
#   "flatten"  every position is closed, and every order canceled
# Without "do", a rule has the actions shown here. do = [] only alerts.
# A rule may be given several times: [[price]] instead of [price].

# account = "acc_1"            # refuse to guard any other account
# zone = "America/New_York"    # time zone of the times below; "local" is this machine's
# exec = ["notify-send", "perp"]   # receives every alert as JSON on its standard input
${Object.values(ruleKinds)
  .map(({ template }) => template)
  .join('')}`;

import { nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { dayStartEquity } from '../risk/profit.ts';
import type { GuardState, Step, Task } from './guard-state.ts';
import { type Fired, type Need, needs, type PlannedStep, type Seen } from './rule.ts';
import { followedBy, kindOf, needsOf, type Rule, type Rules } from './rules.ts';
import { equityOf, type GuardView, hasEnded } from './view.ts';

/** A condition that has to be false for this long before it can fire again, ms. */
const clearMs = 60_000;
/** Exposure in a locked account is closed at most this often, ms. */
const againMs = 10_000;
const rememberedFirings = 1_000;
const rememberedFills = 1_000;

/** A rule has fired, or without one the guard itself. */
interface Firing extends Omit<Fired, 'until'> {
  rule: Rule | null;
}

/**
 * Judges a view: which rules fire now, and which tasks follow. Pure: from rules, view and previous state it computes
 * the next state, whose new tasks must be on disk before any of them starts. Judging the same view again adds nothing.
 */
export function judge(rules: Rules, view: GuardView, before: GuardState): GuardState {
  const state = withDay(view, { ...before, holding: { ...before.holding } });
  const fired = new Set(state.fired);
  const seen = seenBy(rules, view, state);
  const firings = [
    ...rules.rules.filter((rule) => canJudge(rule, view)).flatMap((rule) => firingsOf(rule, seen, view, state)),
    ...exposure(view, state),
    ...ending(view),
  ].filter(({ key }) => !fired.has(key));
  const tasks = firings.map((firing) => taskOf(firing, view, rules.exec !== null));
  return {
    ...state,
    time: view.time,
    ...(view.counts.positions && {
      best: Object.fromEntries(seen.followed.map(({ position, best }) => [position.id, best])),
    }),
    fired: [...state.fired, ...firings.map(({ key }) => key)].slice(-rememberedFirings),
    ...flatFrom(firings, tasks, state),
    fills: needsOf(rules).has('fills') ? seenFills(view, state) : null,
    tasks: [...state.tasks, ...tasks],
  };
}

/** The first equity of each day is recorded for accounts without a daily-loss floor, which would otherwise give it. */
function withDay(view: GuardView, state: GuardState): GuardState {
  const day = tradingDayStart(view.time);
  if (state.day === day && state.dayEquity !== null) return state;
  return { ...state, day, dayEquity: equityOf(view) };
}

/** The guard's own reports: it is judged like a rule, but without a view. */
export type Notice = Pick<Task, 'key' | 'says' | 'facts'>;

/** Adds a notice of the guard, which has only an alert. Without a program, it is only printed. */
export function withNotice(
  state: GuardState,
  { key, says, facts }: Notice,
  time: number,
  hasExec: boolean,
): GuardState {
  if (state.fired.includes(key)) return state;
  const steps: Step[] = hasExec ? [{ nth: 0, kind: 'exec' }] : [];
  const task: Task = { key, rule: 'guard', time, says, facts, steps };
  return { ...state, fired: [...state.fired, key].slice(-rememberedFirings), tasks: [...state.tasks, task] };
}

/** Whether the known values are enough for a rule: unknown is not zero. */
function canJudge(rule: Rule, { counts }: GuardView): boolean {
  return kindOf(rule).needs.every((need) => {
    const { list } = needs[need];
    return list === null || counts[list];
  });
}

/** Everything that rules can see; their kinds let them read only what they need. */
function seenBy(rules: Rules, view: GuardView, state: GuardState): Seen<Need> {
  return {
    ...view,
    day: tradingDayStart(view.time),
    before: state.time,
    zone: rules.zone,
    equity: equityOf(view),
    dayStart: dayStartEquity(view.account) ?? state.dayEquity,
    fills: unseen(view, state),
    followed: followedBy(rules, view, state.best),
  };
}

function firingsOf(rule: Rule, seen: Seen<Need>, view: GuardView, state: GuardState): Firing[] {
  const followed = seen.followed.filter(({ rule: { id } }) => id === rule.id);
  const verdict = kindOf(rule).judge(rule, { ...seen, followed });
  if ('holds' in verdict) {
    const { holds, says, facts } = verdict;
    return begins(rule.id, holds, view, state) ? [{ rule, key: `${rule.id}@${view.time}`, says: says(), facts }] : [];
  }
  return verdict.map(({ until, ...fired }) => ({
    rule,
    ...fired,
    ...(until === undefined ? {} : { steps: stepsOf(rule, until) }),
  }));
}

function seenFills(view: GuardView, { fills }: GuardState): string[] | null {
  if (!view.counts.fills) return fills;
  return [...new Set([...(fills ?? []), ...view.fills.map(({ id }) => id)])].slice(-rememberedFills);
}

/** Fills that were not reported yet; none at the first check. */
function unseen(view: GuardView, { fills }: GuardState): readonly GuardView['fills'][number][] {
  if (fills === null) return [];
  const known = new Set(fills);
  return view.fills.filter(({ id }) => !known.has(id));
}

function begins(id: string, holds: boolean, { time }: GuardView, { holding }: GuardState): boolean {
  const known = holding[id];
  if (holds) holding[id] = {};
  else if (known !== undefined) {
    const clearSince = Math.min(known.clearSince ?? time, time);
    if (time - clearSince >= clearMs) delete holding[id];
    else holding[id] = { clearSince };
  }
  return holds && known === undefined;
}

/** New positions in a locked account that was flattened are closed again. */
function exposure(view: GuardView, { flat, tasks }: GuardState): Firing[] {
  if (flat === undefined || !view.exposed || view.time >= flat.until) return [];
  if (tasks.some(({ steps }) => steps.some(({ kind }) => kind === 'flatten'))) return [];
  const symbols = [...new Set(view.positions.map(({ symbol }) => symbol))].join(', ');
  const says = `Opened despite the lock: ${symbols}`;
  const key = `${flat.key}.again@${Math.floor(view.time / againMs)}`;
  const facts = { positions: view.positions.map(({ id }) => id) };
  return [{ rule: null, key, says, facts, steps: [{ kind: 'flatten' }] }];
}

function flatFrom(firings: readonly Firing[], tasks: readonly Task[], state: GuardState): Pick<GuardState, 'flat'> {
  const begun = firings.flatMap(({ rule, key }, nth): NonNullable<GuardState['flat']>[] => {
    const { steps } = tasks[nth]!;
    const lock = steps.find(({ kind }) => kind === 'lock');
    const isFlat = lock?.until !== undefined && steps.some(({ kind }) => kind === 'flatten');
    return isFlat && rule !== null ? [{ key, rule: rule.kind, until: lock.until! }] : [];
  });
  const latest = [...begun, ...(state.flat === undefined ? [] : [state.flat])];
  return latest.length === 0 ? {} : { flat: latest.reduce((one, other) => (other.until > one.until ? other : one)) };
}

function ending({ account }: GuardView): Firing[] {
  if (!hasEnded(account)) return [];
  const says = `The account is ${account.status}; nothing is left to guard`;
  return [{ rule: null, key: `ended@${account.status}`, says, facts: { status: account.status } }];
}

function taskOf(firing: Firing, view: GuardView, hasExec: boolean): Task {
  const { rule, key, says, facts } = firing;
  const steps = firing.steps ?? (rule === null ? [] : stepsOf(rule, nextTradingDayStart(view.time)));
  return {
    key,
    rule: rule === null ? 'guard' : rule.kind,
    time: view.time,
    says,
    facts,
    steps: [...steps, ...(hasExec ? [{ kind: 'exec' as const }] : [])].map((step, nth) => ({ nth, ...step })),
  };
}

function stepsOf(rule: Rule, until: number): PlannedStep[] {
  return [
    ...(rule.do.includes('lock') ? [{ kind: 'lock' as const, until }] : []),
    ...(rule.do.includes('flatten') ? [{ kind: 'flatten' as const }] : []),
    ...(rule.do.includes('cancel') && !rule.do.includes('flatten') ? [{ kind: 'cancel' as const }] : []),
  ];
}

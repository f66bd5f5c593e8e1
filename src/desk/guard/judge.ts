import { quantity, usd } from '../../ground/text/format.ts';
import { nextTradingDayStart, tradingDayStart } from '../../terms/day.ts';
import type { GuardState, Step, Task } from './guard-state.ts';
import type { Rule, RuleOf, Rules } from './rules.ts';
import { latestOccurrence, windowAt } from './schedule.ts';
import { followed } from './trail.ts';
import { breachMove, dayStartEquity, equityOf, type GuardView, hasEnded, resultOf } from './view.ts';

/** A condition that has to be false for this long before it can fire again, ms. */
const clearMs = 60_000;
/** A time that was missed by more than this is only reported, ms. */
const latestMs = 3_600_000;
/** Exposure in a locked account is closed at most this often, ms. */
const againMs = 10_000;
const rememberedFirings = 1_000;
const rememberedFills = 1_000;

type PlannedStep = Omit<Step, 'nth'>;

/** A rule has fired: why, and under which key. */
interface Firing {
  rule: Rule | null;
  key: string;
  says: string;
  facts: Readonly<Record<string, unknown>>;
  /** Replaces the rule's steps. */
  steps?: readonly PlannedStep[];
}

/**
 * Judges a view: which rules fire now, and which tasks follow. Pure: from rules, view and previous state it computes
 * the next state, whose new tasks must be on disk before any of them starts. Judging the same view again adds nothing.
 */
export function judge(rules: Rules, view: GuardView, before: GuardState): GuardState {
  const state = withDay(view, { ...before, holding: { ...before.holding } });
  const fired = new Set(state.fired);
  const firings = [
    ...rules.rules.flatMap((rule) => firingsOf(rule, rules, view, state)),
    ...crossings(rules, view, state),
    ...exposure(view, state),
    ...ending(view),
  ].filter(({ key }) => !fired.has(key));
  const tasks = firings.map((firing) => taskOf(firing, view, rules.exec !== null));
  return {
    ...state,
    time: view.time,
    best: Object.fromEntries(followed(rules, view, state.best).map(({ position, best }) => [position.id, best])),
    fired: [...state.fired, ...firings.map(({ key }) => key)].slice(-rememberedFirings),
    ...flatFrom(firings, tasks, state),
    fills: rules.rules.some(({ kind }) => kind === 'fills') ? seenFills(view, state) : null,
    tasks: [...state.tasks, ...tasks],
  };
}

/** The first equity of each day is recorded for accounts without a daily-loss floor, which would otherwise give it. */
function withDay(view: GuardView, state: GuardState): GuardState {
  const day = tradingDayStart(view.time);
  if (state.day === day && state.dayEquity !== null) return state;
  return { ...state, day, dayEquity: equityOf(view) };
}

/** What the guard itself reports: it is judged like a rule, but without a view. */
export interface Notice {
  key: string;
  says: string;
  facts: Readonly<Record<string, unknown>>;
}

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

function firingsOf(rule: Rule, rules: Rules, view: GuardView, state: GuardState): Firing[] {
  switch (rule.kind) {
    case 'daily-stop':
      return dailyStop(rule, view, state);
    case 'max-trades':
      return maxTrades(rule, view);
    case 'max-losses':
      return maxLosses(rule, view);
    case 'no-trade':
      return noTrade(rule, rules.zone, view);
    case 'flatten-before':
      return flattenBefore(rule, rules.zone, view, state);
    case 'breach':
      return breach(rule, view, state);
    case 'price':
      return priceAlert(rule, view, state);
    case 'fills':
      return unseen(view, state).map((fill) => fillAlert(rule, fill));
    case 'heartbeat':
      return heartbeat(rule, view, state);
    case 'trail':
      return [];
  }
}

function dailyStop(rule: RuleOf<'daily-stop'>, view: GuardView, state: GuardState): Firing[] {
  const equity = equityOf(view);
  const began = dayStartEquity(view) ?? state.dayEquity;
  if (equity === null || began === null) return [];
  const limit = rule.loss.unit === 'percent' ? (began * rule.loss.amount) / 100 : rule.loss.amount;
  const loss = began - equity;
  if (loss < limit) return [];
  return [
    {
      rule,
      key: `${rule.id}@${state.day}`,
      says: `Daily stop: ${usd(loss)} USD lost since the start of the day at ${usd(began)} (limit ${usd(limit)})`,
      facts: { equity, day_start_equity: began, loss, limit },
    },
  ];
}

function maxTrades(rule: RuleOf<'max-trades'>, view: GuardView): Firing[] {
  const day = tradingDayStart(view.time);
  // The lists are not read at one moment, so a position may be in both.
  const today = [...view.positions, ...view.closed].filter(({ opened_at }) => opened_at >= day);
  const trades = new Set(today.map(({ id }) => id)).size;
  if (trades < rule.trades) return [];
  const says = `${trades} ${trades === 1 ? 'trade' : 'trades'} today (limit ${rule.trades})`;
  return [{ rule, key: `${rule.id}@${day}`, says, facts: { trades, limit: rule.trades } }];
}

function maxLosses(rule: RuleOf<'max-losses'>, view: GuardView): Firing[] {
  const firstWin = view.closed.findIndex((position) => resultOf(position) >= 0);
  const streak = view.closed.slice(0, firstWin < 0 ? undefined : firstWin);
  if (streak.length < rule.losses) return [];
  const lost = -streak.reduce((sum, position) => sum + resultOf(position), 0);
  return [
    {
      rule,
      // The key contains the streak's first loss, so a longer streak has the same key.
      key: `${rule.id}@${streak.at(-1)!.id}`,
      says: `${streak.length} ${streak.length === 1 ? 'loss' : 'losses in a row'} today, ${usd(lost)} USD (limit ${rule.losses})`,
      facts: { losses: streak.length, lost, limit: rule.losses },
    },
  ];
}

function noTrade(rule: RuleOf<'no-trade'>, zone: string, view: GuardView): Firing[] {
  const spans = rule.hours.map((window) => windowAt(window, view.time, zone)).filter((span) => span !== undefined);
  if (spans.length === 0) return [];
  const start = Math.min(...spans.map((span) => span.start));
  const until = Math.max(...spans.map((span) => span.end));
  const says = `No-trade hours (${rule.written.hours})`;
  return [{ rule, key: `${rule.id}@${start}`, says, facts: { start, until }, steps: stepsOf(rule, until) }];
}

function flattenBefore(
  rule: RuleOf<'flatten-before'>,
  zone: string,
  view: GuardView,
  { time: seen }: GuardState,
): Firing[] {
  if (seen === null) return [];
  return rule.times.flatMap((moment) => {
    const at = latestOccurrence(moment, view.time, zone);
    // Setting the clock back must not hide a time: firings are remembered by their keys.
    if (at === undefined || at <= Math.min(seen, view.time - 1)) return [];
    const isLate = view.time - at > latestMs;
    const key = `${rule.id}@${at}`;
    const facts = { at, late: isLate };
    if (!isLate) return [{ rule, key, says: `Flat time reached (${rule.written.times})`, facts }];
    const says = `A flat time was missed (${rule.written.times}); nothing was closed`;
    return [{ rule, key, says, facts, steps: [] }];
  });
}

function breach(rule: RuleOf<'breach'>, view: GuardView, state: GuardState): Firing[] {
  const move = breachMove(view);
  const says = () => `A move of ${quantity(Number(move!.toPrecision(3)))}% in every market would breach the account`;
  const isNear = move !== undefined && Math.abs(move) <= rule.within;
  return episode(rule, isNear, view, state, says, { move_pct: move });
}

function priceAlert(rule: RuleOf<'price'>, view: GuardView, state: GuardState): Firing[] {
  const marketId = view.markets.get(rule.market);
  const mark = marketId === undefined ? undefined : view.marks.get(marketId);
  if (mark === undefined) return [];
  const isAbove = rule.above !== undefined && mark >= rule.above;
  const isBelow = rule.below !== undefined && mark <= rule.below;
  const says = () =>
    `${rule.market} is at ${quantity(mark)}, ${isAbove ? 'above' : 'below'} ${rule.written[isAbove ? 'above' : 'below']}`;
  return episode(rule, isAbove || isBelow, view, state, says, { market_id: marketId, price: mark });
}

function seenFills(view: GuardView, { fills }: GuardState): string[] {
  return [...new Set([...(fills ?? []), ...view.fills.map(({ id }) => id)])].slice(-rememberedFills);
}

/** Fills that were not reported yet; none at the first check. */
function unseen(view: GuardView, { fills }: GuardState): readonly GuardView['fills'][number][] {
  if (fills === null) return [];
  const known = new Set(fills);
  return view.fills.filter(({ id }) => !known.has(id));
}

function fillAlert(rule: Rule, fill: GuardView['fills'][number]): Firing {
  const { id, side, symbol, fill_price: price } = fill;
  const size = fill.filled_size ?? fill.size;
  const at = price === undefined ? '' : ` at ${quantity(price)}`;
  return { rule, key: `fill@${id}`, says: `Filled: ${side} ${quantity(size)} ${symbol}${at}`, facts: { fill } };
}

function heartbeat(rule: RuleOf<'heartbeat'>, view: GuardView, state: GuardState): Firing[] {
  const silentMs = view.silences.get(rule.file) ?? 0;
  const says = () => `No heartbeat: ${rule.file} has not been touched for ${Math.floor(silentMs / 1000)}s`;
  return episode(rule, silentMs >= rule.maxAge, view, state, says, { silent_ms: silentMs });
}

/** A condition fires when it becomes true, and again only after it was false for a minute. */
function episode(
  rule: Rule,
  holds: boolean,
  view: GuardView,
  state: GuardState,
  says: () => string,
  facts: Record<string, unknown>,
): Firing[] {
  if (!begins(rule.id, holds, view, state)) return [];
  return [{ rule, key: `${rule.id}@${view.time}`, says: says(), facts }];
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

/** Closes the position if the mark reached the trailing stop before the stop could be placed. */
function crossings(rules: Rules, view: GuardView, state: GuardState): Firing[] {
  return followed(rules, view, state.best).flatMap(({ rule, position, isCrossed, wanted, mark }) => {
    if (!isCrossed) return [];
    const says = `${position.symbol} is at ${quantity(mark)}, beyond its trailing stop at ${quantity(wanted)}`;
    const facts = { position_id: position.id, market_id: position.market_id, price: mark, stop: wanted };
    return [{ rule, key: `trail@${position.id}`, says, facts, steps: [{ kind: 'close', positions: [position.id] }] }];
  });
}

/** What appears in an account that is locked and was flattened is closed again. */
function exposure(view: GuardView, { flat, tasks }: GuardState): Firing[] {
  if (flat === undefined || !view.exposed || view.time >= flat.until) return [];
  if (tasks.some(({ steps }) => steps.some(({ kind }) => kind === 'flatten'))) return [];
  const symbols = [...new Set(view.positions.map(({ symbol }) => symbol))].join(', ');
  const says = `Opened although the account is locked: ${symbols}`;
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

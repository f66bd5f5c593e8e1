import { quantity, signedUsd, timeOfDay, usd } from '../../base/text/format.ts';
import { exitPriceOf, stopText } from '../../desk/account/means.ts';
import { stateNotes } from '../../desk/reading/streams.ts';
import { challengeOf, type Gauge, NewAlarms, severityOf } from '../../desk/watch/challenge.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { ModelReader } from '../../desk/watch/model-reader.ts';
import { heldIn } from '../../desk/watch/standing.ts';
import type { Console } from '../console/console.ts';
import type { Result } from '../console/output/result.ts';
import { stream } from '../console/streaming.ts';
import { endedRecord, endingText, lockText } from '../console/views/ending-view.ts';
import type { EventView } from '../console/views/stream-view.ts';
import { WaitingApprovals } from './waiting-approvals.ts';

/** Minimum time between two lines. */
const lineMs = 1_000;

/** An account's figures at one moment; those that need a missing price are null. */
type StandingRecord = NonNullable<ReturnType<typeof recordOf>>;

/** Without a terminal, or as JSON: a line per second while something changes. */
export async function plainWatch(console: Console, model: LiveModel, forMs: number | undefined): Promise<Result> {
  const input = { for: forMs, maxEvents: undefined, idleTimeout: undefined };
  return stream(console, input, { view, subject: 'account', table: model.streams }, async ({ tell, fail }) => {
    let before = '';
    let isDue = false;
    const report = () => {
      const record = isDue ? recordOf(model) : undefined;
      isDue = false;
      if (record === undefined) return;
      const { time: _, ...figures } = record;
      const text = JSON.stringify(figures);
      if (text !== before) tell(record);
      before = text;
    };
    const notes = {
      market: stateNotes(console, 'market', model.streams),
      account: stateNotes(console, 'account', model.streams),
    };
    const alarms = new NewAlarms();
    const reader = new ModelReader(console, model, {
      changed: () => {
        isDue = true;
        const isNew = alarms.tell(model.account === undefined ? [] : [model.account], model);
        // The first line need not wait for its second, and neither do messages that nobody may miss.
        if (before === '' ? isComplete(model) : isNew) report();
      },
      notice: (text) => console.note(text),
      failed: fail,
      state: (subject, state) => notes[subject](state),
    });
    const approvals = new WaitingApprovals(console);
    const timer = setInterval(() => {
      for (const text of approvals.news()) console.note(text);
      report();
    }, lineMs);
    await reader.open();
    return () => {
      clearInterval(timer);
      reader.close();
    };
  });
}

/** Whether every figure is known. */
function isComplete(model: LiveModel): boolean {
  const isKnown = model.watched.every(({ market_id }) => model.mid(market_id) !== undefined);
  const isRead = model.unstreamedOf(model.accountId) !== undefined;
  const { account } = model.account ?? {};
  const isEndKnown = account?.status === 'active' || model.endings.has(account?.id ?? '');
  return isKnown && isRead && isEndKnown && recordOf(model) !== undefined && model.time > 0;
}

/** The state of an account, as JSON; undefined before everything is known. */
export function recordOf(model: LiveModel) {
  const state = model.account;
  // Before the first answer, an account may appear to have nothing open.
  if (state === undefined || !model.streams.isKnown('account') || !model.areLocksKnown) return undefined;
  const ending = model.endings.get(state.account.id);
  const { standing, gauges } = challengeOf(state, model);
  const usedOf = (name: Gauge['name']) => cents(gauges.find((gauge) => gauge.name === name)?.used);
  const { daily, drawdown } = standing;
  const mids = model.watched.flatMap(({ market_id }) => {
    const mid = model.mid(market_id);
    return mid === undefined ? [] : [[market_id, mid] as const];
  });
  return {
    /** The exchange's time, Unix ms. */
    time: model.time,
    account_id: state.account.id,
    status: state.account.status,
    /** How the account ended; null while it is active, and until the end has been read. */
    ended: ending === undefined ? null : endedRecord(ending),
    /** The guard's lock. */
    lock: model.locks.get(state.account.id) ?? null,
    balance: standing.balance,
    equity: cents(standing.equity),
    unrealized_pnl: cents(standing.unrealized),
    daily_loss_floor: daily?.at ?? null,
    daily_loss_room: cents(daily?.room),
    /** The share of the allowance that is used, 0 to 1. */
    daily_loss_used: usedOf('daily loss'),
    max_drawdown_floor: drawdown?.at ?? null,
    max_drawdown_room: cents(drawdown?.room),
    max_drawdown_used: usedOf('drawdown'),
    remaining_profit: standing.toTarget ?? null,
    working_orders: state.orders.size,
    acts_without_you: model.acting,
    positions: heldIn(state, model).map(({ position, mid, profit, cover, risk, end }) => ({
      id: position.id,
      market_id: position.market_id,
      symbol: position.symbol,
      side: position.side,
      size: position.size,
      mid: mid ?? null,
      unrealized_pnl: cents(profit),
      stop_price: cover.first?.from ?? null,
      stop_limit_price: cover.first?.to ?? null,
      target_price: cover.targets.map(exitPriceOf)[0] ?? null,
      covered_size: cover.covered,
      uncovered_size: cover.uncovered,
      risk: risk.loss ?? null,
      one_r: risk.unit ?? null,
      r: risk.r ?? null,
      ends_at: end?.price ?? null,
      ends_by: end?.by ?? null,
    })),
    mids: Object.fromEntries(mids) as Record<string, number>,
  };
}

/** Removes the noise from sums of floating-point products. */
function cents(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(8));
}

const view: EventView = {
  isText: true,
  fields: [
    'time',
    'account_id',
    'status',
    'balance',
    'equity',
    'unrealized_pnl',
    'daily_loss_room',
    'max_drawdown_room',
  ],
  line: (record: StandingRecord) => [
    `${timeOfDay(record.time)}  equity ${record.equity === null ? '-' : usd(record.equity)}  pnl ${signed(record.unrealized_pnl)}`,
    record.daily_loss_room === null ? '' : `  day room ${usd(record.daily_loss_room)}${signOf(record.daily_loss_used)}`,
    record.max_drawdown_room === null
      ? ''
      : `  drawdown room ${usd(record.max_drawdown_room)}${signOf(record.max_drawdown_used)}`,
    ...record.positions.map(
      ({
        symbol,
        side,
        size,
        mid,
        unrealized_pnl: pnl,
        stop_price: from,
        stop_limit_price: to,
        covered_size: covered,
      }) =>
        `  ${side} ${quantity(size)} ${symbol}${mid === null ? '' : ` mark ${quantity(mid)}`} ${signed(pnl)} stop ${stopText(from === null ? undefined : { from, to: to ?? undefined }, covered, size)}`,
    ),
    record.working_orders === 0 ? '' : `  orders ${record.working_orders}`,
    endedWords(record),
    record.lock === null ? '' : `  LOCKED ${lockText(record.lock)}`,
  ],
};

/** The sign of a warning, as on the screen. */
function signOf(used: number | null): string {
  const severity = severityOf(used ?? undefined);
  return severity === 0 ? '' : ` ${'!'.repeat(severity)}`;
}

function endedWords({ ended, status, balance }: StandingRecord): string {
  if (ended === null) return status === 'active' ? '' : `  ${status.toUpperCase()}`;
  const text = endingText({ ...ended, ended_at: ended.at, status, balance });
  return `  ${text}. Next: ${ended.next}`;
}

function signed(value: number | null): string {
  return value === null ? '-' : signedUsd(value);
}

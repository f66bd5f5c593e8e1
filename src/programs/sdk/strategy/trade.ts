import { randomUUID } from 'node:crypto';
import { parseDuration } from '../../../desk/values/times.ts';
import { ownError, type PerpError } from '../client/errors.ts';
import { isDate } from '../client/options.ts';
import { Actor } from './actor.ts';
import type { ClientSide } from './client-side.ts';
import type { Strategy } from './define-strategy.ts';
import { checkedStrategy } from './definition.ts';
import { LiveSide } from './live-side.ts';
import type { Running, RunResult, TradeOptions } from './results.ts';
import { checkTrade } from './run-options.ts';
import { type AccountNews, RunRecord } from './side.ts';
import { SimulatedSide } from './simulated-side.ts';

/** See `trade` of perp/strategy. */
export async function runTrade(strategy: Strategy, options: TradeOptions): Promise<RunResult> {
  const checked = checkedStrategy(strategy);
  checkTrade(options);
  const { client, simulation, account, signal } = options;
  if (simulation !== undefined) {
    const side = await SimulatedSide.open(simulation, account, checked);
    const until = endOf(options, side.now);
    if (until === undefined) throw missing('for', 'is required, because the clock of a simulation does not run');
    return await runOver(checked, side, { ...options, run: options.run ?? side.run, until });
  }
  if (client === undefined) throw missing('client', 'or a simulation says where the strategy trades');
  const side = await LiveSide.open(client, account, checked, signal);
  const run = options.run ?? `s${randomUUID().slice(0, 8)}`;
  return await runOver(checked, side, { ...options, run, until: endOf(options, side.now) });
}

function endOf({ for: duration }: TradeOptions, now: number): number | undefined {
  if (duration === undefined) return undefined;
  if (isDate(duration)) return duration.getTime();
  return now + (typeof duration === 'number' ? duration : parseDuration(duration, 'for'));
}

function missing(field: string, issue: string): PerpError {
  return ownError({ code: 'usage', message: "The strategy can't start:", issues: [{ field, issue }] });
}

/**
 * Runs a strategy over a client: one look after another; all its requests are answered before the next look. Rejects
 * with a StrategyError if the strategy fails, with a PerpError if the service does; either way it stops there, and
 * leaves orders and positions as they are. `until`: market time at which it ends, Unix ms; default: when the signal
 * aborts, or the account ends.
 */
async function runOver(
  strategy: Strategy,
  side: ClientSide,
  options: Running & { readonly until?: number | undefined },
): Promise<RunResult> {
  const { until = Number.POSITIVE_INFINITY, signal, seed = 1, run = 'run', parameters } = options;
  const record = new RunRecord(side.now, options.log);
  const actor = new Actor(strategy, {
    markets: side.markets,
    view: side,
    parameters,
    seed,
    run,
    log: (text, time) => record.logged(text, time),
  });
  const carryOutAll = async () => {
    for (let asked = actor.takeAsked(); asked.length > 0; asked = actor.takeAsked())
      actor.react(record.took(await side.carryOut(asked, actor)));
  };
  let looks = 0;
  const goOn = () => side.isActive && signal?.aborted !== true;
  try {
    actor.start(side.orders);
    await carryOutAll();
    while (goOn() && actor.next <= until) {
      const news: AccountNews = await side.advance(actor.next);
      looks += 1;
      // A strategy that was stopped while it waited gets its events, and its timers aren't due.
      if (signal?.aborted === true) actor.react(record.took(news));
      else actor.look(record.took(news));
      await carryOutAll();
    }
    if (goOn() && until > side.now && Number.isFinite(until)) actor.react(record.took(await side.advance(until)));
    actor.end();
    await carryOutAll();
    return record.result({ account: side.account(), end: side.now, looks });
  } finally {
    actor.close();
    side.close();
  }
}

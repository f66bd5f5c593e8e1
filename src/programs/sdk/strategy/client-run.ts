import { Actor } from './actor.ts';
import type { Strategy } from './define-strategy.ts';
import type { Running, RunResult } from './results.ts';
import { RunRecord } from './run-record.ts';
import type { News, Side } from './side.ts';

/** What a run over a client needs besides its strategy and its side. */
export interface ClientRunOptions extends Running {
  /** Market time at which it ends, Unix ms; default: when the signal aborts, or the account ends. */
  readonly until?: number | undefined;
}

/**
 * Runs a strategy over a client: one look after the other, with everything that it asks for answered before the next.
 * Rejects with a StrategyError if the strategy fails, with a PerpError if the service does; either way it stops there,
 * and leaves orders and positions as they are.
 */
export async function runOver(strategy: Strategy, side: Side, options: ClientRunOptions): Promise<RunResult> {
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
      const news: News = await side.advance(actor.next);
      looks += 1;
      // One that was stopped while it waited learns what happened, and its timers are not due.
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
    await side.close();
  }
}

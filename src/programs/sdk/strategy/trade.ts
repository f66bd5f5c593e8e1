import { randomUUID } from 'node:crypto';
import { parseDuration } from '../../../desk/values/times.ts';
import { ownError, type PerpError } from '../client/errors.ts';
import { isDate } from '../client/options.ts';
import { runOver } from './client-run.ts';
import type { Strategy } from './define-strategy.ts';
import { checkedStrategy } from './definition.ts';
import { LiveSide } from './live-side.ts';
import type { RunResult, TradeOptions } from './results.ts';
import { checkTrade } from './run-options.ts';
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

import { join } from 'node:path';
import { stateFolder } from '../../../base/files/folders.ts';
import { syntheticSource } from '../../../exchange/markets/synthetic/synthetic-source.ts';
import { checkOptions as checkSimulation } from '../../../service/simulation/options.ts';
import { perpErrorOf } from '../client/errors.ts';
import { isDate } from '../client/options.ts';
import { type Strategy, StrategyError } from './define-strategy.ts';
import { EngineRun } from './engine-run.ts';
import type { BacktestOptions, RunResult } from './results.ts';
import { checkBacktest } from './run-options.ts';
import { RunRecord } from './side.ts';

/** See `backtest` of perp/strategy. */
export async function runBacktest(strategy: Strategy, options: BacktestOptions): Promise<RunResult> {
  checkBacktest(options);
  const { seed = 1, plan, balance, thinkMs, parameters, run, signal } = options;
  try {
    checkSimulation({ stateDir: '', plan, startingBalance: balance });
  } catch (error) {
    throw perpErrorOf(error);
  }
  const markets = await marketsOf(options, seed);
  try {
    const from = momentOf(options.from) ?? markets.from;
    const to = momentOf(options.to) ?? markets.to;
    if (from === null || !Number.isSafeInteger(from)) throw badTime('from');
    if (to === null || !Number.isSafeInteger(to) || to < from) throw badTime('to');
    const record = new RunRecord(from, options.log);
    const engine = new EngineRun(strategy, {
      source: markets.source,
      start: from,
      seed,
      plan,
      parameters,
      run,
      thinkMs,
      startingBalance: balance,
      log: (text, time) => record.logged(text, time),
      onNews: (news) => record.took(news),
    });
    for (let next = from; next < to && engine.isActive && signal?.aborted !== true; ) {
      next = Math.min(to, next + pieceMs);
      engine.advance(next);
      if (next < to) await new Promise((resolve) => setImmediate(resolve));
    }
    engine.finish();
    return record.result({ account: engine.account(), end: engine.now, looks: engine.looks });
  } finally {
    markets.close();
  }
}

/** Market time after which other work of the process gets its turn. */
const pieceMs = 3_600_000;

async function marketsOf({ books }: BacktestOptions, seed: number) {
  if (books === undefined) return { source: syntheticSource({ seed }), from: null, to: null, close() {} };
  try {
    const { openBooks } = await import('../../../service/live/books.ts');
    const { source, firstTime, lastTime, close } = await openBooks(books, join(stateFolder(process.env), 'recordings'));
    return { source, from: firstTime, to: lastTime, close };
  } catch (error) {
    throw perpErrorOf(error);
  }
}

function momentOf(time: number | Date | undefined): number | undefined {
  return isDate(time) ? time.getTime() : time;
}

function badTime(field: 'from' | 'to'): StrategyError {
  const message = `${field} must be a time${field === 'to' ? ' at or after from' : ''}: the synthetic markets have no beginning and no end.`;
  return new StrategyError('definition', message, { field });
}

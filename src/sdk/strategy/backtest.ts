import { join } from 'node:path';
import { stateFolder } from '../../ground/files/folders.ts';
import { syntheticSource } from '../../markets/synthetic.ts';
import { perpErrorOf } from '../client/errors.ts';
import { EngineRun } from './engine-run.ts';
import { type Running, RunRecord, type RunResult } from './results.ts';
import { type Parameters, type Strategy, StrategyError } from './strategy.ts';

/** Where and how a strategy is tried. */
export interface BacktestOptions extends Running {
  /** A recording or tape. Default: the synthetic markets of `seed`. */
  readonly books?: string | undefined;
  /** First and last market time, Unix ms or a date. Default: the whole recording. The synthetic markets need both. */
  readonly from?: number | Date | undefined;
  readonly to?: number | Date | undefined;
  /** The challenge of the account. Default `select`. */
  readonly plan?: 'select' | 'prime' | 'none' | undefined;
  /** Starting balance, USD. Default 100,000. */
  readonly balance?: number | undefined;
  /** How long a decision takes, ms of market time: what it asks for reaches the exchange that much later. Default 0. */
  readonly thinkMs?: number | undefined;
}

/**
 * Runs a strategy straight on the exchange of the simulation, as fast as it can. The same strategy on the same markets
 * with the same parameters and seed gives the same result, here, in a Simulation and served. Rejects with a StrategyError
 * if the strategy fails, with a PerpError if the books can't be read.
 */
export async function backtest<P extends Parameters>(
  strategy: Strategy<P>,
  options: BacktestOptions = {},
): Promise<RunResult> {
  const { seed = 1, plan, balance, thinkMs, parameters, run, signal } = options;
  const markets = await marketsOf(options, seed);
  try {
    const from = momentOf(options.from) ?? markets.from;
    const to = momentOf(options.to) ?? markets.to;
    if (from === null || to === null || !(to >= from)) throw badTimes(from === null ? 'from' : 'to');
    const record = new RunRecord(from, options.log);
    const engine = new EngineRun(strategy as Strategy, {
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
      if (next < to) await letOthers();
    }
    engine.finish();
    return record.result({ account: engine.account, end: engine.time, looks: engine.looks });
  } finally {
    markets.close();
  }
}

/** Market time after which other work of the process gets its turn. */
const pieceMs = 3_600_000;

function letOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function marketsOf({ books }: BacktestOptions, seed: number) {
  if (books === undefined) return { source: syntheticSource({ seed }), from: null, to: null, close() {} };
  try {
    const { openBooks } = await import('../../service/live/books.ts');
    const { source, firstTime, lastTime, close } = await openBooks(books, join(stateFolder(process.env), 'recordings'));
    return { source, from: firstTime, to: lastTime, close };
  } catch (error) {
    throw perpErrorOf(error);
  }
}

function momentOf(time: number | Date | undefined): number | undefined {
  return time instanceof Date ? time.getTime() : time;
}

function badTimes(field: string): StrategyError {
  const message = `${field} is missing or before the start: the synthetic markets have neither beginning nor end.`;
  return new StrategyError('definition', message, { field });
}

import { asFailure } from './lab.ts';
import { scoreOf } from './returns.ts';
import type { Trial } from './trial.ts';
import { asFileError, TrialsFile } from './trials-file.ts';

/** One trial as a row, for programs and people. Money in USD, shares as fractions. */
function rowOf({ id, spec, result, hash, cpuMs }: Trial) {
  const { strategy, parameters, source, from, to, plan, seed, think, fold } = spec;
  const { status, problem, drawdown, trips, fees, carry, volume, account, counts } = result;
  const equity = result.equity.at(-1)!;
  return {
    id,
    strategy,
    parameters,
    source: source.kind === 'tape' ? source.name : `synthetic ${source.seed}`,
    ...{ from, to, plan, seed, think },
    fold: fold?.number ?? null,
    sample: fold?.sample ?? null,
    ...{ status, problem: problem === null ? null : `${problem.kind}: ${problem.message}` },
    equity,
    return: (equity - spec.balance) / spec.balance,
    sharpe: scoreOf('sharpe', spec, result),
    ...{ drawdown, trades: trips.length, fees, carry, volume },
    ...{ account: account.status, rule: account.rule },
    ...{ decisions: counts.decisions, requests: counts.requests, refusals: counts.refusals, fills: counts.fills },
    ...{ cpu_ms: cpuMs, hash },
  };
}

/** A row of `rowOf`. */
export type TrialRow = ReturnType<typeof rowOf>;

/** Every trial of a file, one at a time. Throws a Failure. */
export async function* trialRows(name: string): AsyncGenerator<TrialRow> {
  let file: TrialsFile | undefined;
  try {
    file = TrialsFile.open(name, { readOnly: true });
    for (const trial of file.trials()) yield rowOf(trial);
  } catch (error) {
    throw asFailure(asFileError(name, error));
  } finally {
    file?.close();
  }
}

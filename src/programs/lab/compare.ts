import { counted } from '../../base/text/format.ts';
import { type Comparison, comparison } from '../../desk/statistics/bootstrap.ts';
import { periodsPerYear } from '../../desk/statistics/sharpe.ts';
import { returnTable, type Variant } from './returns.ts';
import { percent, ratioText } from './verdict.ts';

type Better = 'first' | 'second' | null;

/** Fewer common periods say nothing. */
const leastPeriods = 20;

/**
 * Compares two variants over the periods in which both ran: the difference of the mean returns of a period and of the
 * Sharpe ratios a year, with 95 % intervals, and the better one, null if undecided. A sentence instead if they can't be
 * compared.
 */
export function compareVariants(first: Variant, second: Variant, names: readonly [string, string]) {
  const table = returnTable([first, second]);
  if (table.columns.length < 2) {
    const missing = table.variants.includes(first) ? names[1] : names[0];
    return `${missing} has no measured result: a trial of it failed, or its equity fell to zero or below.`;
  }
  const both = Array.from({ length: table.periods }, (_, at) => at).filter((at) =>
    table.runs.every((runs) => runs[at]! > 0),
  );
  if (both.length < leastPeriods)
    return `They ran together in only ${counted(both.length, 'period')}; ${leastPeriods} are needed.`;
  const [one, other] = table.columns.map((column) => Float64Array.from(both, (at) => column[at]!));
  if (one!.every((value, at) => value === other![at])) return 'Both did exactly the same.';
  const { mean, sharpe, draws, block } = comparison(one!, other!);
  const yearly = Math.sqrt(periodsPerYear(table.periodMs));
  const scaled = sharpe && { value: sharpe.value * yearly, low: sharpe.low * yearly, high: sharpe.high * yearly };
  const judged = scaled ?? mean;
  const better: Better = judged.low > 0 ? 'first' : judged.high < 0 ? 'second' : null;
  const figures = { mean, sharpe: scaled, periods: both.length, periodMs: table.periodMs, block, draws };
  return { ...figures, better, sentence: sentenceOf({ ...figures, better }, names) };
}

function sentenceOf(
  { mean, sharpe, better }: Pick<Comparison, 'mean' | 'sharpe'> & { better: Better },
  [first, second]: readonly [string, string],
): string {
  const turned = better === 'second' ? -1 : 1;
  const opening =
    better === null
      ? `It is unclear whether ${first} or ${second} is better`
      : `${better === 'first' ? first : second} is better than ${better === 'first' ? second : first}`;
  const { value, low, high } = sharpe ?? mean;
  const ends = turned > 0 ? [low, high] : [-high, -low];
  const text = (one: number) => (sharpe === null ? percent(one) : ratioText(one));
  const away = (one: number) => `${text(Math.abs(one))} ${one < 0 ? 'lower' : 'higher'}`;
  const what = sharpe === null ? 'mean return of a period' : 'Sharpe ratio a year';
  const whose = better === null ? `the ${what} of ${first}` : `its ${what}`;
  return `${opening}: ${whose} is ${away(turned * value)}, with a 95% interval from ${away(ends[0]!)} to ${away(ends[1]!)}.`;
}

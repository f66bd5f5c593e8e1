import { readFileSync } from 'node:fs';
import { usageFailure } from '../../../base/failure/failure.ts';
import { type PlanName, planRules } from '../../../base/terms/plans.ts';
import { counted, maybe } from '../../../base/text/format.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { journaled } from '../../../desk/history/journaled.ts';
import { type History, readHistory } from '../../../desk/history/read-history.ts';
import {
  type NotKnown,
  notKnownOf,
  pacedTo,
  problemOf,
  readRecord,
  readStanding,
  type Standing,
  startOf,
  tradesOf,
  usualDays,
  usualShare,
} from '../../../desk/history/read-odds.ts';
import { accountId, titleOf } from '../../../desk/resolve/account.ts';
import type { Size, Trade } from '../../../desk/statistics/fold.ts';
import { curveOf, oddsOf, type Question, sensitivityOf } from '../../../desk/statistics/odds.ts';
import { decimal, parseOrderSize } from '../../../desk/values/sizes.ts';
import { isUnicode } from '../../console/charts/glyphs.ts';
import type { Console } from '../../console/console.ts';
import { line, type Result, recordOf } from '../../console/output/result.ts';
import { type Asked, oddsBlocks, oddsRecord, unknownRecord } from './odds-view.ts';

interface Input {
  readonly plan: PlanName | 'own' | undefined;
  readonly from: string | undefined;
  readonly winRate: string | undefined;
  readonly reward: number | undefined;
  readonly risk: string | undefined;
  readonly maxFailure: string | undefined;
  readonly tradesPerDay: number | undefined;
  readonly days: number | undefined;
  readonly seed: number | undefined;
}

/** The trades, before an account is known. */
interface Given {
  readonly trades: readonly Trade[];
  readonly remarks: readonly string[];
  readonly share: number | null;
  readonly isSupposed: boolean;
}

const usualPace = 3;
const usualBalance = 100_000;
/** A winning rate has two decimals. */
const supposedTrades = 10_000;
const largestFile = 10_000_000;

/** Runs `perp odds`. */
export async function showOdds(console: Console, input: Input): Promise<Result> {
  const mostFailures = percentOf(input.maxFailure ?? '5%', '--max-failure', '5%');
  const size = maybe(input.risk, riskOf);
  const given = givenBy(input);
  const isAlone = given !== undefined && input.plan !== undefined && input.plan !== 'own';
  const account = isAlone ? undefined : await accountId(console);
  const history =
    account === undefined
      ? undefined
      : await console.person.during('Reading fills', () => readHistory(console, account));
  const record = given ?? (await recordOfAccount(console, history!));
  const trades = input.tradesPerDay === undefined ? record.trades : pacedTo(record.trades, input.tradesPerDay);
  const asked: Asked = {
    accountId: account ?? null,
    name: history === undefined ? null : titleOf(history.account),
    plan: input.plan ?? null,
    days: input.days ?? usualDays,
    mostFailures,
    isSupposed: record.isSupposed,
    remarks: record.remarks,
  };
  const whose = given === undefined ? 'Your record has' : 'The file has';
  const ended =
    input.plan === undefined ? notKnownOf(history!.account, console.settings.environment !== 'sim') : undefined;
  const problem = ended ?? (record.isSupposed ? undefined : problemOf(trades, whose));
  const standing = problem ?? (await standingOf(console, history, trades, asked));
  if ('reason' in standing)
    return recordOf(unknownRecord(asked, standing.reason, standing.next), () => [
      line({ text: 'The odds are not known.', tone: 'strong' }),
      line(standing.reason),
      line(`Next: ${standing.next}`),
    ]);
  const question: Question = {
    ...standing,
    record: trades,
    size: size ?? { fixed: 0, share: record.share ?? usualShare },
    seed: input.seed ?? 1,
    isIndependent: record.isSupposed,
  };
  const answer = {
    question,
    odds: oddsOf(question),
    curve: curveOf(question, mostFailures),
    changes: sensitivityOf(question),
  };
  const chosen = (share: number | null) =>
    share === null ? null : { share, odds: oddsOf({ ...question, size: { fixed: 0, share } }) };
  const choices = { most: chosen(answer.curve.most), largest: chosen(answer.curve.largest) };
  return recordOf(oddsRecord(asked, answer, choices), () =>
    oddsBlocks(asked, answer, choices, { width: console.io.columns, isUnicode: isUnicode(console.variables) }),
  );
}

/** The trades given by options; undefined: those in the journal. */
function givenBy({ from, winRate, reward, tradesPerDay = usualPace }: Input): Given | undefined {
  if (from !== undefined && (winRate !== undefined || reward !== undefined))
    throw usageFailure("--from and --win-rate can't be combined.", 'Give one of them.');
  if ((winRate === undefined) !== (reward === undefined))
    throw usageFailure('--win-rate and --reward must be used together.', 'Write --win-rate 45% --reward 1.8.');
  if (from !== undefined) {
    const { multiples, skipped } = readMultiples(from);
    const remarks = [
      ...(skipped === 0 ? [] : [`${counted(skipped, 'row')} without R left out.`]),
      'A list of R shows only closes, so losses inside winning trips are missed.',
    ];
    return { trades: tradesOf(multiples, tradesPerDay), remarks, share: null, isSupposed: false };
  }
  if (winRate === undefined) return undefined;
  const wins = Math.round(percentOf(winRate, '--win-rate') * supposedTrades);
  const multiples = Array.from({ length: supposedTrades }, (_, at) => (at < wins ? reward! : -1));
  const remarks = ['Assumed, not measured: the intervals cover only the random paths.'];
  return { trades: tradesOf(multiples, tradesPerDay), remarks, share: null, isSupposed: true };
}

async function recordOfAccount(console: Console, history: History): Promise<Given> {
  const journal = await journaled(console, history);
  const { trades, withoutRisk, older, share, approximations } = await console.person.during('Reading candles', () =>
    readRecord(console, history, journal),
  );
  const remarks = [
    ...(withoutRisk === 0
      ? []
      : [`${counted(withoutRisk, 'trip')} without a known 1R are given the usual one (perp journal one-r sets it).`]),
    ...(older === 0 ? [] : [`${counted(older, 'older trip')} left out.`]),
    ...history.approximations,
    ...approximations,
  ];
  return { trades, remarks, share, isSupposed: false };
}

async function standingOf(
  console: Console,
  history: History | undefined,
  trades: readonly Trade[],
  { plan, days }: Asked,
): Promise<Standing | NotKnown> {
  if (plan === null) return readStanding(console, history!, { trades }, days);
  const { account, to = console.machine.now() } = history ?? {};
  const { requirements } = account?.risk ?? {};
  const own = {
    profitTargetPct: requirements?.profit_target_pct ?? null,
    dailyLossPct: requirements?.daily_loss_pct ?? null,
    maxDrawdownPct: requirements?.max_drawdown_pct ?? null,
  };
  const rules = plan === 'own' ? own : planRules[plan];
  if (!rules.dailyLossPct && !rules.maxDrawdownPct)
    return {
      reason:
        plan === 'own'
          ? "The floors of the account's plan are unknown."
          : `Plan ${plan} has no floors, so nothing ends the account.`,
      next: 'perp odds --plan select starts from the beginning of a plan with floors.',
    };
  const balance = account?.starting_balance ?? usualBalance;
  return startOf(rules, { balance, time: to, days, minimumDays: requirements?.minimum_trading_days ?? 0 });
}

/** A percentage above 0 and below 100, as a share. */
function percentOf(text: string, label: string, like = '45%'): number {
  const number = /^(.+)%$/.exec(text)?.[1];
  if (number === undefined) throw usageFailure(`${label} is ${quoted(text)}, not a percentage.`, `Write ${like}.`);
  const value = decimal(number, label, `a percentage such as ${like}`, '%');
  if (value > 0 && value < 100) return value / 100;
  throw usageFailure(`${label} is ${text}; it must be above 0% and below 100%.`, `Write ${like}.`);
}

/** The size of a trade, as `perp order place risk:...` takes it. */
function riskOf(text: string): Size {
  const size = parseOrderSize(text.startsWith('risk:') ? text : `risk:${text}`, '--risk');
  if (size.unit === 'risk' && size.of === 'usd') return { fixed: size.amount, share: 0 };
  if (size.unit === 'risk' && size.of === 'equity') return { fixed: 0, share: size.amount / 100 };
  throw usageFailure(
    `--risk is ${text}, but a share of the room changes with every trade.`,
    'Write 0.5% of equity, or 200usd.',
  );
}

/** R from a CSV: its column `r`, or its only one. Rows without a value, such as open trips, are counted. */
export function readMultiples(file: string): { multiples: number[]; skipped: number } {
  const text = readText(file);
  const lines = text.split(/\r?\n/).map((one) => one.trim());
  const rows = lines.flatMap((one, at) => (one === '' ? [] : [{ cells: cellsOf(one), number: at + 1 }]));
  const header = rows[0]?.cells.map((one) => one.toLowerCase());
  const named = header?.indexOf('r') ?? -1;
  const hasHeader = named >= 0 || (header?.length === 1 && !/\d/.test(header[0]!) && !isWordOfNumber(header[0]!));
  const at = Math.max(0, named);
  if (named < 0 && (header?.length ?? 1) > 1)
    throw usageFailure(
      `${file} has ${header!.length} columns, and none is named r.`,
      'Write one R in each line, with a decimal point, or name the column r, as perp journal --all -o csv does.',
    );
  let skipped = 0;
  const multiples = rows.slice(hasHeader ? 1 : 0).flatMap(({ cells, number }) => {
    const columns = header!.length;
    if (cells.length !== columns)
      throw usageFailure(
        columns === 1
          ? `${file}, line ${number}: ${quoted(cells.join(','))} is not one number.`
          : `${file}, line ${number}, has ${cells.length} cells, but the first line has ${columns}.`,
        'Write decimals with a point: 1.5.',
      );
    const cell = cells[at]!;
    if (cell === '') {
      skipped += 1;
      return [];
    }
    return [decimal(cell, `${file}, line ${number},`, 'R such as 1.5 or -1')];
  });
  return { multiples, skipped };
}

function isWordOfNumber(text: string): boolean {
  return ['nan', 'inf', '-inf', 'infinity', '-infinity'].includes(text);
}

/** The cells of a line; quotes enclose commas. */
function cellsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(([, inQuotes, bare]) =>
    (inQuotes?.replaceAll('""', '"') ?? bare ?? '').trim(),
  );
}

function readText(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length <= largestFile) return text;
  } catch (error) {
    throw usageFailure(`${file} can't be read: ${(error as Error).message}`, '--from names a CSV file.');
  }
  throw usageFailure(`${file} is larger than ${largestFile / 1e6} MB.`, 'Give it fewer trades.');
}

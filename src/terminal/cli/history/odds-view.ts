import type { PlanName } from '../../../base/terms/plans.ts';
import { quantity, usd } from '../../../base/text/format.ts';
import type { Size } from '../../../desk/statistics/fold.ts';
import {
  type Chance,
  type Changed,
  type Curve,
  carried,
  confidence,
  fewPaths,
  type Odds,
  type Question,
  resultOf,
  widest,
} from '../../../desk/statistics/odds.ts';
import { lineChart } from '../../console/charts/line-chart.ts';
import { type Blocks, blank, type Cell, fields, line } from '../../console/output/result.ts';

/** The question, for every answer. */
export interface Asked {
  readonly accountId: string | null;
  readonly name: string | null;
  /** Null: from here. */
  readonly plan: PlanName | 'own' | null;
  readonly days: number;
  readonly mostFailures: number;
  readonly isSupposed: boolean;
  readonly remarks: readonly string[];
}

/** The findings. */
interface Answer {
  readonly question: Question;
  readonly odds: Odds;
  readonly curve: Curve;
  readonly changes: readonly Changed[];
}

/** A risk to choose, with its odds. */
interface Choice {
  readonly share: number;
  readonly odds: Odds;
}

/** The risks to choose from; null if there are none. */
type Choices = Readonly<Record<'most' | 'largest', Choice | null>>;

function askedRecord({ accountId, plan, days, mostFailures, isSupposed }: Asked) {
  return {
    account_id: accountId,
    from: plan === null ? 'here' : 'plan',
    plan,
    days,
    max_failure: mostFailures,
    supposed: isSupposed,
  };
}

/** The JSON if odds can't be known. */
export function unknownRecord(asked: Asked, reason: string, next: string) {
  return { ...askedRecord(asked), status: 'unknown', reason, next, odds: null, remarks: asked.remarks };
}

/** A chance as JSON, with the digits that its interval supports. */
export function chanceRecord(chance: Chance) {
  const { value, low, high } = carried(chance);
  return {
    value,
    low,
    high,
    paths: chance.count,
    of: chance.of,
    simulation_error: Number(chance.error.toPrecision(2)),
  };
}

/** A size as `perp order place` takes it. */
function riskText({ fixed, share }: Size): string {
  return fixed > 0 ? `risk:${quantity(fixed)}usd` : `risk:${quantity(Number((share * 100).toPrecision(3)))}%`;
}

function choiceRecord({ share, odds }: Choice) {
  return {
    risk: riskText({ fixed: 0, share }),
    passed: chanceRecord(odds.ends.passed),
    failed: chanceRecord(odds.failed),
  };
}

/** The JSON of odds. A chance has no more digits than its interval supports; null if the record is too short. */
export function oddsRecord(asked: Asked, { question, odds, curve, changes }: Answer, choices: Choices) {
  const { record, size } = question;
  return {
    ...askedRecord(asked),
    status: carried(odds.ends.passed).value === null ? 'too_short' : 'known',
    odds: {
      passed: chanceRecord(odds.ends.passed),
      failed: chanceRecord(odds.failed),
      daily_loss: chanceRecord(odds.ends['daily-loss']),
      maximum_drawdown: chanceRecord(odds.ends['maximum-drawdown']),
      undecided: chanceRecord(odds.ends.undecided),
      next_trade_fails: chanceRecord(odds.nextTrade),
    },
    days_to_pass: odds.days,
    risk: riskText(size),
    passes_most: choices.most && choiceRecord(choices.most),
    largest_risk: choices.largest && choiceRecord(choices.largest),
    curve: curve.points.map(({ share, passed, failed }) => ({
      risk: riskText({ fixed: 0, share }),
      passed: hundredths(passed),
      failed: hundredths(failed),
    })),
    sensitivity: changes.map(({ passed, ...change }) => ({ ...change, passed: hundredths(passed) })),
    few_paths: fewPaths,
    record: {
      trades: asked.isSupposed ? null : record.length,
      won: asked.isSupposed ? null : record.filter((one) => resultOf(one) > 0).length,
      block: odds.block,
      resamples: odds.resamples,
      confidence,
    },
    remarks: asked.remarks,
  };
}

/** A few paths carry two digits. */
function hundredths(share: number): number {
  return Math.round(share * 100) / 100;
}

const tooShort = `The record is too short: the interval is wider than ${widest * 100} points.`;

/** The text of `perp odds`; it fits a terminal of 80 columns and 24 rows. */
export function oddsBlocks(
  asked: Asked,
  { question, odds, curve, changes }: Answer,
  choices: Choices,
  layout: { width: number; isUnicode: boolean },
): Blocks {
  const { record, size, rules } = question;
  const { passed } = odds.ends;
  const isShort = carried(passed).value === null;
  const basis = asked.isSupposed ? 'supposed trades' : `${record.length} trades`;
  const start = asked.plan === 'own' ? 'from the start' : `from the start of plan ${asked.plan}`;
  const place = asked.plan === null ? 'from here' : start;
  return [
    line(
      { text: asked.name ?? 'Odds', tone: 'strong' },
      `  ${place}, ${riskText(size)} a trade, ${basis}, at most ${asked.days} days`,
    ),
    isShort ? line({ text: tooShort, tone: 'warn' }) : undefined,
    fields(
      ['passes', rules.target === null ? 'the plan has no target' : chanceCell(passed)],
      ['fails', chanceCell(odds.failed)],
      ['  daily loss', rules.dailyLoss === null ? undefined : chanceCell(odds.ends['daily-loss'])],
      ['  drawdown', rules.drawdownFloor === null ? undefined : chanceCell(odds.ends['maximum-drawdown'])],
      ['undecided', chanceCell(odds.ends.undecided)],
      ['next trade fails', chanceCell(odds.nextTrade)],
      [
        'days to pass',
        odds.days === null
          ? 'none of the paths passed'
          : `${odds.days.median} median of passing paths; ${odds.days.low} to ${odds.days.high} for 80%`,
      ],
      ['passes most', choiceText(choices.most, 'no tested risk passes')],
      [
        `fails <= ${percent(asked.mostFailures, 1)}`,
        choiceText(choices.largest, `even ${riskText({ fixed: 0, share: curve.points[0]!.share })} fails more often`),
      ],
      rules.target === null ? undefined : ['if instead', changesText(changes)],
    ),
    rules.target === null ? undefined : chartBlocks(curve, layout),
    line({ text: noteOf(odds), tone: 'faint' }),
    asked.remarks.map((text) => line({ text, tone: 'faint' })),
  ];
}

/** The basis of the figures. */
function noteOf({ ends, resamples, block }: Odds): string {
  const error = Math.max(0.001, ends.passed.error) * 100;
  const alone = `Of the paths alone: ${error.toFixed(1)} points either way`;
  if (resamples === 0) return `${alone}.`;
  return `90% intervals: record resampled ${resamples} times, blocks of ${block}. ${alone}.`;
}

/** `about 60%, between 47% and 74%`. */
export function chanceText(chance: Chance): string {
  const { count, of } = chance;
  const { value, low, high, unit } = carried(chance);
  const bounds = `between ${boundText(low)} and ${boundText(high)}`;
  if (count === of || count === 0)
    return `${count === 0 ? 'none' : 'all'} of the ${quantity(of)} paths drawn; ${bounds}`;
  if (value === null) return `not known; ${bounds}`;
  return `${valueText(value, unit)}, ${bounds}`;
}

function chanceCell(chance: Chance): Cell {
  return carried(chance).value === null ? { text: chanceText(chance), tone: 'warn' } : chanceText(chance);
}

/** Never 0% or 100%: paths differ. */
function valueText(value: number, unit: number): string {
  const digits = unit < 0.01 ? 0.1 : 1;
  if (value < unit) return `under ${percent(unit, digits)}`;
  if (value > 1 - unit) return `over ${percent(1 - unit, digits)}`;
  return `${unit > 0.01 ? 'about ' : ''}${percent(value, digits)}`;
}

/** A bound is rounded outward, so 0 and 100 mean that nothing is excluded. */
function boundText(bound: number): string {
  return `${quantity(Number((bound * 100).toFixed(1)))}%`;
}

function percent(share: number, unit: number): string {
  return `${quantity(Number((share * 100).toFixed(unit < 1 ? 1 : 0)))}%`;
}

function choiceText(choice: Choice | null, none: string): string {
  if (choice === null) return none;
  return `${riskText({ fixed: 0, share: choice.share })}: passes ${shortText(choice.odds.ends.passed)}, fails ${shortText(choice.odds.failed)}`;
}

function shortText(chance: Chance): string {
  const { low, high } = carried(chance);
  return `${boundText(low)} to ${boundText(high)}`;
}

function changesText(changes: readonly Changed[]): string {
  const of = (change: Changed['change']) =>
    changes.flatMap((one) => (one.change === change ? percent(Math.round(one.passed * 20) / 20, 1) : [])).join('/');
  return `win rate -5/+5 points ${of('win rate')}, reward -10/+10% ${of('reward')}, pace half/twice ${of('trades a day')}`;
}

const chartRows = 5;

/** The chance to pass by the risk of a trade. */
function chartBlocks({ points }: Curve, { width, isUnicode }: { width: number; isUnicode: boolean }): Blocks {
  const samples = points.map(({ passed }, at) => ({ time: at, value: passed }));
  const rows = lineChart(samples, {
    width: Math.min(80, Number.isFinite(width) ? width : 80),
    height: chartRows,
    isUnicode,
    label: (value) => percent(value, 1),
    places: (at) => `${quantity(points[at]!.share * 100)}%`,
  });
  if (rows.length === 0) return [];
  return [
    blank,
    rows.map((row) => line(...row)),
    line({ text: `passes, by risk a trade (${usd(fewPaths).replace('.00', '')} paths each)`, tone: 'faint' }),
  ];
}

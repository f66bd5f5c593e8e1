import { createHash } from 'node:crypto';
import { Failure, usageFailure } from '../../base/failure/failure.ts';

/** The figures that a criterion may use, and whether each is a percentage. */
const isShareOf = {
  sharpe: false,
  return: true,
  drawdown: true,
  trips: false,
  breaches: false,
  failed: false,
  luck: true,
  dsr: false,
  pbo: false,
} as const;

/** A figure that a criterion names. */
type Figure = keyof typeof isShareOf;

type Sign = '>=' | '<=' | '>' | '<';

/** One criterion: a figure of the result, and the bound that it must keep. Shares are fractions. */
interface Criterion {
  readonly figure: Figure;
  readonly sign: Sign;
  readonly bound: number;
  /** As written, in its shortest form: `drawdown <= 5%`. */
  readonly text: string;
}

/** Criteria as they are sealed. */
export interface Criteria {
  readonly list: readonly Criterion[];
  /** Their lines, without comments and insignificant spaces. */
  readonly text: string;
  /** SHA-256 of `text`, in hex. */
  readonly hash: string;
}

/**
 * Reads a file of criteria: a figure, a sign and a number in each line, such as `sharpe >= 1.5` or `drawdown <= 5%`.
 * `#` begins a comment. Throws a Failure that names the line.
 */
export function parseCriteria(text: string): Criteria {
  const list: Criterion[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.split('#')[0]!.trim();
    if (line !== '') list.push(criterionOf(line, at + 1));
  }
  if (list.length === 0) throw usageFailure('The file has no criteria. Write one per line: sharpe >= 1.5');
  const canonical = list.map((criterion) => criterion.text).join('\n');
  return { list, text: canonical, hash: createHash('sha256').update(canonical).digest('hex') };
}

function criterionOf(line: string, number: number): Criterion {
  const wrong = (why: string) => usageFailure(`Line ${number} of the criteria: ${why}`);
  const at = line.search(/[<>]/);
  if (at < 0) throw wrong(`${JSON.stringify(line.slice(0, 60))} has no comparison. Write: sharpe >= 1.5`);
  const figure = line.slice(0, at).trim().toLowerCase();
  if (!Object.hasOwn(isShareOf, figure))
    throw wrong(`no figure ${JSON.stringify(figure.slice(0, 60))}. Figures: ${Object.keys(isShareOf).join(', ')}.`);
  const sign = (line[at + 1] === '=' ? line.slice(at, at + 2) : line[at]!) as Sign;
  const written = line.slice(at + sign.length).trim();
  const isPercent = written.endsWith('%');
  const digits = isPercent ? written.slice(0, -1).trim() : written;
  const value = digits === '' ? Number.NaN : Number(digits);
  if (!Number.isFinite(value)) throw wrong(`${JSON.stringify(written.slice(0, 60))} is not a number.`);
  const isShare = isShareOf[figure as Figure];
  if (isPercent && !isShare) throw wrong(`${figure} is not a percentage. Write: ${figure} ${sign} ${value}`);
  if (!isPercent && isShare && value !== 0)
    throw wrong(`${figure} is a percentage. Write: ${figure} ${sign} ${value}%`);
  const text = `${figure} ${sign} ${value}${isShare ? '%' : ''}`;
  return { figure: figure as Figure, sign, bound: isShare ? value / 100 : value, text };
}

/** The known figures of a result. */
export type Figures = Readonly<Record<Figure, number | null>>;

/** A result's standing against one criterion; null: its figure is unknown, so it isn't met. */
export interface Judged {
  readonly criterion: Criterion;
  readonly value: number | null;
  readonly isMet: boolean;
}

/** Compares figures with every criterion; an unknown figure meets none. */
export function judge({ list }: Criteria, known: Figures): Judged[] {
  return list.map((criterion) => {
    const value = known[criterion.figure];
    return { criterion, value, isMet: value !== null && keeps(value, criterion) };
  });
}

function keeps(value: number, { sign, bound }: Criterion): boolean {
  if (sign === '>=') return value >= bound;
  if (sign === '<=') return value <= bound;
  return sign === '>' ? value > bound : value < bound;
}

/** The place where criteria are sealed: a trials file. */
export interface SealedIn {
  /** How many trials it has. */
  readonly count: number;
  facts(kind: string): Map<string, unknown>;
  setFact(kind: string, name: string, value: unknown): void;
}

/** Criteria as a trials file has them. */
export interface SealedCriteria {
  readonly criteria: Criteria;
  /** The number of trials when they were sealed: if not 0, they were chosen with results at hand. */
  readonly afterTrials: number;
  readonly sealedAt: number;
}

const kind = 'criteria';

/** Seals criteria in a trials file, with the current number of its trials. Throws a Failure if it has others. */
export function sealCriteria(file: SealedIn, criteria: Criteria, now: number): SealedCriteria {
  const known = sealedCriteria(file);
  const same = known.find(({ criteria: { hash } }) => hash === criteria.hash);
  if (same !== undefined) return same;
  if (known.length > 0) {
    const list = known[0]!.criteria.list.map(({ text }) => text).join(', ');
    throw usageFailure(`Other criteria are sealed in this file: ${list}. Changed ones need a new trials file.`);
  }
  const sealed = { text: criteria.text, afterTrials: file.count, sealedAt: now };
  file.setFact(kind, criteria.hash, sealed);
  return { criteria, afterTrials: sealed.afterTrials, sealedAt: now };
}

/** The criteria of a file, those sealed after the fewest trials first; more than one only if files were merged. */
export function sealedCriteria(file: Pick<SealedIn, 'facts'>): SealedCriteria[] {
  const found: SealedCriteria[] = [];
  for (const [hash, value] of file.facts(kind)) {
    const { text, afterTrials, sealedAt } = value as { text: string; afterTrials: number; sealedAt: number };
    const criteria = readable(text);
    // A record changed by hand isn't a seal.
    if (criteria?.hash === hash) found.push({ criteria, afterTrials, sealedAt });
  }
  return found.sort((one, other) => one.afterTrials - other.afterTrials || one.sealedAt - other.sealedAt);
}

function readable(text: string): Criteria | undefined {
  try {
    return parseCriteria(text);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** What to know about the seal before believing a verdict, in a sentence; undefined if there is nothing. */
export function sealRemark(sealed: readonly SealedCriteria[]): string | undefined {
  const [first, ...others] = sealed;
  if (first === undefined) return undefined;
  const last = others.at(-1);
  if (last !== undefined)
    return `Criteria changed after ${last.afterTrials} trials: files with different ones were merged, and the first sealed ones apply.`;
  if (first.afterTrials > 0)
    return `Criteria sealed after ${first.afterTrials} trials, when results were already known.`;
  return undefined;
}

import { createHash } from 'node:crypto';

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
  /** As written, without what does not matter: `drawdown <= 5%`. */
  readonly text: string;
}

/** Criteria as they are sealed. */
export interface Criteria {
  readonly list: readonly Criterion[];
  /** Their lines, without comments and spaces that don't matter. */
  readonly text: string;
  /** SHA-256 of `text`, in hex. */
  readonly hash: string;
}

/** Criteria that can't be read: which line, and why. */
export class CriteriaError extends Error {
  override readonly name = 'CriteriaError';
}

/**
 * Reads a file of criteria: a figure, a sign and a number in each line, such as `sharpe >= 1.5` or `drawdown <= 5%`.
 * `#` begins a comment. Throws a CriteriaError that names the line.
 */
export function parseCriteria(text: string): Criteria {
  const list: Criterion[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.split('#')[0]!.trim();
    if (line !== '') list.push(criterionOf(line, at + 1));
  }
  if (list.length === 0) throw new CriteriaError('The file has no criteria. Write one per line: sharpe >= 1.5');
  const canonical = list.map((criterion) => criterion.text).join('\n');
  return { list, text: canonical, hash: createHash('sha256').update(canonical).digest('hex') };
}

function criterionOf(line: string, number: number): Criterion {
  const wrong = (why: string) => new CriteriaError(`Line ${number} of the criteria: ${why}`);
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

/** The figures of a result, as far as they are known. */
export type Figures = Readonly<Record<Figure, number | null>>;

/** How a result stands against one criterion; null: its figure is not known, so it is not met. */
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

import { usageFailure } from '../../base/failure/failure.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { type Price, parsePrice } from './prices.ts';
import { belowAll, decimal, positive } from './sizes.ts';

/** A share of a position, exact: 1/3, or 33% as 33/100. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** A target: this share of the position is closed at this price. */
export interface PlannedTarget {
  /** Undefined: the remainder after the earlier targets. */
  readonly share: Share | undefined;
  readonly price: Price;
  /** As typed. */
  readonly text: string;
}

/** The distance of a stop behind the best price: a percentage of it, or a price distance. */
export interface TrailBy {
  readonly unit: 'percent' | 'absolute';
  readonly amount: number;
}

/** An exit plan of a position: targets, and the moves of its stop while a guard runs. */
export interface ExitPlan {
  readonly targets: readonly PlannedTarget[];
  /** Once the first target has filled, the stop goes to the entry. */
  readonly breakEven: boolean;
  /** Once every target has filled, the stop of the rest follows the price. */
  readonly trail: TrailBy | undefined;
  /** The plan in its usual form. It has the same meaning when typed. */
  readonly text: string;
}

const example = '1/3@1R 1/3@2R rest trail 1%';
/** More than a position has exits. */
const mostTargets = 10;

/**
 * Parses a plan: targets `1/3@1R`, `25%@105000`, `rest@3R`, in the order in which the price reaches them; `be`: after
 * the first of them, the stop goes to the entry; `rest trail 1%` (or a distance in price): after all of them, it
 * follows the price.
 */
export function parseExitPlan(text: string, label: string): ExitPlan {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const targets: PlannedTarget[] = [];
  let breakEven = false;
  let trail: TrailBy | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const field = `Part ${at + 1} of ${label}`;
    if (trail !== undefined)
      throw usageFailure(`${field} is ${quoted(word)}, but the trail must come last.`, `Write ${example}.`);
    if (/^be$/i.test(word)) {
      if (breakEven) throw usageFailure(`${field} repeats be.`, 'Write be only once.');
      breakEven = true;
    } else if (/^rest$/i.test(word) && /^trail$/i.test(words[at + 1] ?? '')) {
      trail = parseTrail(words[at + 2], `The trail of ${label}`);
      at += 2;
    } else targets.push(parseTarget(word, field));
  }
  checkTargets(targets, { breakEven, trail }, label);
  return { targets, breakEven, trail, text: textOf({ targets, breakEven, trail }) };
}

function parseTarget(word: string, field: string): PlannedTarget {
  const at = word.indexOf('@');
  if (at < 1 || at === word.length - 1)
    throw usageFailure(
      `${field} is ${quoted(word)}, not a target, be or rest trail.`,
      `Write a plan such as ${example}.`,
    );
  const share = parseShare(word.slice(0, at), `The share in ${field.toLowerCase()}`);
  const price = parsePrice(word.slice(at + 1), `The price in ${field.toLowerCase()}`, {
    unsigned: true,
    also: ' or 2R',
  });
  return { share, price, text: share === undefined ? `rest${word.slice(at)}` : word };
}

/** `1/3`, `25%`, or `rest`. */
function parseShare(text: string, field: string): Share | undefined {
  if (/^rest$/i.test(text)) return undefined;
  const like = 'a share such as 1/3, 25% or rest';
  const fraction = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const share =
    fraction === null ? percentage(text, field, like) : { part: Number(fraction[1]), of: Number(fraction[2]) };
  if (share.part === 0 || share.of === 0 || share.part > share.of)
    throw usageFailure(`${field} is ${quoted(text)}; it must be above zero and at most all.`, `Write ${like}.`);
  return share;
}

function percentage(text: string, field: string, like: string): Share {
  if (!text.endsWith('%')) throw usageFailure(`${field} is ${quoted(text)}, not a share.`, `Write ${like}.`);
  const number = text.slice(0, -1);
  decimal(number, field, like, '%');
  const [, whole = '', rest = ''] = /^\+?(\d{0,3})(?:\.(\d{0,4}))?$/.exec(number) ?? [];
  if (whole + rest === '')
    throw usageFailure(`${field} is ${quoted(text)}; it has at most four decimals.`, `Write ${like}.`);
  return { part: Number(`${whole}${rest}`), of: 100 * 10 ** rest.length };
}

function parseTrail(text: string | undefined, field: string): TrailBy {
  const like = '1%, or a distance in price such as 200';
  if (text === undefined) throw usageFailure(`${field} is missing.`, `Write rest trail ${like}.`);
  if (!text.endsWith('%')) return { unit: 'absolute', amount: positive(text, field, like) };
  const amount = belowAll(positive(text.slice(0, -1), field, like, '%'), text, field, `Write ${like}.`);
  return { unit: 'percent', amount };
}

function checkTargets(
  targets: readonly PlannedTarget[],
  { breakEven, trail }: Pick<ExitPlan, 'breakEven' | 'trail'>,
  label: string,
): void {
  if (targets.length === 0 && trail === undefined)
    throw usageFailure(`${label} has no target and no trail.`, `Write a plan such as ${example}.`);
  if (targets.length > mostTargets)
    throw usageFailure(`${label} has ${targets.length} targets; the maximum is ${mostTargets}.`);
  if (breakEven && targets.length === 0)
    throw usageFailure(`${label} has be, but no target.`, 'be follows the first target.');
  const rest = targets.findIndex(({ share }) => share === undefined);
  if (rest >= 0 && rest < targets.length - 1)
    throw usageFailure(`${label} has a target after rest, which leaves nothing for it.`, 'Write rest last.');
  const [part, of] = sumOf(targets.flatMap(({ share }) => share ?? []));
  if (part > of) throw usageFailure(`The shares of ${label} exceed the position.`, 'They may add up to at most 1.');
  if (part === of && (rest >= 0 || trail !== undefined))
    throw usageFailure(`The shares of ${label} leave no rest.`, 'Make them smaller, or omit rest.');
  if (rest >= 0 && trail !== undefined) throw usageFailure(`${label} has two parts for the rest.`, 'Keep one of them.');
}

/** The exact sum of shares as a fraction. */
export function sumOf(shares: readonly Share[]): readonly [part: bigint, of: bigint] {
  return shares.reduce<readonly [bigint, bigint]>(
    ([sum, all], { part, of }) => [sum * BigInt(of) + BigInt(part) * all, all * BigInt(of)],
    [0n, 1n],
  );
}

function textOf({ targets, breakEven, trail }: Omit<ExitPlan, 'text'>): string {
  return [
    ...targets.map(({ text }) => text),
    ...(breakEven ? ['be'] : []),
    ...(trail === undefined ? [] : [`rest trail ${trailText(trail)}`]),
  ].join(' ');
}

/** `1%`, or a distance in price. */
export function trailText({ unit, amount }: TrailBy): string {
  return `${amount}${unit === 'percent' ? '%' : ''}`;
}

/**
 * The lots of each target of a position, in order: shares are rounded down, and the remainder goes to the last one if
 * it takes the rest, or if the shares are the whole position.
 */
export function lotsOfTargets(targets: readonly PlannedTarget[], lots: number): number[] {
  const shares = targets.map(({ share }) => share);
  const [part, of] = sumOf(shares.flatMap((share) => share ?? []));
  const takesAll = shares.at(-1) === undefined || part === of;
  let left = lots;
  return shares.map((share, at) => {
    const isLast = at === shares.length - 1;
    const own = isLast && takesAll ? left : Number((BigInt(lots) * BigInt(share!.part)) / BigInt(share!.of));
    left -= own;
    return own;
  });
}

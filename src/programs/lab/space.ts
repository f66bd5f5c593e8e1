import { usageFailure } from '../../base/failure/failure.ts';
import { draw } from '../../exchange/engine/random.ts';
import type { ParameterValue } from './trial.ts';

/** Values of parameters by name. */
export type Point = Readonly<Record<string, ParameterValue>>;

/** The values that one parameter takes: a list, or anything between two bounds. */
type Range =
  | { readonly name: string; readonly values: readonly ParameterValue[] }
  | { readonly name: string; readonly low: number; readonly high: number; readonly isWhole: boolean };

const mostPoints = 1_000_000;
/** Digits of a number drawn between two bounds. */
const drawnDigits = 6;
const number = /^-?\d{1,15}(?:\.\d{1,10})?(?:e-?\d{1,2})?$/i;

/**
 * Reads `fast=5..50:5`, `slow=20,50,100`, `mode=a,b` or `fast=5..50`. `defaults` are the strategy's parameters, which
 * decide names and types. Throws a Failure.
 */
export function parseRange(text: string, defaults: Point): Range {
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure(`--set ${text} must be NAME=VALUES, such as fast=5..50:5.`);
  const [name, values] = [text.slice(0, at), text.slice(at + 1)];
  if (!Object.hasOwn(defaults, name)) {
    const names = Object.keys(defaults);
    const known = names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
    throw usageFailure(`The strategy has no parameter ${name}. ${known}`);
  }
  const usual = defaults[name]!;
  const ends = endsIn(values);
  if (typeof usual === 'number' && ends !== null) return between(name, ends.low, ends.high, ends.step, usual);
  const listed = values.split(',').map((value) => parsedValue(name, value, usual));
  return { name, values: [...new Set(listed)] };
}

/** The parts of `5..50:5`; null for anything else. */
function endsIn(values: string): { low: string; high: string; step: string | undefined } | null {
  const [span = '', step, ...others] = values.split(':');
  const [low = '', high, ...more] = span.split('..');
  if (high === undefined || others.length > 0 || more.length > 0) return null;
  const parts = step === undefined ? [low, high] : [low, high, step];
  return parts.every((part) => /^[\d.e-]+$/i.test(part)) ? { low, high, step } : null;
}

/** Every combination of the ranges, in their order; the last one changes fastest. Throws a Failure. */
export function grid(ranges: readonly Range[]): Point[] {
  let points: Record<string, ParameterValue>[] = [{}];
  for (const range of ranges) {
    if (!('values' in range)) {
      const step = range.isWhole ? '1' : String((range.high - range.low) / 10);
      const example = `--set ${range.name}=${range.low}..${range.high}:${step}`;
      throw usageFailure(`A grid needs the step of ${range.name}, such as ${example}; or draw points with --sample.`);
    }
    if (points.length * range.values.length > mostPoints)
      throw usageFailure(
        `The grid has more than ${mostPoints.toLocaleString('en-US')} points; draw some with --sample.`,
      );
    points = points.flatMap((point) => range.values.map((value) => ({ ...point, [range.name]: value })));
  }
  return points;
}

/** Different points of the ranges, drawn by a seed; fewer if there aren't that many. */
export function sample(ranges: readonly Range[], count: number, seed: number): Point[] {
  const points = new Map<string, Point>();
  const all = ranges.map(sizeOf).reduce((product, size) => product * size, 1);
  const most = Math.min(count, all);
  // In a small space, the last points are drawn rarely.
  for (let tried = 0; points.size < most && tried < most * 20 + 1000; tried += 1) {
    const point: Record<string, ParameterValue> = {};
    for (const range of ranges) point[range.name] = drawn(range, draw(seed, range.name, String(tried)));
    points.set(JSON.stringify(point), point);
  }
  return [...points.values()];
}

/** The number of values of a range. */
function sizeOf(range: Range): number {
  if ('values' in range) return range.values.length;
  return range.isWhole ? range.high - range.low + 1 : Number.POSITIVE_INFINITY;
}

function drawn(range: Range, at: number): ParameterValue {
  if ('values' in range) return range.values[Math.floor(at * range.values.length)]!;
  const { low, high, isWhole } = range;
  if (isWhole) return low + Math.floor(at * (high - low + 1));
  return Number((low + at * (high - low)).toPrecision(drawnDigits));
}

function between(name: string, low: string, high: string, step: string | undefined, usual: number): Range {
  const [from, to] = [low, high].map((text) => parsedValue(name, text, usual) as number) as [number, number];
  if (from > to) throw usageFailure(`--set ${name}=${low}..${high} goes backwards.`);
  if (step === undefined) {
    return { name, low: from, high: to, isWhole: [from, to, usual].every(Number.isInteger) };
  }
  const by = parsedValue(name, step, usual) as number;
  const count = Math.floor((to - from) / by + 1e-9) + 1;
  if (!(by > 0)) throw usageFailure(`The step of ${name} must be above zero.`);
  if (count > mostPoints)
    throw usageFailure(`--set ${name} has more than ${mostPoints.toLocaleString('en-US')} values.`);
  // Decimal steps stay decimal: 0.1, 0.2, 0.3.
  const digits = Math.max(...[low, step].map(decimalsOf));
  return { name, values: Array.from({ length: count }, (_, at) => Number((from + at * by).toFixed(digits))) };
}

function decimalsOf(text: string): number {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  return Math.min(20, Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent)));
}

function parsedValue(name: string, text: string, usual: ParameterValue): ParameterValue {
  if (typeof usual === 'string') return text;
  if (typeof usual === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw usageFailure(`The parameter ${name} is true or false, not ${JSON.stringify(text)}.`);
  }
  if (!number.test(text)) throw usageFailure(`The parameter ${name} is a number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

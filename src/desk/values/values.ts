import { usageFailure } from '../../base/failure/failure.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import { parsePrice } from './prices.ts';
import { decimal, notNegative, parseOrderSize, parseSize, positive } from './sizes.ts';
import { durationMeant, durationOf, parseDuration, parsePastTime, parseTime } from './times.ts';

/** What a value of each kind on the command line is once it is parsed; the kind also determines its completion. */
export type ValueKinds = { [K in TextKind]: string } & { [K in keyof typeof parsers]: ReturnType<(typeof parsers)[K]> };

/** The name of a kind of value. */
export type ValueKind = keyof ValueKinds;

/** The allowed values of an argument or option. */
export interface ValueSpec {
  readonly summary: string;
  readonly kind?: ValueKind;
  readonly choices?: readonly string[];
  /** Maximum of a `count`, `amount` or `gap`. */
  readonly maximum?: number;
}

/** Parses one value by its choices or kind. */
export function oneValue(spec: ValueSpec, text: string, label: string): unknown {
  if (spec.choices === undefined) return parseValue(spec.kind ?? 'text', text, label, { maximum: spec.maximum });
  // 1M is a month, 1m a minute.
  for (const written of [text, text.toLowerCase()]) if (spec.choices.includes(written)) return written;
  const near = choiceMeant(text, spec.choices);
  throw usageFailure(
    `${label} is ${quoted(text)}; allowed: ${spec.choices.join(', ')}.`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
}

/** Other words for the values of options. */
const synonyms: Readonly<Record<string, string>> = {
  long: 'buy',
  short: 'sell',
  bid: 'buy',
  production: 'live',
  prod: 'live',
  test: 'sandbox',
  paper: 'sim',
};

/** The choice that a wrong word means: an equal or similar length of time; a synonym; its only completion; a typo. */
function choiceMeant(text: string, choices: readonly string[]): string | undefined {
  const wanted = durationOf(text) ?? durationOf(durationMeant(text));
  const known = choices.flatMap((choice) => {
    const ms = durationOf(choice);
    return ms === undefined ? [] : [{ choice, away: Math.abs(Math.log(ms / (wanted ?? ms))) }];
  });
  if (wanted !== undefined && known.length > 0)
    return known.reduce((best, one) => (one.away < best.away ? one : best)).choice;
  const word = text.toLowerCase();
  const synonym = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
  if (synonym !== undefined && choices.includes(synonym)) return synonym;
  // A list of durations with a number in it isn't a list of durations.
  if (known.length > 0 && /\d[a-z]/i.test(text)) return undefined;
  const begun = choices.filter((choice) => choice.startsWith(word));
  return nearest(text, choices) ?? (begun.length === 1 ? begun[0] : undefined);
}

interface Limits {
  maximum?: number | undefined;
}

/** Kinds whose text is used unchanged; the words of another program's command line may also be empty. */
const textKinds = [
  'text',
  // Market id, coin or symbol.
  'market',
  'account',
  // Order id or client order id.
  'order',
  // Position id, or the market it is in.
  'position',
  'twap',
  'scaled',
  'group',
  'configKey',
  // Name of a simulation.
  'state',
  'profile',
  // ORDER=PRICE.
  'exitMove',
  'file',
  'word',
] as const;
type TextKind = (typeof textKinds)[number];
/** Longest text of a number, size, duration or time. */
const longestNumber = 100;
/** The longest path that systems allow; other text is much shorter. */
const longestText = 4096;

/** Parses one value by its kind; throws a {@link usageFailure} that suggests a fix. */
export function parseValue<K extends ValueKind>(
  kind: K,
  text: string,
  label: string,
  limits: Limits = {},
): ValueKinds[K] {
  if (kind === 'word') return text as ValueKinds[K];
  if (text === '') throw usageFailure(`${label} is empty.`, 'Give it a value or omit it.');
  const isText = textKinds.some((one) => one === kind);
  const longest = isText ? longestText : longestNumber;
  if (text.length > longest) {
    throw usageFailure(
      `${label} is too long (${text.length} characters): ${quoted(text)}.`,
      `The limit is ${longest} characters.`,
    );
  }
  if (isText) return text as ValueKinds[K];
  const parse = parsers[kind as keyof typeof parsers] as (text: string, label: string, limits: Limits) => ValueKinds[K];
  return parse(text, label, limits);
}

type Parser = (text: string, label: string, limits: Limits) => unknown;

const parsers = {
  /** USD above zero, or relative: `mark-1%`. */
  price: (text: string, label: string) => parsePrice(text, label, { unsigned: false }),
  /** The same for an exit, where an unsigned `1%` is 1% from the entry. */
  exitPrice: (text: string, label: string) => parsePrice(text, label, { unsigned: true }),
  /** Above zero, hundredths of a percent. */
  basisPoints: (text: string, label: string) =>
    positive(bareBasisPoints(text, label), label, 'basis points such as 50, which is 0.5%'),
  /** Zero or more, hundredths of a percent. */
  gap: (text: string, label: string, { maximum }: Limits) => {
    const gap = decimal(bareBasisPoints(text, label), label, 'basis points such as 5, which is 0.05%');
    return atMost(notNegative(gap, text, label), text, label, maximum);
  },
  /** The price of an exit, or `none` for null. */
  optionalPrice: (text: string, label: string) =>
    text.toLowerCase() === 'none'
      ? null
      : parsePrice(notRemoved(text, label), label, { unsigned: true, also: ', or none' }),
  /** Above zero. */
  positive: (text: string, label: string) => positive(text, label, 'a number such as 0.5'),
  /** Above zero, or `none` for null. */
  optionalPositive: (text: string, label: string) =>
    text.toLowerCase() === 'none' ? null : positive(text, label, 'a number such as 250000, or none'),
  /** Zero or more. */
  amount: (text: string, label: string, { maximum }: Limits) => {
    const amount = decimal(text, label, 'an amount such as 250 or 0.5');
    return atMost(notNegative(amount, text, label), text, label, maximum);
  },
  /** Any decimal, including negative ones. */
  number: (text: string, label: string) => decimal(text, label, 'a number such as 1.5 or -1.5'),
  /** One or more. */
  count: (text: string, label: string, { maximum }: Limits) => whole(text, text, label, maximum),
  /** The same, as `10` or `10x`. */
  leverage: (text: string, label: string, { maximum }: Limits) =>
    whole(/^\d+x$/i.test(text) ? text.slice(0, -1) : text, text, label, maximum),
  /** Zero or more. */
  port: (text: string, label: string) => {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) {
      throw usageFailure(
        `${label} is ${quoted(text)}, not a port.`,
        'Write a number from 0 to 65535; 0 picks a free port.',
      );
    }
    return Number(text);
  },
  size: parseSize,
  /** The size of an order that may open a position. */
  orderSize: parseOrderSize,
  /** Milliseconds: `30m`, `1h30m`, `45s`, `2d`. */
  duration: parseDuration,
  /** Unix milliseconds, or a duration from now. */
  time: parseTime,
  /** Unix milliseconds, a duration before now, or a day. */
  pastTime: parsePastTime,
} satisfies Readonly<Record<string, Parser>>;

/** Other words for `none` are refused with it. */
function notRemoved(text: string, label: string): string {
  if (!/^(?:off|remove|delete|cancel|no|0)$/i.test(text)) return text;
  throw usageFailure(`${label} is ${quoted(text)}, not a price.`, 'Write none to remove it.');
}

/** Basis points without their unit; refuses a percentage and names it in basis points. */
function bareBasisPoints(text: string, label: string): string {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?(%|bps)$/i.exec(text) ?? [];
  if (number === undefined) return text;
  if (unit !== '%') return number;
  const points = Number((decimal(number, label, 'basis points such as 50') * 100).toPrecision(15));
  throw usageFailure(`${label} is ${text}, but its unit is basis points (1% is 100).`, `Write ${points}.`);
}

function whole(number: string, text: string, label: string, maximum: number | undefined): number {
  if (!/^\d{1,9}$/.test(number) || Number(number) < 1) {
    const digits = /^x?(\d{1,4})x?$/i.exec(text)?.[1];
    const hint = digits === undefined || Number(digits) < 1 ? undefined : `Write ${digits}.`;
    throw usageFailure(`${label} is ${quoted(text)}, not a positive whole number.`, hint);
  }
  return atMost(Number(number), text, label, maximum);
}

function atMost(value: number, text: string, label: string, maximum: number | undefined): number {
  if (maximum !== undefined && value > maximum) throw usageFailure(`${label} is ${text}; the maximum is ${maximum}.`);
  return value;
}

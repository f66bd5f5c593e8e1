import { usageFailure } from '../../base/failure/failure.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import { type Price, parsePrice } from './prices.ts';
import { decimal, notNegative, type OrderSize, parseOrderSize, parseSize, positive, type Size } from './sizes.ts';
import {
  durationMeant,
  durationOf,
  type PastTime,
  parseDuration,
  parsePastTime,
  parseTime,
  type Time,
} from './times.ts';

/** The kind of a value on the command line: determines how it is parsed, checked and completed. */
export interface ValueKinds {
  text: string;
  /** Market id, coin or symbol. */
  market: string;
  account: string;
  /** Order id or client order id. */
  order: string;
  /** Position id, or the market it is in. */
  position: string;
  twap: string;
  scaled: string;
  group: string;
  configKey: string;
  /** Name of a simulation. */
  state: string;
  profile: string;
  /** ORDER=PRICE. */
  exitMove: string;
  file: string;
  /** A word of another program's command line, which may be empty. */
  word: string;
  /** USD above zero, or relative: `mark-1%`. */
  price: Price;
  /** The same for an exit, where an unsigned `1%` is 1% from the entry. */
  exitPrice: Price;
  /** Above zero, hundredths of a percent. */
  basisPoints: number;
  /** Zero or more, hundredths of a percent. */
  gap: number;
  /** The price of an exit, or `none` for null. */
  optionalPrice: Price | null;
  /** Above zero. */
  positive: number;
  /** Above zero, or `none` for null. */
  optionalPositive: number | null;
  /** Zero or more. */
  amount: number;
  /** Any decimal, including negative ones. */
  number: number;
  /** One or more. */
  count: number;
  /** The same, as `10` or `10x`. */
  leverage: number;
  /** Zero or more. */
  port: number;
  size: Size;
  /** The size of an order that may open a position. */
  orderSize: OrderSize;
  /** Milliseconds: `30m`, `1h30m`, `45s`, `2d`. */
  duration: number;
  /** Unix milliseconds, or a duration from now. */
  time: Time;
  /** Unix milliseconds, a duration before now, or a day. */
  pastTime: PastTime;
}

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

/** Other words for what options take. */
const synonyms: Readonly<Record<string, string>> = {
  long: 'buy',
  short: 'sell',
  bid: 'buy',
  production: 'live',
  prod: 'live',
  test: 'sandbox',
  paper: 'sim',
};

/** The choice that a wrong word means: the same length of time, or nearly; a synonym; its only completion; a typo. */
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

/** Kinds whose text is used unchanged. */
const textKinds = [
  'text',
  'market',
  'account',
  'order',
  'position',
  'twap',
  'scaled',
  'group',
  'configKey',
  'state',
  'profile',
  'exitMove',
  'file',
] as const satisfies readonly ValueKind[];
const texts: ReadonlySet<ValueKind> = new Set<ValueKind>(textKinds);
type ParsedKind = Exclude<ValueKind, (typeof textKinds)[number] | 'word'>;
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
  const isText = texts.has(kind);
  const longest = isText ? longestText : longestNumber;
  if (text.length > longest) {
    throw usageFailure(
      `${label} is too long (${text.length} characters): ${quoted(text)}.`,
      `The limit is ${longest} characters.`,
    );
  }
  if (isText) return text as ValueKinds[K];
  const parse = parsers[kind as ParsedKind] as (text: string, label: string, limits: Limits) => ValueKinds[K];
  return parse(text, label, limits);
}

const parsers: { readonly [K in ParsedKind]: (text: string, label: string, limits: Limits) => ValueKinds[K] } = {
  price: (text, label) => parsePrice(text, label, { unsigned: false }),
  exitPrice: (text, label) => parsePrice(text, label, { unsigned: true }),
  basisPoints: (text, label) => positive(bareBasisPoints(text, label), label, 'basis points such as 50, which is 0.5%'),
  gap: (text, label, { maximum }) => {
    const gap = decimal(bareBasisPoints(text, label), label, 'basis points such as 5, which is 0.05%');
    return atMost(notNegative(gap, text, label), text, label, maximum);
  },
  optionalPrice: (text, label) =>
    text.toLowerCase() === 'none'
      ? null
      : parsePrice(notRemoved(text, label), label, { unsigned: true, also: ', or none' }),
  positive: (text, label) => positive(text, label, 'a number such as 0.5'),
  optionalPositive: (text, label) =>
    text.toLowerCase() === 'none' ? null : positive(text, label, 'a number such as 250000, or none'),
  amount: (text, label, { maximum }) => {
    const amount = decimal(text, label, 'an amount such as 250 or 0.5');
    return atMost(notNegative(amount, text, label), text, label, maximum);
  },
  number: (text, label) => decimal(text, label, 'a number such as 1.5 or -1.5'),
  count: (text, label, { maximum }) => whole(text, text, label, maximum),
  leverage: (text, label, { maximum }) => whole(/^\d+x$/i.test(text) ? text.slice(0, -1) : text, text, label, maximum),
  port: (text, label) => {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) {
      throw usageFailure(
        `${label} is ${quoted(text)}, not a port.`,
        'Write a number from 0 to 65535; 0 picks a free port.',
      );
    }
    return Number(text);
  },
  size: parseSize,
  orderSize: parseOrderSize,
  duration: parseDuration,
  time: parseTime,
  pastTime: parsePastTime,
};

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

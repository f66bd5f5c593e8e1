import { usageFailure } from '../../ground/failure/failure.ts';
import { quoted } from '../../ground/text/quoted.ts';
import { positive } from './numbers.ts';

/** A size as typed: in the base asset, as a notional in USD, or as a share of the position. */
export interface Size {
  unit: 'base' | 'usd' | 'percent';
  amount: number;
  /** As typed. */
  text: string;
}

/** A size as typed for an order: a {@link Size}, or the largest size that loses no more than this at its stop. */
export type OrderSize = Size | RiskSize | MaxSize;

/** The largest that margin, limits and floors allow. */
export interface MaxSize {
  unit: 'max';
  text: string;
}

/** A size by what the order may lose at its stop. */
export interface RiskSize {
  unit: 'risk';
  /** USD, percent of the equity, or percent of the room to the nearest floor. */
  amount: number;
  of: 'usd' | 'equity' | 'room';
  text: string;
}

/** Parses a size of an order: `risk:200usd`, `risk:0.5%` of the equity, `risk:10%room`, `max`, or a {@link Size}. */
export function parseOrderSize(text: string, label: string): OrderSize {
  if (!isRisk(text)) return parseSize(text, label);
  if (text.toLowerCase() === 'max') return { unit: 'max', text };
  const like = 'a risk such as risk:200usd, risk:0.5% (of the equity) or risk:10%room';
  const [, number, unit = ''] = /^risk:([+-]?[\d.,_]+(?:e[+-]?\d+)?)\s*(usd|%|%room)$/i.exec(text) ?? [];
  if (number === undefined) throw usageFailure(`${label} is ${quoted(text)}, not a risk.`, `Write ${like}.`);
  const amount = positive(number, label, like, unit);
  const known = unit.toLowerCase();
  if (known === 'usd') return { unit: 'risk', amount, of: 'usd', text };
  if (amount > 100) throw usageFailure(`${label} is ${text}; the maximum is 100%.`, `Write ${like}.`);
  return { unit: 'risk', amount, of: known === '%' ? 'equity' : 'room', text };
}

function isRisk(text: string): boolean {
  return /^(risk\b|max$)/i.test(text);
}

const quoteAssets = /^(usdt|usdc|dollars?|\$)$/i;

/** Parses a size in the base asset, in USD, or as a share of the position. */
export function parseSize(text: string, label: string): Size {
  if (isRisk(text)) {
    throw usageFailure(
      `${label} is ${text}, which only perp order place accepts.`,
      'Write a size such as 0.05, 500usd or 50%.',
    );
  }
  const match = /^(\$?)([+-]?[\d.,_]+(?:e[+-]?\d+)?)\s*([a-z$%]*)$/i.exec(text);
  const like = 'a size such as 0.05, 500usd or 50%';
  if (match === null) throw usageFailure(`${label} is ${quoted(text)}, not a size.`, `Write ${like}.`);
  const [, dollar, number, unit] = match as unknown as [string, string, string, string];
  const isNotional = dollar === '$' || /^usd$/i.test(unit) || quoteAssets.test(unit);
  const amount = positive(number, label, like, isNotional ? 'usd' : unit === '%' ? '%' : '');
  if (dollar === '$' || quoteAssets.test(unit)) {
    throw usageFailure(
      `${label} is ${quoted(text)}: is that a notional?`,
      `Write ${number}usd for a notional of ${number} USD, or ${number} for ${number} of the base asset.`,
    );
  }
  if (unit === '') return { unit: 'base', amount, text };
  if (unit.toLowerCase() === 'usd') return { unit: 'usd', amount, text };
  if (unit === '%') {
    if (amount > 100) throw usageFailure(`${label} is ${text}; the maximum is 100% of the position.`);
    return { unit: 'percent', amount, text };
  }
  throw usageFailure(
    `${label} is ${quoted(text)}: the only units of a size are usd and %.`,
    `Write ${number} for ${number} of the base asset, or ${number}usd for a notional.`,
  );
}

/** A suggestion for a size and its unit typed as two words (`50 USDT`), or undefined. */
export function separatedUnitHint(size: string, unit: string): string | undefined {
  if (!/^[\d.]+$/.test(size) || !/^[a-z$%]{1,6}$/i.test(unit)) return undefined;
  if (unit === '%') return `Write ${size}%.`;
  return `A size is one word: write ${size}usd for a notional of ${size} USD, or ${size} for ${size} of the base asset.`;
}

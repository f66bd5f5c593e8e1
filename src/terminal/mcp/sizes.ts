import { usageFailure } from '../../base/failure/failure.ts';
import { roundedUnits } from '../../base/terms/decimal.ts';
import type { OrderSize } from '../../desk/values/sizes.ts';
import {
  type Absentable,
  nullable,
  number,
  optional,
  positive,
  record,
  type Schema,
} from '../../wire/contract/schema.ts';

/** The forms of a size: exactly one of these fields, whose name contains the unit. */
export const sizeFields = {
  size_base: optional(positive('Base asset: 0.05 is 0.05 BTC.')),
  notional_usd: optional(positive('USD at the expected price.')),
  risk_usd: optional(positive('USD lost at stop_loss_price.')),
};

/** A size as given. */
interface GivenSize {
  readonly size_base?: number | undefined;
  readonly notional_usd?: number | undefined;
  readonly risk_usd?: number | undefined;
}

/** A size in its three units, as every result has it; null: unknown. */
export interface Sized {
  readonly base: number;
  readonly usd: number | null;
  readonly risk_usd: number | null;
}

/** The same as a schema, as short as definitions have to be. */
export const Sized = record(nullable(number()));

/** The same fields without the size by risk: for something without its own stop. */
export const plainSizeFields: Record<'size_base' | 'notional_usd', Absentable<Schema<number>, 'optional'>> = {
  size_base: sizeFields.size_base,
  notional_usd: sizeFields.notional_usd,
};

/** The only given size; a usage failure for none or several: no unit is assumed. */
export function neededSize(given: GivenSize): OrderSize {
  const size = givenSize(given);
  if (size !== undefined) return size;
  throw usageFailure(
    'The size is missing. Nothing was sent.',
    'Give exactly one of size_base, notional_usd and risk_usd.',
  );
}

/** The only given size; undefined if there is none. */
export function givenSize(given: GivenSize): OrderSize | undefined {
  const found = (['size_base', 'notional_usd', 'risk_usd'] as const).filter((name) => given[name] !== undefined);
  if (found.length > 1) {
    throw usageFailure(
      `The size is given ${found.length} times, as ${found.join(' and ')}. Nothing was sent.`,
      'Give exactly one of them.',
    );
  }
  const [name] = found;
  if (name === undefined) return undefined;
  const amount = given[name]!;
  const text = `${name} ${amount}`;
  if (name === 'risk_usd') return { unit: 'risk', of: 'usd', amount, text };
  return { unit: name === 'size_base' ? 'base' : 'usd', amount, text };
}

/** A size in its three units. `price` is the value of a unit; `riskUsd` the allowed loss of the size. */
export function sized(base: number, price: number | null | undefined, riskUsd: number | null | undefined): Sized {
  const usd = typeof price === 'number' && Number.isFinite(price * base) ? cents(price * base) : null;
  return { base, usd, risk_usd: typeof riskUsd === 'number' && Number.isFinite(riskUsd) ? cents(riskUsd) : null };
}

/** USD to the cent as a number, rounded as people read it. */
export function cents(amount: number): number {
  return Number(roundedUnits(amount, 2)) / 100;
}

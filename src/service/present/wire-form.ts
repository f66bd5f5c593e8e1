import { moneyDecimals, moneyToNumber, toNumber } from '../../base/terms/decimal.ts';
import type { Lots, Money, Price } from '../../exchange/engine/model.ts';
import type { ObjectSchema, Read, Schema, Sent } from '../../wire/contract/schema.ts';

/*
 * Records and resources name their fields alike: `marginMode` is `margin_mode` on the wire. What differs is given by
 * hand.
 */

type Camel<S extends string> = S extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : S;
type OnWire<T> = T extends bigint ? number : T extends null | undefined ? never : T;

/** The fields of a resource that its record has, too, with the same meaning. */
type Alike<R, S> = {
  [K in keyof S & string]: Camel<K> extends keyof R ? (OnWire<R[Camel<K>]> extends S[K] ? K : never) : never;
}[keyof S & string];

/** Values of all fields that the record doesn't have, and of others that differ. */
type Derived<R, S> = { readonly [K in Exclude<keyof S, Alike<R, S>>]: S[K] } & { readonly [K in keyof S]?: S[K] };

type Form = (record: object, derived: object) => unknown;

const forms = new WeakMap<Schema, Form>();

/** Generated as one literal from the names of the contract: reading field by field would take twenty times as long. */
function formOf(schema: ObjectSchema): Form {
  const members = Object.entries(schema.properties).map(([name, { type, oneOf = [] }]) => {
    const isNullable = [type, ...oneOf.map((one) => one.type)].flat().includes('null');
    return `${name}: '${name}' in derived ? derived.${name} : shown(record.${camel(name)}, ${isNullable ? 'null' : undefined})`;
  });
  return new Function('shown', `return (record, derived) => ({ ${members} });`)(shown) as Form;
}

/** Money is USD, and what a record lacks is absent, or null where the contract says so. */
function shown(value: unknown, none: null | undefined): unknown {
  return typeof value === 'bigint' ? usd(value) : (value ?? none);
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A record in wire form. */
export function wireForm<S extends ObjectSchema, R extends object>(
  schema: S,
  record: R,
  derived: Derived<R, Sent<S>>,
): Sent<S> {
  let form = forms.get(schema);
  if (form === undefined) {
    form = formOf(schema);
    forms.set(schema, form);
  }
  return form(record, derived) as Sent<S>;
}

/** A request's fields, by the names of records; null for what it omits. */
export function requested<S extends ObjectSchema>(
  schema: S,
  request: Read<S>,
): {
  [K in keyof Read<S> as Camel<K & string>]-?: undefined extends Read<S>[K]
    ? NonNullable<Read<S>[K]> | null
    : Read<S>[K];
} {
  const values = request as Record<string, unknown>;
  return Object.fromEntries(Object.keys(schema.properties).map((name) => [camel(name), values[name] ?? null])) as never;
}

/** The fields that a request gives, by the names of records. */
export function given<T extends object>(request: T): { [K in keyof T as Camel<K & string>]: Exclude<T[K], undefined> } {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [camel(name), value])) as never;
}

const moneyScale = 10 ** moneyDecimals;
const averageDecimals = 24;

/*
 * Engine units as JSON numbers with the same decimal value. IEEE 754 rounds the quotient of two exactly representable
 * integers correctly, just as when reading the decimal; other numbers use the slow way.
 */

/** Money as USD. */
export function usd(money: Money): number {
  const units = Number(money);
  return Number.isSafeInteger(units) ? units / moneyScale : moneyToNumber(money);
}

/**
 * Lots or price units with this many decimals; a rejected order's off-grid number is returned as it was sent. States of
 * older versions may have a rejected order with a number beyond all doubles.
 */
export function decimal(units: Lots | Price, decimals: number): number {
  if (Number.isSafeInteger(units)) return units / 10 ** decimals;
  return Number.isFinite(units) ? toNumber(units, decimals) : Number.MAX_VALUE;
}

/** Notional divided by size, exact to more digits than a JSON number has. `lots` must be positive. */
export function averagePrice(notional: Money, lots: Lots, sizeDecimals: number): number {
  const units = Number(notional);
  const divisor = lots * 10 ** (moneyDecimals - sizeDecimals);
  const isExact = sizeDecimals <= moneyDecimals && Number.isSafeInteger(units) && Number.isSafeInteger(divisor);
  if (isExact) return units / divisor;
  const scaled = notional * 10n ** BigInt(sizeDecimals + averageDecimals - moneyDecimals);
  return Number(`${scaled / BigInt(lots)}e-${averageDecimals}`);
}

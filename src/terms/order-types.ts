/**
 * How a type of order treats a field: R required, o optional, - refused; L and M are optional for an order that
 * executes as a limit (has a limit price) or at market (has none), and refused otherwise.
 */
export type Presence = 'R' | 'o' | '-' | 'L' | 'M';

/** The columns of the table below; `order-fields.ts` lists the fields of each heading. */
export const headings = ['limit', 'trigger', 'expiry', 'slip', 'legs', 'ack', 'chase', 'watch', 'target'] as const;
export type Heading = (typeof headings)[number];

type Row = readonly Presence[] & { readonly length: (typeof headings)['length'] };

/** Every order type that can be requested, and the fields it takes (simulation 4.1). */
// biome-ignore format: the table as the specification draws it
export const takenByType = {
  //             limit   trigger expiry  slip    legs    ack     chase   watch   target
  market:       ['-',    '-',    '-',    'o',    'o',    '-',    '-',    '-',    '-'],
  limit:        ['R',    '-',    'o',    '-',    'o',    'o',    '-',    '-',    '-'],
  chase:        ['-',    '-',    '-',    '-',    'o',    '-',    'o',    '-',    '-'],
  stop_market:  ['-',    'R',    '-',    'o',    'o',    '-',    '-',    '-',    '-'],
  stop_limit:   ['R',    'R',    'o',    '-',    'o',    'o',    '-',    '-',    '-'],
  take_market:  ['-',    'R',    '-',    'o',    'o',    '-',    '-',    '-',    '-'],
  take_limit:   ['R',    'R',    'o',    '-',    'o',    'o',    '-',    '-',    '-'],
  take_profit:  ['-',    'R',    '-',    'o',    '-',    '-',    '-',    '-',    'o'],
  conditional:  ['o',    'R',    'L',    'M',    'o',    'L',    '-',    'R',    '-'],
} as const satisfies Readonly<Record<string, Row>>;

export type RequestType = keyof typeof takenByType;
/** The types that can be requested, in the order in which they are shown. */
export const requestTypes = Object.keys(takenByType) as readonly RequestType[];

/** The types that closing a position takes (API 4.4). */
export const closeTypes = ['market', 'limit', 'conditional'] as const satisfies readonly RequestType[];
export type CloseType = (typeof closeTypes)[number];

/** Orders that only the exchange places: to liquidate, and to close out an account that has ended. */
const forcedTypes = ['liquidation', 'close_out'] as const;
export type ForcedType = (typeof forcedTypes)[number];

/** The kind of order that was requested (the field `mode`). */
export const orderModes = [...requestTypes, ...forcedTypes] as const;
export type OrderMode = (typeof orderModes)[number];

/** Types that execute as another type: a chase as a limit, a conditional order as a stop. */
type Disguised = 'chase' | 'conditional';
export type OrderType = Exclude<OrderMode, Disguised>;
/** How it executes (the field `type`). */
export const orderTypes = orderModes.filter((mode): mode is OrderType => mode !== 'chase' && mode !== 'conditional');

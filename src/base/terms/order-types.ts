/**
 * How a kind of order treats a field: R required, o optional, - refused; L and M are optional for an order that
 * executes as a limit (has a limit price) or at market (has none), and refused otherwise.
 */
export type Presence = 'R' | 'o' | '-' | 'L' | 'M';

/** The columns of the table of fields; `order-fields.ts` lists the fields of each heading. */
export const headings = ['limit', 'trigger', 'expiry', 'slip', 'legs', 'ack', 'chase', 'watch', 'target'] as const;
/** A column of the table of order types: a field, or a group of fields, that a type may take. */
export type Heading = (typeof headings)[number];

type Row = readonly Presence[] & { readonly length: (typeof headings)['length'] };

/**
 * Which way the mark moves to trigger an order: `against` it (a stop), in its `favor` (a take), or as its
 * `trigger_direction` says.
 */
export type Fires = 'against' | 'favor' | 'directed';

/**
 * How an order that waits for nothing meets the book: it `takes` what is displayed, `rests` at its limit with what does
 * not cross, `follows` the best price of its own side, or does one of the first two, as it is `priced`.
 */
export type Meets = 'takes' | 'rests' | 'follows' | 'priced';

/** Everything that makes one kind of order differ from another. */
export interface OrderKind {
  /** The fields that it takes, by `headings`; null: no request can place it. */
  readonly fields: Row | null;
  /** Its trigger; null if it waits for none. */
  readonly fires: Fires | null;
  readonly meets: Meets;
  /** Whether it always reduces; otherwise, only if it is told to. */
  readonly reduces: boolean;
  /** The `type` on its record: its own name, or that of another kind, without and with a limit price. */
  readonly recordedAs: 'itself' | { readonly market: string; readonly limit: string };
  /** Whether it can close a position (API 4.4). */
  readonly closes: boolean;
  /** The forced closing that the exchange does with it: a pool in liquidation, or an account that has ended. */
  readonly forces: 'pool' | 'account' | null;
}

/**
 * Every kind of order (the field `mode`): first those that can be requested, in the order in which they are shown
 * (simulation 4.1), then those that only the exchange places. Nothing else compares an order's type or mode with a
 * name.
 */
// biome-ignore format: a table
export const orderKinds = {
  //                      limit trig exp  slip legs ack chase watch target
  market:      { fields: ['-', '-', '-', 'o', 'o', '-', '-', '-', '-'], fires: null,       meets: 'takes',   reduces: false, closes: true,  forces: null,      recordedAs: 'itself' },
  limit:       { fields: ['R', '-', 'o', '-', 'o', 'o', '-', '-', '-'], fires: null,       meets: 'rests',   reduces: false, closes: true,  forces: null,      recordedAs: 'itself' },
  chase:       { fields: ['-', '-', '-', '-', 'o', '-', 'o', '-', '-'], fires: null,       meets: 'follows', reduces: false, closes: false, forces: null,      recordedAs: { market: 'limit', limit: 'limit' } },
  stop_market: { fields: ['-', 'R', '-', 'o', 'o', '-', '-', '-', '-'], fires: 'against',  meets: 'takes',   reduces: false, closes: false, forces: null,      recordedAs: 'itself' },
  stop_limit:  { fields: ['R', 'R', 'o', '-', 'o', 'o', '-', '-', '-'], fires: 'against',  meets: 'rests',   reduces: false, closes: false, forces: null,      recordedAs: 'itself' },
  take_market: { fields: ['-', 'R', '-', 'o', 'o', '-', '-', '-', '-'], fires: 'favor',    meets: 'takes',   reduces: false, closes: false, forces: null,      recordedAs: 'itself' },
  take_limit:  { fields: ['R', 'R', 'o', '-', 'o', 'o', '-', '-', '-'], fires: 'favor',    meets: 'rests',   reduces: false, closes: false, forces: null,      recordedAs: 'itself' },
  take_profit: { fields: ['-', 'R', '-', 'o', '-', '-', '-', '-', 'o'], fires: 'favor',    meets: 'takes',   reduces: true,  closes: false, forces: null,      recordedAs: 'itself' },
  conditional: { fields: ['o', 'R', 'L', 'M', 'o', 'L', '-', 'R', '-'], fires: 'directed', meets: 'priced',  reduces: false, closes: true,  forces: null,      recordedAs: { market: 'stop_market', limit: 'stop_limit' } },
  liquidation: { fields: null,                                          fires: null,       meets: 'takes',   reduces: true,  closes: false, forces: 'pool',    recordedAs: 'itself' },
  close_out:   { fields: null,                                          fires: null,       meets: 'takes',   reduces: true,  closes: false, forces: 'account', recordedAs: 'itself' },
} as const satisfies Readonly<Record<string, OrderKind>>;

type Kinds = typeof orderKinds;
type With<Part extends Partial<OrderKind>> = {
  [Mode in keyof Kinds]: Kinds[Mode] extends Part ? Mode : never;
}[keyof Kinds];

/** The kind of order that was requested (the field `mode`). */
export type OrderMode = keyof Kinds;
/** How it executes (the field `type`). */
export type OrderType = With<{ recordedAs: 'itself' }>;
/** The types that a request can name. */
export type RequestType = With<{ fields: Row }>;
/** The types that closing a position takes (API 4.4). */
export type CloseType = With<{ closes: true }>;
/** Orders that only the exchange places: to liquidate, and to close out an account that has ended. */
export type ForcedType = Exclude<OrderMode, RequestType>;

const entries = Object.entries<OrderKind>(orderKinds);
const modesOf = <Mode>(has: (kind: OrderKind) => boolean) =>
  entries.flatMap(([mode, kind]) => (has(kind) ? [mode as Mode] : [])) as readonly Mode[];

/** Every kind of order, requested or placed by the exchange. */
export const orderModes = modesOf<OrderMode>(() => true);
/** The kinds that a record can have as its executable type. */
export const orderTypes = modesOf<OrderType>(({ recordedAs }) => recordedAs === 'itself');
/** The types that can be requested, in the order in which they are shown. */
export const requestTypes = modesOf<RequestType>(({ fields }) => fields !== null);
/** The types that closing a position takes, in the order in which they are shown. */
export const closeTypes = modesOf<CloseType>(({ closes }) => closes);

/** The type that a request means if it names none. */
export const defaultType = 'market' satisfies RequestType;

/** The kind that an order's mode or type names; undefined for one that only its host knows. */
export function orderKindOf(name: unknown): OrderKind | undefined {
  return typeof name === 'string' && Object.hasOwn(orderKinds, name) ? orderKinds[name as OrderMode] : undefined;
}

/** How an order of a kind meets the book when it is placed; undefined if it waits for a trigger first. */
export function arrivalOf(name: unknown = defaultType): Meets | undefined {
  const kind = orderKindOf(name);
  return kind?.fires === null ? kind.meets : undefined;
}

/** Whether an order of a kind takes from the book as soon as it is placed, and never rests or waits. */
export function takesAtOnce(name?: unknown): boolean {
  return arrivalOf(name) === 'takes';
}

/** Whether a request for an order of a kind must have a field with this heading. */
export function requires(type: RequestType, heading: Heading): boolean {
  return orderKinds[type].fields[headings.indexOf(heading)] === 'R';
}

/** The types of request that take no fields but these, and those that every type takes. */
export function typesWithin(offered: readonly Heading[]): readonly RequestType[] {
  return requestTypes.filter((type) =>
    headings.every((heading, at) => orderKinds[type].fields[at] === '-' || offered.includes(heading)),
  );
}

/** Whether an order can only make a position smaller: it was told to, or its kind always does. */
export function isReduction({
  reduce_only,
  type,
}: {
  readonly reduce_only?: unknown;
  readonly type?: unknown;
}): boolean {
  return reduce_only === true || orderKindOf(type)?.reduces === true;
}

/** The group of a position's exits that an order of a kind belongs to: stop-losses (`sl`) or take-profits (`tp`). */
export type ExitGroup = 'tp' | 'sl';
/**
 * The exit group of a kind: what fires against the order stops a loss, anything else takes a profit (simulation 4.3).
 */
export function exitGroupOf(name: unknown): ExitGroup {
  return orderKindOf(name)?.fires === 'against' ? 'sl' : 'tp';
}

/** How an exit executes once its price is reached, as an exit batch names it (API 4.4). */
export type ExitExecution = 'market' | 'limit';
/** How an exit executes if its request does not say. */
export const defaultExecution = 'market' satisfies ExitExecution;
/** The kind of an exit, by its group and how it executes (simulation 4.3). */
export const exitKinds = {
  tp: { market: 'take_profit', limit: 'limit' },
  sl: { market: 'stop_market', limit: 'stop_limit' },
} as const satisfies Readonly<Record<ExitGroup, Readonly<Record<ExitExecution, OrderType>>>>;

/** How an exit of a kind executes. */
export function exitExecutionOf(name: unknown): ExitExecution {
  return orderKindOf(name)?.meets === 'rests' ? 'limit' : 'market';
}

/** How an order of a kind is recorded (simulation 4.2). */
export function recordedType(mode: OrderMode, hasLimit: boolean): OrderType {
  const { recordedAs } = orderKinds[mode];
  return recordedAs === 'itself' ? (mode as OrderType) : recordedAs[hasLimit ? 'limit' : 'market'];
}

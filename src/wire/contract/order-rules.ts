import { closeFields, requestFields, type SettableField } from '../../base/terms/order-fields.ts';
import {
  closeTypes,
  defaultType,
  headings,
  orderKinds,
  type Presence,
  type RequestType,
  requestTypes,
} from '../../base/terms/order-types.ts';
import type { ValidationIssue } from './errors.ts';
import type { FieldRule } from './operation.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Issues for fields that the order's type requires but the request lacks, or that the type does not take (simulation
 * 4.1).
 */
export const orderFieldIssues: FieldRule = (order) => {
  return [...typeIssues(requestTypes, typedRequestFields, order), ...expiryIssues(order), ...legIssues(order)];
};

/** Issues for fields that the close's type requires but the request lacks, or that the type does not take (API 4.4). */
export const closeFieldIssues: FieldRule = (close) => typeIssues(closeTypes, typedCloseFields, close);

/** A field that not every type takes, and its column in the table of types. */
type TypedField = readonly [name: string, column: number];

const typedRequestFields = typed(requestFields);
const typedCloseFields = typed(closeFields);

function typed(fields: readonly SettableField[]): TypedField[] {
  return fields.flatMap(({ heading, asked }) => (heading === undefined ? [] : [[asked, headings.indexOf(heading)]]));
}

function typeIssues(types: readonly RequestType[], fields: readonly TypedField[], request: Fields): ValidationIssue[] {
  const { type: named = defaultType } = request;
  const type = types.find((one) => one === named);
  // The schema reports an unknown type.
  if (type === undefined) return [];
  const taken: readonly Presence[] = orderKinds[type].fields;
  const hasLimit = request.limit_price !== undefined;
  const issues: ValidationIssue[] = [];
  for (const [field, column] of fields) {
    const issue = presenceIssue(taken[column]!, request[field] !== undefined, hasLimit, type);
    if (issue !== null) issues.push({ field, issue });
  }
  return issues;
}

function presenceIssue(presence: Presence, isGiven: boolean, hasLimit: boolean, type: string): string | null {
  if (!isGiven) return presence === 'R' ? `is required for type ${type}` : null;
  if (presence === '-') return `is not allowed for type ${type}`;
  if (presence === 'L' && !hasLimit) return `is only allowed with limit_price for type ${type}`;
  if (presence === 'M' && hasLimit) return `is only allowed without limit_price for type ${type}`;
  return null;
}

function expiryIssues(order: Fields): ValidationIssue[] {
  const field = 'gtd_expires_at';
  const isGtd = order.time_in_force === 'gtd';
  const isGiven = order[field] !== undefined;
  if (isGtd === isGiven) return [];
  return [{ field, issue: isGtd ? 'is required for time_in_force gtd' : 'is only allowed for time_in_force gtd' }];
}

/** A reduction has nothing to protect, so it takes no legs. Replacing exits needs a leg that replaces them. */
function legIssues(order: Fields): ValidationIssue[] {
  const legs = ['take_profit_price', 'stop_loss_price'] as const;
  const replacement = 'replace_overlapping_exits';
  if (order.reduce_only === true) {
    return [...legs, replacement]
      .filter((field) => order[field] !== undefined)
      .map((field) => ({ field, issue: 'is not allowed on a reduce-only order' }));
  }
  const hasLeg = legs.some((leg) => order[leg] !== undefined);
  return order[replacement] === undefined || hasLeg
    ? []
    : [{ field: replacement, issue: 'is only allowed with take_profit_price or stop_loss_price' }];
}

/** An empty cursor means none: the client wants the first page. */
const isGiven = (value: unknown) => value !== undefined && value !== '';

/** A quote needs both side and size to estimate a fill (API 4.3). */
export const sideAndSizeTogether: FieldRule = ({ side, size }) => {
  if ((side === undefined) === (size === undefined)) return [];
  return side === undefined
    ? [{ field: 'side', issue: 'is required with size' }]
    : [{ field: 'size', issue: 'is required with side' }];
};

/** A lookup by client order id takes no other filter, and the working set has no pages (API 4.5, simulation 8.4). */
export const clientOrderIdAlone: FieldRule = (query) => {
  const issues: ValidationIssue[] = [];
  if (query.client_order_id !== undefined) {
    for (const field of ['status', 'limit', 'cursor'] as const) {
      if (isGiven(query[field])) issues.push({ field, issue: 'is not allowed with client_order_id' });
    }
  } else if (query.status !== undefined && isGiven(query.cursor)) {
    issues.push({ field: 'cursor', issue: 'is not allowed with status: the working set has no pages' });
  }
  return issues;
};

/** Open positions come in one list; only closed ones have pages (API 4.4). */
export const cursorOnlyWhenClosed: FieldRule = ({ status, cursor }) =>
  isGiven(cursor) && (status === undefined || status === 'open')
    ? [{ field: 'cursor', issue: 'is only allowed with status closed: open positions have no pages' }]
    : [];

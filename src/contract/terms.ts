import type { ValidationIssue } from './errors.ts';
import type { FieldRule } from './operation.ts';
import { choice, defaulted, integer, number, optional, string } from './schema.ts';

/** Whether an order buys or sells. */
export const side = choice(['buy', 'sell']);
/** Which margin backs a position: the account's (cross), or its own (isolated). */
export const marginMode = choice(['cross', 'isolated']);
/** Where the mark must be to trigger a conditional order. */
export const triggerDirection = choice(
  ['above', 'below'],
  'Triggers when the mark is at or above the trigger price, or at or below it.',
);
/** Whether a fill provided liquidity or took it. */
export const liquidityRole = choice(['maker', 'taker']);
/** A moment in time. */
export const instant = number('Unix milliseconds.');

/** The account whose records to list. */
export const accountFilter = string('The account whose records to list.');

/** Parameters of every paginated list (API 4.8). */
export const pageFields = {
  limit: defaulted(integer('Rows per page.', { minimum: 1, maximum: 100 }), 50),
  cursor: optional(string('next_cursor of the previous page, with the same account and filters.', { maxLength: 1024 })),
} as const;

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

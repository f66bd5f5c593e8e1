import type { ValidationIssue } from './errors.ts';
import type { FieldRule } from './operation.ts';

/** A cursor without a character is none: a client that begins with it wants the first page. */
const isGiven = (value: unknown) => value !== undefined && value !== '';

/** A quote estimates a fill only for a side and a size (API 4.3). */
export const sideAndSizeTogether: FieldRule = ({ side, size }) => {
  if ((side === undefined) === (size === undefined)) return [];
  return side === undefined
    ? [{ field: 'side', issue: 'is required together with size' }]
    : [{ field: 'size', issue: 'is required together with side' }];
};

/** A lookup by client order id stands alone, and the working set has no pages (API 4.5, simulation 8). */
export const clientOrderIdAlone: FieldRule = (query) => {
  const issues: ValidationIssue[] = [];
  if (query.client_order_id !== undefined) {
    for (const field of ['status', 'limit', 'cursor'] as const) {
      if (isGiven(query[field])) issues.push({ field, issue: 'is not allowed together with client_order_id' });
    }
  } else if (query.status !== undefined && isGiven(query.cursor)) {
    issues.push({ field: 'cursor', issue: 'is not allowed together with status: the working set is answered whole' });
  }
  return issues;
};

/** Open positions are answered whole; only closed ones have pages (API 4.4). */
export const cursorOnlyWhenClosed: FieldRule = ({ status, cursor }) =>
  isGiven(cursor) && (status === undefined || status === 'open')
    ? [{ field: 'cursor', issue: 'is only allowed with status closed: open positions are answered whole' }]
    : [];

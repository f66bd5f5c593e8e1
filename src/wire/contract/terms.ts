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

import { choice, number } from './schema.ts';

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

import { choice, number } from './schema.ts';

/** Whether an order buys or sells. */
export const side = choice(['buy', 'sell']);
/** Whose margin answers for a position: the account's, or its own. */
export const marginMode = choice(['cross', 'isolated']);
/** Where the mark must be for a conditional order. */
export const triggerDirection = choice(
  ['above', 'below'],
  'The mark at or above the trigger price, or at or below it.',
);
/** Whether a fill made liquidity or took it. */
export const liquidityRole = choice(['maker', 'taker']);
/** A moment in time. */
export const instant = number('Unix milliseconds.');

import { choice, number } from './schema.ts';

/** Words of the field that the whole wire shares. */
export const side = choice(['buy', 'sell']);
export const marginMode = choice(['cross', 'isolated']);
export const triggerDirection = choice(
  ['above', 'below'],
  'The mark at or above the trigger price, or at or below it.',
);
export const liquidityRole = choice(['maker', 'taker']);
/** A moment. */
export const instant = number('Unix milliseconds.');

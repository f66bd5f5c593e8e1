import { type Variables, variable } from '../files/folders.ts';

/**
 * Whether a run prints in color, terminal or not: FORCE_COLOR decides (0 and false turn colors off), else NO_COLOR and a
 * dumb terminal turn them off, else a terminal has them.
 */
export function isColored(variables: Variables, isTerminal: boolean): boolean {
  const forced = variable(variables, 'FORCE_COLOR');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && variable(variables, 'NO_COLOR') === undefined && variables.TERM !== 'dumb';
}

import { type Variables, variable } from '../../ground/files/folders.ts';

/**
 * Whether a run prints in color: FORCE_COLOR decides (0 and false turn colors off); otherwise NO_COLOR or a dumb
 * terminal turns them off; otherwise they are on if the output is a terminal.
 */
export function isColored(variables: Variables, isTerminal: boolean): boolean {
  const forced = variable(variables, 'FORCE_COLOR');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && variable(variables, 'NO_COLOR') === undefined && variables.TERM !== 'dumb';
}

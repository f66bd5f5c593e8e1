import { type Variables, variable } from './places.ts';

/** Whether errors are to be JSON objects, told from the raw arguments: they may be what is wrong. */
export function wantsJson(argv: readonly string[], variables: Variables): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.includes('--json')) return true;
  const at = flags.findLastIndex((token) => /^(-o|--output)(=|$)|^-o\w/.test(token));
  if (at < 0) return isJson(variable(variables, 'PERP_OUTPUT'));
  const token = flags[at]!;
  return isJson(/^(-o|--output)$/.test(token) ? flags[at + 1] : token.replace(/^(-o|--output)=?/, ''));
}

function isJson(format: string | undefined): boolean {
  return format === 'json' || format === 'ndjson';
}

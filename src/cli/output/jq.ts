import { usageFailure } from '../failure/failure.ts';
import { plain } from '../text/plain-text.ts';

/** Filters a JSON text; prints strings without quotes, everything else as compact JSON, one result per line. */
export type JsonFilter = (json: string) => string;

/** The filter of a jq expression, checked now, before the command does anything. jq itself is loaded only here. */
export async function jqFilter(expression: string): Promise<JsonFilter> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  const filter: JsonFilter = (json) => {
    // The space keeps an expression that begins with a dash from being read as an option.
    const { stdout, stderr, exitCode } = within(() => jq.raw(json, ` ${expression}`, ['-r', '-c']));
    if (exitCode !== 0) throw usageFailure(`--jq failed: ${said(stderr)}`, 'perp help values shows examples.');
    return stdout === '' ? '' : `${safeLines(stdout)}\n`;
  };
  // Without input, jq compiles the expression and evaluates nothing.
  filter('');
  return filter;
}

/** jq itself ends when its memory does, and reports nothing. */
function within<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw usageFailure(
      `--jq failed: the expression needs more memory than there is, or recurses too deeply (${(error as Error).message}).`,
      'Filter less at a time, or use the jq program on the JSON.',
    );
  }
}

function said(stderr: string): string {
  return stderr.trim().replace(/^jq: error(?: \(at [^)]*\))?: /, '') || 'jq reported no reason.';
}

/** Results may contain text from a server; tabs and line breaks come from @tsv and from several results. */
function safeLines(text: string): string {
  return text
    .split(/([\t\n])/)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');
}

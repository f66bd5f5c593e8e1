import type { Outside } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { factsOf, failureReport } from './failure-report.ts';
import { plainLines } from './output/plain-text.ts';
import { wantsJson } from './wants-json.ts';

/** Prints what went wrong on stderr, as JSON where results would be, and says with which status to end. */
export function report(error: unknown, argv: readonly string[], { io, variables }: Outside): ExitCode {
  const facts = factsOf(error);
  io.err(failureReport(facts, wantsJson(argv, variables)));
  if (argv.includes('--debug') && error instanceof Error) io.err(`${plainLines(error.stack ?? '')}\n`);
  return facts.exit;
}

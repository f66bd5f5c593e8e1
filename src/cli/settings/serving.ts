import { usageFailure } from '../../ground/failure/failure.ts';
import { sourceStack } from '../../ground/failure/source-lines.ts';
import { quoted } from '../../ground/text/plain-text.ts';

/** The value of --rate-limit. */
export function rateLimitGiven(text: string | undefined): number | 'off' | undefined {
  if (text === undefined || text === 'off') return text;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageFailure(
    `--rate-limit is ${quoted(text)}, not a number or off.`,
    'Give requests per minute, such as 300, or off.',
  );
}

/** Who is told of what goes wrong in a served simulation. */
export function troublesTo(say: (text: string) => void) {
  return {
    onBackupProblem: say,
    onTrouble: (error: Error) => say(error.message),
    onBug: (error: unknown, requestId: string) => say(bugText(error, requestId)),
  };
}

/** A damaged file is not a bug, and its message is sufficient. */
function bugText(error: unknown, requestId: string): string {
  if (!(error instanceof Error)) return `A bug in perp, request ${requestId}: ${String(error)}`;
  return error.name === 'StoreError' ? error.message : `A bug in perp, request ${requestId}: ${sourceStack(error)}`;
}

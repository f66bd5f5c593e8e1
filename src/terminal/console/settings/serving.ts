import { usageFailure } from '../../../base/failure/failure.ts';
import { sourceStack } from '../../../base/failure/report.ts';
import { readNamedFile } from '../../../base/files/private-files.ts';
import { jsonObjectIn } from '../../../base/terms/json-object.ts';
import { quoted } from '../../../base/text/plain-text.ts';

/** The value of --rate-limit. */
export function rateLimitGiven(text: string | undefined): number | 'off' | undefined {
  if (text === undefined || text === 'off') return text;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageFailure(
    `--rate-limit is ${quoted(text)}, not a number or off.`,
    'Give requests per minute, such as 300, or off.',
  );
}

/** The value of --weather: a seed, a file with a profile, or `off`. A file whose name is a number is `./7`. */
export async function weatherGiven(text: string | undefined) {
  if (text === undefined || text === 'off') return text;
  const { weatherOf } = await import('../../../service/weather/weather.ts');
  if (text.trim() === '') throw usageFailure('--weather is empty.', forms);
  const isSeed = Number.isFinite(Number(text));
  const profile = weatherOf(isSeed ? { seed: Number(text) } : profileIn(text));
  if (typeof profile !== 'string') return profile;
  throw usageFailure(`--weather ${text}: ${profile}.`, forms);
}

const forms = 'Give a seed such as 7, a JSON file, or off.';

function profileIn(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readNamedFile(file);
  } catch (error) {
    throw usageFailure(`--weather ${quoted(file)} can't be read: ${(error as Error).message}.`, forms);
  }
  const profile = jsonObjectIn(text);
  if (profile !== null) return profile;
  throw usageFailure(
    `--weather ${quoted(file)} is not a JSON object.`,
    'It has a seed and parts, such as {"seed": 7}.',
  );
}

/** Receives problems of a served simulation. */
export function problemReporter(say: (text: string) => void) {
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

/** The value of --prefix: the beginning of a key. */
export function prefixGiven(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw usageFailure(`--prefix is ${quoted(text)}.`, 'A prefix has 1 to 64 letters, digits, - and _.');
}

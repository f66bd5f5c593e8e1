import { readFileSync } from 'node:fs';
import { usageFailure } from '../../../base/failure/failure.ts';
import { markOfWire } from '../../../base/failure/report.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import type { ValidationIssue } from '../../../wire/contract/errors.ts';
import { parseJson } from '../../../wire/contract/json.ts';
import type { Console } from '../../console/console.ts';

/** The JSON that an input names: itself, a file after @, or standard input for -. */
export async function jsonGiven(console: Console, text: string, label: string): Promise<unknown> {
  const parsed = parseJson(await contentOf(console, text, label));
  if (!parsed.ok) throw invalid(parsed.issues);
  return parsed.value;
}

async function contentOf(console: Console, text: string, label: string): Promise<string> {
  if (text === '-') {
    const chunks: Uint8Array[] = [];
    for await (const chunk of console.io.input()) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks).toString('utf8');
  }
  if (!text.startsWith('@')) return text;
  try {
    return readFileSync(text.slice(1), 'utf8');
  } catch (error) {
    throw usageFailure(`${label} can't read ${quoted(text.slice(1))}: ${(error as Error).message}.`);
  }
}

/** The usage failure for a request with these issues, which it names by field. */
export function invalid(issues: readonly ValidationIssue[]) {
  const failure = usageFailure('The request is invalid.', undefined, issues);
  markOfWire(failure);
  return failure;
}

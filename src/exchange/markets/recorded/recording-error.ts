/** A recording or venue file that can't be used: which file, which line (null: the file as a whole), and why. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly file: string;
  readonly line: number | null;
  readonly problem: string;

  constructor(file: string, line: number | null, problem: string, options?: ErrorOptions) {
    super(`${printable(file)}${line === null ? '' : `:${line}`}: ${problem}`, options);
    this.file = file;
    this.line = line;
    this.problem = problem;
  }
}

/** A problem with a line whose number and file are not known yet. */
export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}

/** Untrusted text in a message: quoted, shortened, and without control characters. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return `"${printable(text.length > 60 ? `${text.slice(0, 60)}...` : text)}"`;
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  });
}

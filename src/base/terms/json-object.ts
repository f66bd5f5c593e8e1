/** An object from JSON whose members are not known yet. */
export type JsonObject = Record<string, unknown>;

/** Whether a value from JSON is an object, not a list or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nothing that perp reads nests deeper. */
const deepestNesting = 64;

/** Whether a JSON text nests deeper than this many levels, judged by its brackets before any of it is parsed. */
export function nestsDeeper(text: string, most = deepestNesting): boolean {
  if (countUpTo(most, text, '{') + countUpTo(most, text, '[') <= most) return false;
  // Native code removes everything but brackets: in a new process, checking each character would take ten times as
  // long.
  const unescaped = text.includes('\\') ? text.replace(/\\./gs, '') : text;
  let depth = 0;
  for (const bracket of unescaped.replace(/"[^"]*"?|[^"{}[\]]+/g, '')) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth > most) return true;
  }
  return false;
}

/** The number of times a text contains a character, at most one more than `most`. */
function countUpTo(most: number, text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Like `JSON.parse`, but a text that nests too deeply is refused before it takes time and memory. */
export function parsedJson(text: string): unknown {
  if (nestsDeeper(text)) throw new SyntaxError(`it nests deeper than ${deepestNesting} levels`);
  return JSON.parse(text);
}

/** The same as `parsedJson`, but integers that a number can't hold are restored digit for digit. */
export function exactJson(text: string): unknown {
  const value = parsedJson(text);
  return /[\s:[,-]\d{16,}[\s,\]}]/.test(text) ? JSON.parse(text, exactInteger) : value;
}

function exactInteger(_: string, value: unknown, context?: { source?: string }): unknown {
  const { source } = context ?? {};
  const isInexact =
    typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
  return isInexact ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source) : value;
}

/** The JSON object in a text, with every digit of its integers; null if the text is anything else. */
export function jsonObjectIn(text: string): JsonObject | null {
  try {
    const value = exactJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** An object from JSON whose members are not known yet. */
export type JsonObject = Record<string, unknown>;

/** Whether a value from JSON is an object, not a list or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nothing that perp reads nests deeper. */
const deepestNesting = 64;

/** Whether a JSON text nests deeper than so many levels, seen from its brackets before any of it is parsed. */
export function nestsDeeper(text: string, most = deepestNesting): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
  }
  return false;
}

/** Where the quote is that ends the string that begins here; below zero if none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Array.from('"\\[]{}', (one) =>
  one.charCodeAt(0),
) as [number, number, number, number, number, number];

/** Like `JSON.parse`, but a text that nests too deeply is refused before it takes time and memory. */
export function parsedJson(text: string): unknown {
  if (nestsDeeper(text)) throw new SyntaxError(`it nests deeper than ${deepestNesting} levels`);
  return JSON.parse(text);
}

/** The JSON object in a text; null if the text is anything else. */
export function jsonObjectIn(text: string): JsonObject | null {
  try {
    const value = parsedJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

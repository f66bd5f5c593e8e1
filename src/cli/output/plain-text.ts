/**
 * What must not reach a terminal as it is: control characters, what reorders text, and what nobody sees. The last are
 * the code points that Unicode lets every font ignore (among them tags and variation selectors), and a few more that
 * leave no ink.
 */
const unprintable = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** Text from elsewhere, made safe for a terminal: what could act or hide instead of being read is written out as `\u001b`. */
export function plain(text: string): string {
  const own = typeof text === 'string' ? text : asItCame(text);
  return own.toWellFormed().replace(unprintable, escaped);
}

/** The same for our own messages, which may have several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** A value as JSON text; characters that a terminal could act on are escaped, which leaves the value the same. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  // Hardly any text has more than ASCII in it; that is looked over four times as fast.
  return text.replace(/[^\n\u0020-\u007e]+/g, (rest) => rest.replace(unprintable, escaped));
}

const longest = 60;

/** A value of an answer that is not what the API describes: a dash for none, else what it is, shortened. */
export function asItCame(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** Each unit of UTF-16 by itself, as JSON has it. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join('');
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

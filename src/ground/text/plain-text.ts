/**
 * Characters that must not reach a terminal: control characters, and any that reorder or hide text. The invisible ones
 * are Unicode's default-ignorable code points (fillers, variation selectors, tags and more), plus a few others that
 * print nothing.
 */
const unprintable = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** Makes external text safe for a terminal: control and invisible characters become `\u001b`. */
export function plain(text: string): string {
  const own = typeof text === 'string' ? text : asReceived(text);
  return own.toWellFormed().replace(unprintable, escaped);
}

/** The same for perp's own messages, which may have several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** A value as JSON text. Characters that could control a terminal are escaped, which keeps the value the same. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  // Most text is ASCII; skipping it first is four times as fast.
  return text.replace(/[^\n\u0020-\u007e]+/g, (rest) => rest.replace(unprintable, escaped));
}

/** Longer text is cut in messages. */
const longest = 60;

/** A value that does not match the API, as received and shortened; a dash if absent. */
export function asReceived(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** Escapes each UTF-16 unit, as JSON does. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join('');
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Wraps text at spaces so that every line, including its indent, fits the width. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current !== '' && indent.length + current.length + 1 + word.length > width) {
      lines.push(indent + current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, indent + current].join('\n');
}

/** Wraps every line of a text between words, at its own indentation. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)![0];
      return wrap(line.slice(indent.length), width, indent);
    })
    .join('\n');
}

/** Quotes user input in a message; long text is cut. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

/** Cuts long text for a message. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}

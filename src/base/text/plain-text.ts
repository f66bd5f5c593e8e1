/**
 * Characters that must not reach a terminal: control characters, and any that reorder or hide text. The invisible ones
 * are Unicode's default-ignorable code points (fillers, variation selectors, tags and more), plus a few others that
 * print nothing. Made when needed: V8 collects the code points of these names, which takes a millisecond.
 */
const unprintable = () => /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** Makes external text safe for a terminal: control and invisible characters become `\u001b`. */
export function plain(text: string): string {
  const own = typeof text === 'string' ? text : asReceived(text);
  // Most text is ASCII, or what charts are drawn with; finding that out first is several times as fast.
  if (/^[ -~\u2500-\u259f]*$/.test(own)) return own;
  return own.toWellFormed().replace(unprintable(), escaped);
}

/** The same for perp's own messages, which may have several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** A value as JSON text. Characters that could control a terminal are escaped, which keeps the value the same. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  // Most text is ASCII; skipping it first is four times as fast.
  return text.replace(/[^\n\u0020-\u007e]+/g, (rest) => rest.replace(unprintable(), escaped));
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

const registry = globalThis as { [key: symbol]: unknown };

/**
 * One set per process: the bundle may contain this module twice, once where secrets are found and once where text is
 * printed.
 */
registry[Symbol.for('perp.secrets')] ??= new Set<string>();
const known = registry[Symbol.for('perp.secrets')] as Set<string>;

/** Shorter texts are not real credentials, and hiding them would hide ordinary words. */
const shortest = 8;

/** From now on this text is removed from everything the process prints, since a server may echo it. */
export function hideSecret(secret: string): void {
  if (secret.length < shortest) return;
  known.add(secret);
  known.add(encodeURIComponent(secret));
  known.add(JSON.stringify(secret).slice(1, -1));
}

/** The format of keys and session tokens, with any prefix. Only the prefix, which tells the hosts apart, is kept. */
const credentialLike = /\b([A-Za-z][A-Za-z0-9]{0,40}_(?:(?:live|test|session)_){1,4})[A-Za-z0-9_-]{12,}/g;

/** Removes known secrets and anything that looks like a credential from text that may repeat user input. */
export function withoutCredentials(text: string): string {
  return withoutSecrets(text).replace(credentialLike, '$1[hidden]');
}

/** Replaces every known secret in a text. */
export function withoutSecrets(text: string): string {
  let safe = text;
  for (const secret of known) if (safe.includes(secret)) safe = safe.replaceAll(secret, '[hidden]');
  return safe;
}

/** A text without the signs of one kind at its end. */
export function withoutEnd(text: string, sign: string): string {
  let { length } = text;
  while (text[length - 1] === sign) length -= 1;
  return text.slice(0, length);
}

/** A word as a shell takes it: quoted if it must be. */
export function shellWord(word: string): string {
  return /^(?!=)[\w.:/@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Control characters, and the invisible ones that reorder or hide text: none may reach a terminal. */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Text from elsewhere, made safe for a terminal: what could act instead of being read is written out as `\u001b`. */
export function plain(text: string): string {
  return text.toWellFormed().replace(unprintable, escaped);
}

/** The same for our own messages, which may have several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** A value as JSON text; characters that a terminal could act on are escaped, which leaves the value the same. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(/[^\n\u0020-\u007e]/g, (character) =>
    unprintableOne.test(character) ? escaped(character) : character,
  );
}

const unprintableOne = new RegExp(unprintable.source);

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

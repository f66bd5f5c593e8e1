/**
 * Splits a command into lines of this width that a shell still reads as one command: broken between words, after a pipe
 * unchanged, otherwise with a backslash. An option stays with its value if both fit. Windows shells have no such
 * continuation, so there the command stays whole.
 */
export function commandLines(command: string, width: number): string[] {
  if (command.length <= width || process.platform === 'win32') return [command];
  const units = unitsOf(command, width - indent.length - mark.length);
  const lines: string[] = [];
  let current = units[0]!;
  for (const [at, unit] of units.entries()) {
    if (at === 0) continue;
    const longer = `${current} ${unit}`;
    const ends = at === units.length - 1 || unit === '|';
    if (longer.length + (ends ? 0 : mark.length) <= width) current = longer;
    else {
      lines.push(current.endsWith('|') ? current : current + mark);
      current = indent + unit;
    }
  }
  return [...lines, current];
}

const indent = '  ';
const mark = ' \\';

const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' };

/** The words of a command as written; quoted or bracketed text stays in one word. */
function wordsOf(command: string): string[] {
  const words = [''];
  let awaited: string | undefined;
  for (const character of command) {
    if (awaited === undefined && character === ' ') words.push('');
    else {
      words.push(words.pop() + character);
      awaited = awaited === undefined ? closing[character] : character === awaited ? undefined : awaited;
    }
  }
  return words.filter((word) => word !== '');
}

/** Words, with quoted and bracketed text kept whole; an option and its value are one unit if they fit. */
function unitsOf(command: string, width: number): string[] {
  const units: string[] = [];
  for (const word of wordsOf(command)) {
    const before = units.at(-1);
    const belongs = before !== undefined && /^--?\w[\w-]*$/.test(before) && /^[^-|>]/.test(word);
    if (belongs && before.length + 1 + word.length <= width) units[units.length - 1] = `${before} ${word}`;
    else units.push(word);
  }
  return units;
}

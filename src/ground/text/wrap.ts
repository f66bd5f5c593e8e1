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

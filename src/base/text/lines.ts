/** A line of input, counted from 1, or the reason it is not a command. */
export type NumberedLine = { number: number } & ({ text: string } | { problem: string });

const maxBytes = 1 << 20;
const lineFeed = 0x0a;

/** Lines as they arrive. Memory use is one chunk and one line, however long the input. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine, void> {
  let number = 0;
  let begun: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > maxBytes) begun = [];
    else if (piece.length > 0) begun.push(piece);
  };
  const line = (): NumberedLine => {
    const content =
      length > maxBytes ? { problem: 'The line is too long for a command.' } : contentOf(begun, number === 0);
    begun = [];
    length = 0;
    return { number: ++number, ...content };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      yield line();
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield line();
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a line strictly: replacement characters would make it another command. */
function contentOf(pieces: readonly Uint8Array[], isFirst: boolean): { text: string } | { problem: string } {
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    const shown = new TextDecoder().decode(bytes);
    return isComment(shown) ? { text: shown } : { problem: 'The line is not UTF-8 text.' };
  }
  if (isFirst) text = text.replace(/^\ufeff/, '');
  if (text.includes('\0') && !isComment(text)) return { problem: 'The line contains a NUL character.' };
  return { text };
}

function isComment(text: string): boolean {
  return text.trimStart().startsWith('#');
}

/** A line of input, counted from 1; `text` is undefined when it is longer than a command can be. */
export interface NumberedLine {
  number: number;
  text: string | undefined;
}

const mostCharacters = 1 << 20;

/** Lines as they arrive. What is held is one chunk and one line, however long the input goes on. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine, void> {
  const decoder = new TextDecoder();
  let number = 0;
  let begun = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [at, piece] of pieces.entries()) {
      if (begun.length + piece.length > mostCharacters) isTooLong = true;
      begun = isTooLong ? '' : begun + piece;
      if (at === pieces.length - 1) break;
      yield { number: ++number, text: isTooLong ? undefined : begun };
      begun = '';
      isTooLong = false;
    }
  }
  if (begun !== '' || isTooLong) yield { number: ++number, text: isTooLong ? undefined : begun };
}

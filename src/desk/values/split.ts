import { usageFailure } from '../../base/failure/failure.ts';
import { shortened } from '../../base/text/plain-text.ts';

/**
 * Splits a line into words as a shell does. Spaces separate words. Single quotes keep everything; double quotes keep
 * everything but a backslash before `"` or `\`. Outside quotes, a backslash keeps the next character, and `#` at the
 * start of a word starts a comment. Nothing is expanded. Throws a usage failure for an unclosed quote.
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let rest = line.trimStart();
  while (rest !== '' && !rest.startsWith('#')) {
    const word = wordPattern.exec(rest)![0];
    words.push(unquoted(word, line));
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

const wordPattern = /^(?:[^\s'"\\]|\\.|\\$|'[^']*(?:'|$)|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/s;
const piecePattern = /\\(.?)|'([^']*)('?)|"((?:[^"\\]|\\.)*)("?)/gs;

function unquoted(word: string, line: string): string {
  return word.replace(
    piecePattern,
    (piece, escaped?: string, single?: string, singleEnd?: string, double?: string, doubleEnd?: string) => {
      if (escaped !== undefined && piece.startsWith('\\')) {
        if (escaped === '')
          throw usageFailure(
            "A command can't continue on the next line, but this line ends with a backslash.",
            shortened(line.trim()),
          );
        return escaped;
      }
      if (singleEnd === '' || doubleEnd === '') throw usageFailure(`Unclosed quote: ${shortened(line.trim())}`);
      return single ?? double!.replace(/\\(["\\])/g, '$1');
    },
  );
}

import { usageFailure } from '../failure/failure.ts';
import { shortened } from '../text/quoted.ts';

/**
 * Splits a line into words as a shell does: blanks separate, single quotes keep everything, double quotes everything but
 * a backslash before `"` or `\`, outside quotes a backslash keeps the next character, `#` at the start of a word begins
 * a comment. Nothing is expanded. Throws a usage failure for a quote that is not closed.
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
          throw usageFailure('A command ends with its line; this one ends with a backslash.', shortened(line.trim()));
        return escaped;
      }
      if (singleEnd === '' || doubleEnd === '') throw usageFailure(`A quote is not closed: ${shortened(line.trim())}`);
      return single ?? double!.replace(/\\(["\\])/g, '$1');
    },
  );
}

/** Longer words are not compared: they are not typos of a known name. */
const longestComparable = 64;

/**
 * The word that `word` was probably meant to be, or undefined: the same except for case and separators (`reduceOnly`
 * for `reduce_only`), else the closest within one typo, or two in a word of six letters and more.
 */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  if (word.length > longestComparable) return undefined;
  const letters = lettersOf(word);
  let best: string | undefined;
  let bestDistance = letters.length < 6 ? 2 : 3;
  for (const candidate of words) {
    const distance = editDistance(letters, lettersOf(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_.-]/g, '');
}

/** Insertions, deletions, substitutions and swaps of neighbors from `a` to `b`; may stop counting at `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let steps = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) steps = Math.min(steps, beforeLast[column - 2]! + 1);
      current.push(steps);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

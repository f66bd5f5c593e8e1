/** Spaces between two columns of a table. */
export const columnGap = 2;

/**
 * The indexes of the columns to show, or undefined when the mandatory ones don't fit. Columns that are not `filled` are
 * omitted; of the others, those with the highest `keep` are kept.
 */
export function columnsThatFit(
  columns: readonly { readonly keep?: number }[],
  widths: readonly number[],
  filled: readonly boolean[],
  width: number,
): number[] | undefined {
  const all = columns.map((_, at) => at).filter((at) => filled[at]);
  const shown = new Set(all.filter((at) => columns[at]!.keep === undefined));
  let left = width + columnGap - [...shown].reduce((sum, at) => sum + widths[at]! + columnGap, 0);
  if (left < 0) return undefined;
  for (const at of all
    .filter((at) => !shown.has(at))
    .sort((one, other) => columns[other]!.keep! - columns[one]!.keep!)) {
    if (widths[at]! + columnGap > left) continue;
    shown.add(at);
    left -= widths[at]! + columnGap;
  }
  return all.filter((at) => shown.has(at));
}

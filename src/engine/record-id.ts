/** `ord_0000000z`: a record's id from its number, in fixed width so that ids sort as numbers do. */
export function idOf(prefix: string, sequence: number): string {
  return `${prefix}_${sequence.toString(36).padStart(9, '0')}`;
}

/** The number that `idOf` made an id from; of any other text NaN, or a number whose record has another id. */
export function sequenceOf(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('_') + 1), 36);
}

/** `ord_0000000z`: a record's id from its number, with a fixed width, so that ids sort like numbers. */
export function idOf(prefix: string, sequence: number): string {
  return `${prefix}_${sequence.toString(36).padStart(9, '0')}`;
}

/** The number that `idOf` made an id from; for any other text NaN, or a number whose record has another id. */
export function sequenceOf(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('_') + 1), 36);
}

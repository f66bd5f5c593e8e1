/*
 * Versions of what a source shows. Raise `catalog` when a market's definition changes, comes or goes, `prices` when a book
 * or a print at any moment does. States remember under which versions they were written, and go on under new ones.
 */

export const syntheticVersions = { catalog: 2, prices: 2 } as const;

/** Of a recording these are the rules by which its lines become markets and books. */
export const recordedVersions = { catalog: 1, prices: 1 } as const;

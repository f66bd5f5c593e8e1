/*
 * Versions of the data that a source shows. Raise `catalog` when a market is added, removed or redefined, and `prices`
 * when any book or print changes. A state records the versions under which it was written, and continues under newer
 * ones.
 */

/** For synthetic books: versions of the catalog and of the prices that a new state gets. */
export const syntheticVersions = { catalog: 2, prices: 4 } as const;

/** For a recording: version of the rules that turn its lines into markets and books. */
export const recordedVersions = { catalog: 1, prices: 1 } as const;

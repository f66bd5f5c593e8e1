import { rulesVersion } from '../engine/version.ts';

/*
 * Versions of the data that a source shows. Raise `catalog` when a market is added, removed or redefined, and `prices`
 * when any book or print changes. A state records the versions under which it was written, and continues under newer
 * ones.
 */

/** For synthetic books: versions of the catalog and of the prices that a new state gets. */
export const syntheticVersions = { catalog: 2, prices: 4 } as const;

/** For a recording: version of the rules that turn its lines into markets and books. */
const recordedVersions = { catalog: 1, prices: 1 } as const;

/**
 * Versions of everything that determines the effect of a command log's commands: the rules of the exchange, its
 * markets, their prices.
 */
export interface Versions {
  rules: number;
  catalog: number;
  prices: number;
}

/** The versions of this perp, by the kind of a state's source. */
export const currentVersions: Readonly<Record<'synthetic' | 'recorded' | 'live', Versions>> = {
  synthetic: { rules: rulesVersion, ...syntheticVersions },
  recorded: { rules: rulesVersion, ...recordedVersions },
  live: { rules: rulesVersion, ...recordedVersions },
};

/** Whether commands have the same effect under both. */
export function areSame(one: Versions, other: Versions): boolean {
  return one.rules === other.rules && one.catalog === other.catalog && one.prices === other.prices;
}

/** Versions as text: `rules 5, catalog 2, prices 4`. */
export function versionsText({ rules, catalog, prices }: Versions): string {
  return `rules ${rules}, catalog ${catalog}, prices ${prices}`;
}

import type { Changes } from '../engine/commands.ts';

/** Whether nothing but time passed: then there is nothing to write. */
export function areEmpty(changes: Changes): boolean {
  return (
    changes.halt === null &&
    changes.orders.size === 0 &&
    changes.accounts.size === 0 &&
    changes.positions.size === 0 &&
    changes.consumption.size === 0 &&
    changes.ledger.length === 0 &&
    changes.explanations.length === 0 &&
    changes.twaps.size === 0 &&
    changes.scaled.size === 0 &&
    changes.operations.size === 0 &&
    changes.copyGroups.size === 0 &&
    changes.deletedCopyGroups.size === 0
  );
}

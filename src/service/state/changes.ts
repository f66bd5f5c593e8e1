import type { Changes, OpenState } from '../../exchange/engine/commands.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { emptyChanges } from '../../exchange/engine/world/world.ts';

/** Whether only time passed, so there is nothing to write. */
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

/** Changes in which nothing happened. */
export function onlyTime({ sequence, settleSequence, ledgerSequence }: OpenState, time: Ms): Changes {
  return { ...emptyChanges(), time, sequence, settleSequence, ledgerSequence };
}

/** Combines successive changes into one. */
export class ChangeSum {
  #sum: Changes | null = null;

  add(next: Changes): void {
    const sum = this.#sum;
    if (sum === null) {
      this.#sum = {
        ...next,
        accounts: new Map(next.accounts),
        orders: new Map(next.orders),
        positions: new Map(next.positions),
        twaps: new Map(next.twaps),
        scaled: new Map(next.scaled),
        copyGroups: new Map(next.copyGroups),
        operations: new Map(next.operations),
        consumption: new Map(next.consumption),
        deletedCopyGroups: new Set(next.deletedCopyGroups),
        ledger: [...next.ledger],
        explanations: [...next.explanations],
      };
      return;
    }
    sum.time = next.time;
    sum.sequence = next.sequence;
    sum.settleSequence = next.settleSequence;
    sum.ledgerSequence = next.ledgerSequence;
    sum.halt = next.halt ?? sum.halt;
    addAll(sum.accounts, next.accounts);
    addAll(sum.orders, next.orders);
    addAll(sum.positions, next.positions);
    addAll(sum.twaps, next.twaps);
    addAll(sum.scaled, next.scaled);
    addAll(sum.copyGroups, next.copyGroups);
    addAll(sum.operations, next.operations);
    addAll(sum.consumption, next.consumption);
    for (const id of next.deletedCopyGroups) {
      sum.copyGroups.delete(id);
      sum.deletedCopyGroups.add(id);
    }
    for (const posting of next.ledger) sum.ledger.push(posting);
    for (const line of next.explanations) sum.explanations.push(line);
  }

  /** Returns the sum, null if there is none, and starts over. */
  take(): Changes | null {
    const sum = this.#sum;
    this.#sum = null;
    return sum;
  }
}

function addAll<T>(sum: Map<string, T>, next: ReadonlyMap<string, T>): void {
  for (const [id, record] of next) sum.set(id, record);
}

import type { Changes, OpenState } from '../../exchange/engine/commands.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { emptyChanges } from '../../exchange/engine/world/world.ts';

/** Changed records, by id. */
const records = [
  'accounts',
  'orders',
  'positions',
  'twaps',
  'scaled',
  'copyGroups',
  'operations',
  'consumption',
] as const;

/** Whether only time passed, so there is nothing to write. */
export function areEmpty(changes: Changes): boolean {
  const { halt, ledger, explanations, deletedCopyGroups } = changes;
  const others = ledger.length + explanations.length + deletedCopyGroups.size;
  return halt === null && others === 0 && records.every((name) => changes[name].size === 0);
}

/** Changes in which nothing happened. */
export function onlyTime({ sequence, settleSequence, ledgerSequence }: OpenState, time: Ms): Changes {
  return { ...emptyChanges(), time, sequence, settleSequence, ledgerSequence };
}

/** Combines successive changes into one. */
export class ChangeSum {
  #sum: Changes | null = null;

  add(next: Changes): void {
    this.#sum ??= emptyChanges();
    const sum = this.#sum;
    const { time, sequence, settleSequence, ledgerSequence, halt } = next;
    Object.assign(sum, { time, sequence, settleSequence, ledgerSequence, halt: halt ?? sum.halt });
    for (const name of records)
      for (const [id, record] of next[name]) (sum[name] as Map<string, unknown>).set(id, record);
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

import type { ExitOperation } from '../commands.ts';

interface Issue {
  field: string;
  issue: string;
}

/** Issues within a batch of exit operations, by wire field (simulation 4.3): orders named twice, invalid OCO pairs. */
export function batchIssues(operations: readonly ExitOperation[]): Issue[] {
  return [...repeatedTargets(operations), ...pairIssues(operations)];
}

function repeatedTargets(operations: readonly ExitOperation[]): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [at, operation] of operations.entries()) {
    if (operation.kind === 'place') continue;
    if (seen.has(operation.orderId)) {
      issues.push({ field: `operations[${at}].order_id`, issue: 'names an order that another operation changes' });
    }
    seen.add(operation.orderId);
  }
  return issues;
}

/**
 * Mutual and forward references are fine; pairing with itself, the same group, a third leg or an existing order is not.
 */
function pairIssues(operations: readonly ExitOperation[]): Issue[] {
  const partners = new Map<number, number>();
  const issues: Issue[] = [];
  for (const [at, operation] of operations.entries()) {
    if (operation.kind !== 'place' || operation.ocoPairWithOperationIndex === null) continue;
    const issue = pairIssue(operations, at, operation.ocoPairWithOperationIndex, partners);
    if (issue !== null) issues.push({ field: `operations[${at}].oco_pair_with_operation_index`, issue });
  }
  return issues;
}

function pairIssue(
  operations: readonly ExitOperation[],
  at: number,
  other: number,
  partners: Map<number, number>,
): string | null {
  if (other === at) return 'pairs the operation with itself';
  const partner = operations[other];
  if (partner === undefined) return 'does not name an operation of the batch';
  if (partner.kind !== 'place') return 'names an operation that places nothing';
  const self = operations[at]!;
  if (self.kind === 'place' && partner.group === self.group) return 'pairs two legs of the same group';
  const isTaken = (partners.get(at) ?? other) !== other || (partners.get(other) ?? at) !== at;
  if (isTaken) return 'makes a third leg of a pair';
  partners.set(at, other);
  partners.set(other, at);
  return null;
}

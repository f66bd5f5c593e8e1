import type { ValidationIssue } from './errors.ts';
import type { FieldRule } from './operation.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Rules between the operations of an exit batch (simulation 4.3): a leg pairs with one placed leg of the opposite
 * group, and an order is changed only once. Mutual pairs and forward references are fine.
 */
export const exitBatchIssues: FieldRule = ({ operations }) => {
  if (!Array.isArray(operations)) return [];
  const batch = operations.map(asFields);
  return [...pairingIssues(batch), ...repetitionIssues(batch)];
};

/** Pairs form in the order in which they are named. Naming a leg that already has a partner is an error. */
function pairingIssues(batch: readonly Fields[]): ValidationIssue[] {
  const partners = new Map<number, number>();
  const issues: ValidationIssue[] = [];
  for (const [index, leg] of batch.entries()) {
    const named = leg.oco_pair_with_operation_index;
    if (leg.kind !== 'place' || !isIndex(named)) continue;
    const issue = mismatch(batch, index, named) ?? thirdLeg(partners, index, named);
    if (issue !== null) issues.push({ field: `operations[${index}].oco_pair_with_operation_index`, issue });
    else partners.set(index, named).set(named, index);
  }
  return issues;
}

function mismatch(batch: readonly Fields[], index: number, named: number): string | null {
  const other = batch[named];
  if (named === index) return 'must name another operation, not its own';
  if (other === undefined) return `must name one of the ${batch.length} operations, counted from 0`;
  if (other.kind !== 'place') return `must name an operation that places a leg; operations[${named}] does not`;
  const isSameGroup = other.group === batch[index]!.group;
  return isSameGroup ? `must name a leg of the other group; operations[${named}] is ${other.group} too` : null;
}

function thirdLeg(partners: ReadonlyMap<number, number>, index: number, named: number): string | null {
  for (const [leg, other] of [
    [index, named],
    [named, index],
  ] as const) {
    const partner = partners.get(leg) ?? other;
    if (partner !== other) return `must not make a third leg; operations[${leg}] pairs with operations[${partner}]`;
  }
  return null;
}

function repetitionIssues(batch: readonly Fields[]): ValidationIssue[] {
  const changedBy = new Map<string, number>();
  const issues: ValidationIssue[] = [];
  for (const [index, { order_id: id }] of batch.entries()) {
    if (typeof id !== 'string') continue;
    const first = changedBy.get(id);
    if (first === undefined) changedBy.set(id, index);
    else issues.push({ field: `operations[${index}].order_id`, issue: `is already changed by operations[${first}]` });
  }
  return issues;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

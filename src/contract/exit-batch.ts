import type { FieldRule } from './operation.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What must agree between the operations of an exit batch (simulation 4): a leg pairs with one placed leg of the
 * opposite group, and an order is changed once. Mutual pairs and forward references are fine.
 */
export const exitBatchIssues: FieldRule = ({ operations }) => {
  if (!Array.isArray(operations)) return [];
  const batch = operations.map(asFields);
  return batch.flatMap((_, index) => {
    const pairing = pairingIssue(batch, index);
    const repeat = repeatIssue(batch, index);
    return [
      ...(pairing === null ? [] : [{ field: `operations[${index}].oco_pair_with_operation_index`, issue: pairing }]),
      ...(repeat === null ? [] : [{ field: `operations[${index}].order_id`, issue: repeat }]),
    ];
  });
};

function pairingIssue(batch: readonly Fields[], index: number): string | null {
  const leg = batch[index]!;
  const partner = leg.oco_pair_with_operation_index;
  if (leg.kind !== 'place' || typeof partner !== 'number' || !Number.isSafeInteger(partner)) return null;
  if (partner === index) return 'must name another operation, not its own';
  const other = batch[partner];
  if (other === undefined) return `must name one of the ${batch.length} operations, counted from 0`;
  if (other.kind !== 'place') return `must name an operation that places a leg; operations[${partner}] does not`;
  if (other.group === leg.group)
    return `must name a leg of the other group; operations[${partner}] is ${other.group} too`;
  const back = other.oco_pair_with_operation_index;
  const isTaken = (typeof back === 'number' && back !== index) || isNamedBefore(batch, index, partner);
  return isTaken ? `must not make a third leg; operations[${partner}] is paired already` : null;
}

/** An earlier leg than this one already pairs with the same partner, or with this one while this one pairs elsewhere. */
function isNamedBefore(batch: readonly Fields[], index: number, partner: number): boolean {
  return batch.some(
    (leg, at) =>
      leg.kind === 'place' &&
      ((at < index && leg.oco_pair_with_operation_index === partner) ||
        (at !== partner && leg.oco_pair_with_operation_index === index)),
  );
}

function repeatIssue(batch: readonly Fields[], index: number): string | null {
  const id = batch[index]!.order_id;
  if (typeof id !== 'string') return null;
  const first = batch.findIndex((operation) => operation.order_id === id);
  return first === index ? null : `is changed by operations[${first}] already`;
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

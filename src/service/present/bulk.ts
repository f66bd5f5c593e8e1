import type { CancelAllOrdersOperation, CloseAllPositionsOperation } from '../../contract/accounts.ts';
import type { Order as WireOrder } from '../../contract/orders.ts';
import type { BulkOperation, BulkResult } from '../../engine/model.ts';

/** A cancel-all in wire form (contract: CancelAllOrdersOperation). */
export function presentCancelAll(operation: BulkOperation): CancelAllOrdersOperation {
  return {
    ...counts(operation),
    operation: 'cancel_all_orders',
    results: operation.results.map((result) => ({
      order_id: result.targetId,
      status: result.status as 'canceled' | 'queued' | 'failed',
      queued: result.status === 'queued' ? true : undefined,
      failure_code: result.failureCode ?? undefined,
    })),
  };
}

/** A close-all in wire form (contract: CloseAllPositionsOperation); `order` finds a result's child order. */
export function presentCloseAll(
  operation: BulkOperation,
  order: (id: string) => WireOrder | undefined,
): CloseAllPositionsOperation {
  return {
    ...counts(operation),
    operation: 'close_all_positions',
    results: operation.results.map((result) => ({
      position_id: result.targetId,
      status: result.status as 'submitted' | 'failed',
      order: result.orderId === null ? undefined : order(result.orderId),
      // It was open when the snapshot was taken, so if the exchange no longer finds it, it is closed, as for a single
      // close.
      failure_code: result.failureCode === 'not_found' ? 'conflict' : (result.failureCode ?? undefined),
      rule_id: result.ruleId ?? undefined,
    })),
  };
}

function counts(operation: BulkOperation) {
  const failed = operation.results.filter(isFailed).length;
  return {
    id: operation.id,
    account_id: operation.accountId,
    status: operation.status,
    total_count: operation.targets.length,
    succeeded_count: operation.results.length - failed,
    failed_count: failed,
    created_at: operation.createdAt,
    completed_at: operation.completedAt ?? undefined,
  };
}

function isFailed(result: BulkResult): boolean {
  return result.status === 'failed';
}

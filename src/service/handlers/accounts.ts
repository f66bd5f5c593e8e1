import type { BulkOperation, CopyGroup } from '../../exchange/engine/model.ts';
import {
  type CancelAllOrdersOperation,
  type CloseAllPositionsOperation,
  CopyTradingConfiguration,
  CopyTradingGroupInput,
} from '../../wire/contract/accounts.ts';
import type { Order as WireOrder } from '../../wire/contract/orders.ts';
import { presentAccount } from '../present/account.ts';
import { orderPresenter, policyOf } from '../present/presenters.ts';
import { given, requested, wireForm } from '../present/wire-form.ts';
import type { Turn } from '../simulation/simulation.ts';
import { ownAccount, ownAccountId, ownAccounts, ownCopyGroup } from './lookup.ts';
import { type Answer, type Call, done, doneWithoutRejection, found, type Handler, once } from './operations.ts';

const secondsBetweenSlices = 1;

/** GET /v1/accounts (API 4.2). */
export const listAccounts: Handler<'listAccounts'> = ({ principal }, turn) =>
  found(ownAccounts(turn, principal).map((account) => presentAccount(account, turn.exchange.risk(account.id))));

/** GET /v1/accounts/{account_id} (API 4.2). */
export const getAccount: Handler<'getAccount'> = ({ principal, path }, turn) => {
  const account = ownAccount(turn, principal, path.account_id);
  return found(presentAccount(account, turn.exchange.risk(account.id)));
};

/** GET /v1/accounts/{account_id}/trading-policy (API 4.2). */
export const getAccountTradingPolicy: Handler<'getAccountTradingPolicy'> = ({ principal, path }, turn) =>
  found(policyOf(ownAccount(turn, principal, path.account_id), turn));

/** POST /v1/accounts/{account_id}/cancel-all-orders (API 4.2.1). */
export const cancelAllAccountOrders: Handler<'cancelAllAccountOrders'> = (call, turn) =>
  bulk(call, turn, 'cancel_all_orders', presentCancelAll);

/** POST /v1/accounts/{account_id}/close-all-positions (API 4.2.2). */
export const closeAllAccountPositions: Handler<'closeAllAccountPositions'> = (call, turn) => {
  const present = orderPresenter(call);
  return bulk(call, turn, 'close_all_positions', (operation) =>
    presentCloseAll(operation, (id) => {
      const order = turn.store.order(id);
      return order === null ? undefined : present(order);
    }),
  );
};

/**
 * A bulk operation: the first call fixes the snapshot and does a part, each further call with the same key does the
 * next, and once it is complete the key replays the stored results (API 4.2.1, 4.2.2).
 */
function bulk<T>(
  call: Call<'cancelAllAccountOrders'> | Call<'closeAllAccountPositions'>,
  turn: Turn,
  kind: BulkOperation['kind'],
  present: (operation: BulkOperation) => T,
): Answer<{ data: T }> {
  const accountId = ownAccountId(turn, call.principal, call.path.account_id);
  const { weather } = call.simulation;
  const perCall = weather?.profile.bulk_step || undefined;
  const progress = (operation: BulkOperation): Answer<{ data: T }> => {
    weather?.survival.bulk(operation.id, operation.status === 'completed');
    const body = { data: present(operation) };
    if (operation.status === 'completed') return { status: 201, body };
    return { status: 202, body, headers: { 'retry-after': String(secondsBetweenSlices) } };
  };
  return once(call, turn, {
    replay: (id) => {
      const operation = turn.store.operation(id)!;
      if (operation.status === 'completed') return found(present(operation));
      return progress(done(turn.execute({ kind: 'continue_bulk', operationId: id, perCall })).operation!);
    },
    act: () => {
      const operation = done(turn.execute({ kind: 'start_bulk', operation: kind, accountId, perCall })).operation!;
      return { resourceKind: 'operation', resourceId: operation.id, answer: progress(operation) };
    },
  });
}

/** POST /v1/accounts/{account_id}/acknowledge-copy-stop (API 4.2). */
export const acknowledgeCopyTradingStop: Handler<'acknowledgeCopyTradingStop'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.path.account_id);
  doneWithoutRejection(turn.execute({ kind: 'acknowledge_copy_stop', accountId, stoppedAt: call.body.stopped_at }));
  return found({ ok: true });
};

/** A cancel-all in wire form (contract: CancelAllOrdersOperation). */
function presentCancelAll(operation: BulkOperation): CancelAllOrdersOperation {
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
function presentCloseAll(
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
  const failed = operation.results.filter((result) => result.status === 'failed').length;
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

/**
 * GET /v1/copy-trading (API 4.7): lead and followers always have the same owner, so every group is fully accessible.
 */
export const listCopyTradingConfigurations: Handler<'listCopyTradingConfigurations'> = ({ principal }, turn) =>
  found(turn.store.copyGroups(principal.owner, principal.environment).map(presentCopyGroup));

/** POST /v1/copy-trading (API 4.7): all or nothing. */
export const saveCopyTradingConfigurations: Handler<'saveCopyTradingConfigurations'> = (call, turn) => {
  const { principal, body } = call;
  const { owner, environment } = principal;
  for (const { config_id, source_account_id, targets } of body.groups) {
    if (config_id !== undefined) ownCopyGroup(turn, principal, config_id);
    for (const id of [source_account_id, ...targets.map(({ account_id }) => account_id)])
      ownAccountId(turn, principal, id);
  }
  for (const id of body.deleted_config_ids) ownCopyGroup(turn, principal, id);
  const { configIds } = doneWithoutRejection(
    turn.execute({
      kind: 'save_copy_groups',
      owner,
      environment,
      groups: body.groups.map((group) => ({
        ...requested(CopyTradingGroupInput, group),
        targets: group.targets.map(given),
      })),
      deletedConfigIds: body.deleted_config_ids,
    }),
  );
  return found({ ok: true, config_ids: configIds });
};

/** POST /v1/copy-trading/{config_id}/disable (API 4.7). */
export const disableCopyTradingConfiguration: Handler<'disableCopyTradingConfiguration'> = (call, turn) => {
  const { owner, environment } = call.principal;
  const { id: configId } = ownCopyGroup(turn, call.principal, call.path.config_id);
  doneWithoutRejection(turn.execute({ kind: 'disable_copy_group', owner, environment, configId }));
  return found({ ok: true, config_ids: [configId] });
};

/** A copy-trading group in wire form. */
function presentCopyGroup(group: CopyGroup): CopyTradingConfiguration {
  return wireForm(CopyTradingConfiguration, group, {
    config_id: group.id,
    targets: group.targets.map(({ accountId, multiplierBps }) => ({
      account_id: accountId,
      multiplier_bps: multiplierBps,
    })),
  });
}

import type { BulkOperation } from '../../engine/model.ts';
import { once } from '../idempotency.ts';
import { ownAccount, ownAccountId } from '../lookup.ts';
import { type Answer, type Call, found, type Handler } from '../operations.ts';
import { presentAccount } from '../present/account.ts';
import { presentCancelAll, presentCloseAll } from '../present/bulk.ts';
import { orderPresenter, policyOf } from '../presenters.ts';
import { done, plainlyDone } from '../refusal.ts';
import type { Moment } from '../simulation.ts';

const secondsBetweenSlices = 1;

/** GET /v1/accounts (API 4.2). */
export const listAccounts: Handler<'listAccounts'> = ({ principal }, moment) =>
  found(
    moment.store
      .accounts(principal.owner, principal.environment)
      .map((account) => presentAccount(account, moment.exchange.risk(account.id))),
  );

/** GET /v1/accounts/{account_id} (API 4.2). */
export const getAccount: Handler<'getAccount'> = ({ principal, path }, moment) => {
  const account = ownAccount(moment, principal, path.account_id);
  return found(presentAccount(account, moment.exchange.risk(account.id)));
};

/** GET /v1/accounts/{account_id}/trading-policy (API 4.2). */
export const getAccountTradingPolicy: Handler<'getAccountTradingPolicy'> = ({ principal, path }, moment) =>
  found(policyOf(ownAccount(moment, principal, path.account_id), moment));

/** POST /v1/accounts/{account_id}/cancel-all-orders (API 4.2.1). */
export const cancelAllAccountOrders: Handler<'cancelAllAccountOrders'> = (call, moment) =>
  bulk(call, moment, 'cancel_all_orders', presentCancelAll);

/** POST /v1/accounts/{account_id}/close-all-positions (API 4.2.2). */
export const closeAllAccountPositions: Handler<'closeAllAccountPositions'> = (call, moment) => {
  const present = orderPresenter(call);
  return bulk(call, moment, 'close_all_positions', (operation) =>
    presentCloseAll(operation, (id) => {
      const order = moment.store.order(id);
      return order === null ? undefined : present(order);
    }),
  );
};

/**
 * A bulk operation: the first call fixes the snapshot and does a slice, every further one with the same key does the
 * next, and once it is completed the key replays the stored results (API 4.2.1, 4.2.2).
 */
function bulk<T>(
  call: Call<'cancelAllAccountOrders'> | Call<'closeAllAccountPositions'>,
  moment: Moment,
  kind: BulkOperation['kind'],
  present: (operation: BulkOperation) => T,
): Answer<{ data: T }> {
  const accountId = ownAccountId(moment, call.principal, call.path.account_id);
  const progress = (operation: BulkOperation): Answer<{ data: T }> => {
    const body = { data: present(operation) };
    if (operation.status === 'completed') return { status: 201, body };
    return { status: 202, body, headers: { 'retry-after': String(secondsBetweenSlices) } };
  };
  return once(call, moment, {
    replay: (id) => {
      const operation = moment.store.operation(id)!;
      if (operation.status === 'completed') return found(present(operation));
      return progress(done(moment.execute({ kind: 'continue_bulk', operationId: id })).operation!);
    },
    act: () => {
      const operation = done(moment.execute({ kind: 'start_bulk', operation: kind, accountId })).operation!;
      return { resourceKind: 'operation', resourceId: operation.id, answer: progress(operation) };
    },
  });
}

/** POST /v1/accounts/{account_id}/acknowledge-copy-stop (API 4.2). */
export const acknowledgeCopyTradingStop: Handler<'acknowledgeCopyTradingStop'> = (call, moment) => {
  const accountId = ownAccountId(moment, call.principal, call.path.account_id);
  plainlyDone(moment.execute({ kind: 'acknowledge_copy_stop', accountId, stoppedAt: call.body.stopped_at }));
  return found({ ok: true });
};

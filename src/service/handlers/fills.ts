import { ownAccountId } from '../lookup.ts';
import type { Handler } from '../operations.ts';
import { page } from '../pages.ts';
import { orderPresenter } from '../presenters.ts';

/** GET /v1/fills (API 4.6). */
export const listFills: Handler<'listFills'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  return page(
    call,
    call.query,
    [accountId],
    (request) => turn.store.fills({ accountId, ...request }),
    orderPresenter(call),
  );
};

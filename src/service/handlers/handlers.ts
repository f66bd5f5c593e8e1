import type { KnownOperationId } from '../../wire/contract/operations.ts';
import * as accounts from './accounts.ts';
import * as admin from './admin.ts';
import * as auth from './auth.ts';
import * as history from './history.ts';
import * as markets from './markets.ts';
import type { Handler } from './operations.ts';
import * as orders from './orders.ts';
import * as positions from './positions.ts';
import * as strategies from './strategies.ts';

/** The handler of each operation; an operation without one does not compile. */
export const handlers: { readonly [Id in KnownOperationId]: Handler<Id> } = {
  ...auth,
  ...accounts,
  ...markets,
  ...orders,
  ...positions,
  ...strategies,
  ...admin,
  ...history,
};

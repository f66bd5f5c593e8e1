import type { OperationId } from '../../wire/contract/operations.ts';

/**
 * How a request is confined to the accounts of its bot. A resource of another account is answered exactly as an unknown
 * one.
 */
type Confined =
  /** It concerns no account. */
  | 'open'
  /** The gate answers it: it would concern the gate's own credential. */
  | 'credential'
  /** It lists accounts, of which the bot sees its own. */
  | 'accounts'
  /** It lists copy groups, of which the bot sees those whose members are all its own. */
  | 'groups'
  /** It may name an account; the rows of its list that belong to others are left out. */
  | 'rows'
  /** It names an account, in its path, its query or its body. */
  | 'account'
  /** It names a resource, whose account is looked up. */
  | 'order'
  | 'position'
  | 'TWAP order'
  | 'scaled order'
  | 'copy-trading group'
  /** It names the members of copy groups, and groups. */
  | 'members';

/** How the gate handles an operation, besides what the contract says. */
export interface Handling {
  readonly confined: Confined;
  /** Its body may have a client order id of the bot, or gets one of the gate. */
  readonly names?: true;
}

/** Every operation of the contract: a new one does not compile without its row. */
export const handling: { readonly [Id in OperationId]: Handling } = {
  getApiInformation: { confined: 'open' },
  listRestrictedCountries: { confined: 'open' },
  exchangeCliAuthorizationCode: { confined: 'credential' },
  revokeCliSession: { confined: 'credential' },
  listAccounts: { confined: 'accounts' },
  getAccount: { confined: 'account' },
  getAccountTradingPolicy: { confined: 'account' },
  cancelAllAccountOrders: { confined: 'account' },
  closeAllAccountPositions: { confined: 'account' },
  acknowledgeCopyTradingStop: { confined: 'account' },
  listMarkets: { confined: 'open' },
  getMarket: { confined: 'open' },
  getMarketQuote: { confined: 'rows' },
  listOpenPositions: { confined: 'account' },
  getPosition: { confined: 'position' },
  closePosition: { confined: 'position', names: true },
  replacePositionExitOrders: { confined: 'position' },
  setPositionIsolatedMargin: { confined: 'position' },
  listOrders: { confined: 'rows' },
  createOrder: { confined: 'account', names: true },
  getOrder: { confined: 'order' },
  modifyOrder: { confined: 'order' },
  cancelOrder: { confined: 'order' },
  updateAttachedExits: { confined: 'order' },
  listFills: { confined: 'account' },
  listActiveTwapOrders: { confined: 'account' },
  createTwapOrder: { confined: 'account' },
  getTwapOrder: { confined: 'TWAP order' },
  cancelTwapOrder: { confined: 'TWAP order' },
  listScaledOrders: { confined: 'account' },
  createScaledOrder: { confined: 'account' },
  getScaledOrder: { confined: 'scaled order' },
  cancelScaledOrder: { confined: 'scaled order' },
  listCopyTradingConfigurations: { confined: 'groups' },
  saveCopyTradingConfigurations: { confined: 'members' },
  disableCopyTradingConfiguration: { confined: 'copy-trading group' },
};

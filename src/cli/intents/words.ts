import type { Intent } from '../../client/intent.ts';
import type { OperationId } from '../../contract/operations.ts';
import { quantity } from '../text/format.ts';
import type { Destination } from './note.ts';

/** What each write does, in a word or two. */
const verbs: Readonly<Partial<Record<OperationId, string>>> = {
  acknowledgeCopyTradingStop: 'acknowledge copy stop of',
  cancelAllAccountOrders: 'cancel all orders of',
  cancelOrder: 'cancel order',
  cancelScaledOrder: 'cancel ladder',
  cancelTwapOrder: 'cancel',
  closeAllAccountPositions: 'close all positions of',
  closePosition: 'close',
  createOrder: 'place',
  createScaledOrder: 'place ladder',
  createTwapOrder: 'start',
  disableCopyTradingConfiguration: 'disable copy group',
  modifyOrder: 'amend order',
  replacePositionExitOrders: 'change exits of',
  revokeCliSession: 'revoke the session',
  saveCopyTradingConfigurations: 'save copy groups',
  setPositionIsolatedMargin: 'set extra margin of',
  updateAttachedExits: 'change attached exits of',
};

/** A write in one line: `place limit buy 0.05 binance|BTCUSDT at 61000`. */
export function wordsOf({ operationId, body, path }: Intent): string {
  const wanted = (body === undefined ? {} : JSON.parse(body)) as Record<string, unknown>;
  const price = wanted.limit_price ?? wanted.price;
  const to = wanted.extra_margin ?? wanted.stopped_at;
  const parts = [
    verbs[operationId as OperationId] ?? operationId,
    ...Object.values(path),
    wanted.strategy,
    wanted.type,
    wanted.side,
    wanted.size,
    wanted.market_id,
    ...(price === undefined ? [] : ['at', price]),
    ...(to === undefined ? [] : ['to', to]),
  ];
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => (typeof part === 'number' ? quantity(part) : part))
    .join(' ');
}

/** Where a write goes, in a word or two: `live`, `sim default`. */
export function destinationWords({ environment, state }: Pick<Destination, 'environment' | 'state'>): string {
  return state === undefined ? environment : `${environment} ${state}`;
}

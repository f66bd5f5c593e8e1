import { IntentFile } from '../../../src/desk/intents/intent-file.ts';
import type { Note } from '../../../src/desk/intents/note.ts';
import { formRequest } from '../../../src/wire/client/form-request.ts';
import { type Intent, intentOf } from '../../../src/wire/client/intent.ts';
import { operations } from '../../../src/wire/contract/operations.ts';

/** No process has this id for long: it is above the ids that Linux assigns. */
export const deadPid = 2 ** 30;

/** A limit order in the form in which it is sent. */
export function orderIntent(key: string, price = 20_000): Intent {
  const body = {
    account_id: 'acc_1',
    market_id: 'binance|BTCUSDT',
    type: 'limit',
    side: 'buy',
    size: 0.01,
    leverage: 1,
    margin_mode: 'cross',
    limit_price: price,
    client_order_id: `perp-${key}`,
  };
  return intentOf(operations.createOrder, formRequest(operations.createOrder, { body }), key);
}

/** A ladder, which carries no id of ours. */
export function ladderIntent(key: string, start_price = 20_000): Intent {
  const shared = { account_id: 'acc_1', market_id: 'binance|BTCUSDT', side: 'buy', size: 0.02 } as const;
  const margin = { leverage: 1, margin_mode: 'cross' } as const;
  const body = { ...shared, ...margin, start_price, end_price: 21_000, rung_count: 2, distribution: 'flat' } as const;
  return intentOf(operations.createScaledOrder, formRequest(operations.createScaledOrder, { body }), key);
}

export function cancelIntent(orderId: string): Intent {
  return intentOf(
    operations.cancelOrder,
    formRequest(operations.cancelOrder, { path: { order_id: orderId } }),
    undefined,
  );
}

/** The intent of a write that a process sent a minute ago to a host; by default the process has ended. */
export function noteOf(intent: Intent, changes: Partial<Note> = {}): Note {
  const time = Date.now() - 60_000;
  return {
    format: 1,
    id: `write-${intent.payloadHash.slice(0, 6)}${intent.idempotencyKey ?? ''}`,
    time,
    until: time + 65_000,
    pid: deadPid,
    environment: 'live',
    baseUrl: 'https://api.example.com',
    intent,
    ...changes,
  };
}

/** Leaves an intent file behind, as a killed process does. Returns its file. */
export function abandon(folder: string, ...notes: Note[]): string {
  const intents = new IntentFile(folder);
  for (const note of notes) intents.open(note);
  const file = intents.file!;
  intents.end();
  return file;
}

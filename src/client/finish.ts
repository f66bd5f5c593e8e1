import type { SaveCopyTradingRequest } from '../contract/copy.ts';
import type { DataOf, KnownOperationId } from '../contract/operations.ts';
import type { ModifyOrderRequest, Order } from '../contract/orders.ts';
import type { Answer, Client } from './client.ts';
import { NoAnswerError, OutcomeUnknownError } from './errors.ts';
import type { Intent } from './intent.ts';
import { sleep } from './retry.ts';
import { look, type Settlement, type SettleOptions, settle, tell } from './settle.ts';

/** How a write without a key ended that got no answer at first. */
export interface Finished<Id extends KnownOperationId> {
  answer: Answer<Id>;
  /** What shows that it is done, where no answer says so. */
  seen?: string;
}

export interface FinishOptions extends Omit<SettleOptions, 'sentAt'> {
  timeoutMs?: number | undefined;
}

const mostSends = 3;
/** Before it is sent again: what made the first one fail may pass, and the first one may arrive. */
const waitBeforeNextMs = 200;
const deadlineMs = 60_000;

/**
 * Brings a write without an idempotency key to its end, after an attempt that got no answer: reads back what it did, and
 * sends again what is not there, where a late first one makes no difference. Rejects with what refused it; with
 * NoAnswerError when it was not done, not even after the time that it may travel; with the given error when that can't be told.
 *
 *     no answer ─► look ─► is it there? ─yes──────────────────────────► done
 *                   ▲          │ no
 *                   │     last one refused? ─yes─────────────────────► its refusal
 *                   │          │ no
 *                   │     twice the same as once? ─yes─► send again ─► its answer
 *                   └────────────────────────────────────┘ none
 *                              │ no
 *                         wait until it would have arrived, look ────► done, or not done
 */
export async function finish<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  options: FinishOptions = {},
): Promise<Finished<Id>> {
  const { intent } = unanswered;
  const begun = Date.now();
  let refusal: Error | undefined;
  for (let sends = 1; ; sends++) {
    const settlement = await look(client, intent, options);
    if (settlement.verdict === 'unknown') throw unanswered;
    if (settlement.verdict === 'applied') {
      await tell(client, intent, settlement);
      return seen(settlement);
    }
    if (refusal !== undefined) {
      await tell(client, intent, { ...settlement, error: refusal });
      throw refusal;
    }
    if (!isOnceWhenTwice(intent, options.before) || sends === mostSends || Date.now() - begun > deadlineMs) break;
    await sleep(Math.min(waitBeforeNextMs, options.travelMs ?? waitBeforeNextMs), options.signal);
    try {
      const again = { signal: options.signal, timeoutMs: options.timeoutMs, isAbsent: true };
      return { answer: await client.repeat<Id>(intent, again) };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      refusal = error.refusal;
    }
  }
  const settlement = await settle(client, intent, options);
  if (settlement.verdict === 'applied') return seen(settlement);
  if (settlement.verdict === 'unknown') throw unanswered;
  const message = `no answer came, and it was not done: ${settlement.reason}`;
  throw new NoAnswerError(message, { cause: unanswered });
}

function seen<Id extends KnownOperationId>(settlement: Settlement & { verdict: 'applied' }): Finished<Id> {
  const data = settlement.data as DataOf<Id>;
  const body = { data } as Answer<Id>['body'];
  const answer = { data, body, status: 200, requestId: undefined, headers: {}, idempotencyKey: undefined };
  return { answer, seen: settlement.reason };
}

/**
 * Whether a write that was sent twice does what one does, whenever the first arrives: it takes away what then is gone,
 * sets what then is so, or is refused when what it saw has changed. A new copy group becomes two. An amendment with a
 * size sets the remainder anew, also after fills; that of an armed limit order moves the trigger, and later the limit.
 */
function isOnceWhenTwice({ operationId, body }: Intent, before: unknown): boolean {
  const wanted = (body === undefined ? {} : JSON.parse(body)) as Partial<ModifyOrderRequest & SaveCopyTradingRequest>;
  if (operationId === 'modifyOrder') return wanted.size === undefined && !hasTwoPrices(before as Order | undefined);
  return wanted.groups?.every((group) => group.config_id !== undefined) ?? true;
}

/** As far as is known. */
function hasTwoPrices(order: Order | undefined): boolean {
  return order === undefined || (order.trigger_price !== undefined && order.limit_price !== undefined);
}

import { hash } from 'node:crypto';
import type { Effect } from '../../../desk/mandate/exposed.ts';

/** The exact request that an approval is bound to. One changed character makes another request. */
export interface ApprovalRequest {
  readonly bot: string;
  readonly account: string;
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  /** The body's JSON text, as the bot sent it. */
  readonly body?: string | undefined;
  /** The bot's idempotency key. Without one, the same request again is another write, and needs another approval. */
  readonly key?: string | undefined;
  /** The gate's own name for the write, as in the audit log. */
  readonly write: string;
}

/** The request's effect, as known now. Undefined is unknown. */
export interface ApprovalFacts {
  /** Where it goes, as the opened service says. */
  readonly destination: string;
  /** The mark of its market, USD. An approval does not hold without it. */
  readonly mark?: number | undefined;
  /** As the mandate judges it now. */
  readonly effect?: Effect | undefined;
}

/** The gate's data on a waiting request. */
export interface Asking {
  /** Its effect; computed again as long as it waits, and before it is let through. */
  facts(): ApprovalFacts;
  /** It begins to wait, under this id: once, also over restarts. */
  began(id: string): void;
}

/**
 * The outcome of a request that needs a person. `approved` is answered once for each approval, ever, also over restarts
 * and to two gates; judge the request again then, because others may have used the room. `used`: it was answered
 * before, so the write may have been sent: look it up, never send it as a new one.
 */
export type ApprovalAnswer =
  | { readonly state: 'approved'; readonly id: string; readonly by: string }
  | { readonly state: 'waits'; readonly id: string; readonly until: number; readonly retryAfterMs: number }
  | { readonly state: 'used' | 'declined' | 'expired' | 'void'; readonly id: string; readonly why: string };

/** How far the mark may move before an approval is void, unless the mandate says otherwise, bps. */
export const defaultApprovalBps = 50;
/** How long a request waits for a person, ms. */
export const requestLastsMs = 15 * 60_000;
/** How long an approval holds until its bot asks again, ms. */
export const approvalLastsMs = 2 * 60_000;
/** A gate that has not said for this long what a request would do no longer answers, ms. */
export const silentMs = 5_000;

/** The hash of the exact request, no matter what the gate calls it. */
export function requestHash(request: ApprovalRequest): string {
  const { bot, account, operation, method, target, body, key } = request;
  return hash('sha256', JSON.stringify([bot, account, operation, method, target, body, key]), 'hex');
}

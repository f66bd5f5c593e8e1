/** The exact request that an approval is bound to. One changed character makes another request. */
export interface ApprovalRequest {
  readonly bot: string;
  readonly account: string;
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  /** The body's JSON text, as the bot sent it. */
  readonly body?: string | undefined;
  /** The bot's idempotency key; without one, each use of an approval needs another one. */
  readonly key?: string | undefined;
}

/** A value before and after an order. */
export interface Change {
  readonly before: number;
  readonly after: number;
}

/** What the order would do, as known now. Undefined is unknown. */
export interface ApprovalFacts {
  /** Where the order goes, as the opened service says. */
  readonly destination: string;
  /** The request in words: `buy 2 BTC at market`. */
  readonly words: string;
  readonly market?: string | undefined;
  /** The mark of that market, USD. An approval does not hold without it. */
  readonly mark?: number | undefined;
  /** Notional, USD. */
  readonly orderUsd?: number | undefined;
  /** The position of that market, base asset: above zero long, below zero short. */
  readonly position?: Change | undefined;
  /** How far the worst case leaves equity above the daily floor and the drawdown floor, USD. */
  readonly dailyRoom?: Change | undefined;
  readonly drawdownRoom?: Change | undefined;
}

/** The mandate's terms of an approval. */
export interface ApprovalTerms {
  /** How long the request waits for a person, and how long an approval then holds, ms. */
  readonly lastsMs: number;
  /** How far the mark may move from the one that the person saw, as a share of it. */
  readonly priceBound: number;
}

/**
 * What became of a request that needs a person. `approved` is answered once for each approval, ever, also over restarts
 * and to two gates; `used`: it was answered before, so the write may have been sent: look it up, never send it as a new one.
 */
export type ApprovalAnswer =
  | { readonly state: 'approved'; readonly id: string; readonly by: string }
  | { readonly state: 'waits'; readonly id: string; readonly until: number; readonly retryAfterMs: number }
  | { readonly state: 'used' | 'declined' | 'expired' | 'void'; readonly id: string; readonly why: string };

/** The gate's side of approvals. */
export interface Approvals extends Disposable {
  /**
   * Waits up to `holdMs` for a person's decision. `facts` is asked again while it waits, so that the person sees what
   * the order would do now, and the price is compared before it is let through. Throws a failure if nothing can be kept.
   */
  require(
    request: ApprovalRequest,
    terms: ApprovalTerms,
    facts: () => ApprovalFacts,
    signal?: AbortSignal,
  ): Promise<ApprovalAnswer>;
}

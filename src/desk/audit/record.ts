/** The mandate under which something happened: its name, and the hash of its terms in effect. */
export interface AuditedMandate {
  readonly name: string;
  readonly hash: string;
}

/** A request with the ids that one side of the gate knows it by. */
interface AuditedRequest {
  readonly method: string;
  readonly target: string;
  /** The body's JSON text. */
  readonly body?: string | undefined;
  /** The idempotency key. */
  readonly key?: string | undefined;
  readonly clientOrderId?: string | undefined;
}

interface OfWrite {
  /** Unix ms, by this machine's clock. */
  readonly time: number;
  readonly bot: string;
  /** The gate's own name for the write, under which its later records follow: its idempotency key upstream. */
  readonly write: string;
}

/** A bot asked for a write, and what the gate decided at once. On disk before anything is sent. */
export interface AuditedAsk extends OfWrite {
  readonly kind: 'asked';
  readonly mandate: AuditedMandate;
  readonly operation: string;
  readonly account?: string | undefined;
  /** As the bot sent it. */
  readonly request: AuditedRequest;
  /** As the service gets it. */
  readonly upstream?: Partial<AuditedRequest> | undefined;
  /** Of a TWAP or ladder: what was listed before it, so that no older twin is taken for it. */
  readonly before?: unknown;
  /** The expected effect, as far as it was judged. */
  readonly preview?: unknown;
  readonly decision: 'allowed' | 'refused' | 'waits';
  /** The term of the mandate that refused it. */
  readonly term?: string | undefined;
  readonly why?: string | undefined;
  /** The approval that it waits for. */
  readonly approval?: string | undefined;
}

/** The outcome of an approval. */
export interface AuditedDecision extends OfWrite {
  readonly kind: 'decided';
  readonly approval: string;
  readonly decision: 'approved' | 'declined' | 'expired' | 'void';
  /** Who typed it. */
  readonly by?: string | undefined;
  readonly why?: string | undefined;
}

/** The service's answer; `unknown` until another record of the same write settles it. */
export interface AuditedOutcome extends OfWrite {
  readonly kind: 'outcome';
  readonly outcome: 'done' | 'refused' | 'unknown' | 'absent' | 'withdrawn';
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** The error's code. */
  readonly code?: string | undefined;
  /** The run of the simulation that answered. */
  readonly run?: string | undefined;
  /** Ids of what it made or changed. */
  readonly ids?: readonly string[] | undefined;
  readonly why?: string | undefined;
}

/** Anything else: the gate starts or ends, a person stops a bot, the log itself was repaired. */
export interface AuditedEvent {
  readonly kind: 'event';
  /** Unix ms, by this machine's clock. */
  readonly time: number;
  /** `started`, `ended`, `bot stopped`, `bot resumed`, `flattened`, `approval refused`, `recovered`, `unsigned`. */
  readonly event: string;
  readonly bot?: string | undefined;
  /** In a sentence. */
  readonly says: string;
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

/** One record of the audit log. It contains no secret: headers never belong to it. */
export type AuditRecord = AuditedAsk | AuditedDecision | AuditedOutcome | AuditedEvent;

/** A record as the log keeps it: numbered from 1, with the SHA-256 of the line before. */
export type KeptRecord = AuditRecord & { readonly seq: number; readonly prev: string };

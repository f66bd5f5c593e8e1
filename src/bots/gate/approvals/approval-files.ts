import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../../base/files/folders.ts';
import type { OwnerSecret, Purpose } from '../../../base/files/owner-secret.ts';
import { createPrivateFile, namesIn, readRegularFile, writePrivateFile } from '../../../base/files/private-files.ts';
import { withoutSecrets } from '../../../base/text/plain-text.ts';
import type { Effect } from '../../../desk/mandate/mandate.ts';

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
  /** Its destination, as the opened service reports it. */
  readonly destination: string;
  /** The mark of its market, USD. An approval isn't valid without it. */
  readonly mark?: number | undefined;
  /** As the mandate judges it now. */
  readonly effect?: Effect | undefined;
}

/** The gate's data on a waiting request. */
export interface Asking {
  /** Its effect; computed again as long as it waits, and before it is let through. */
  facts(): ApprovalFacts;
  /** It begins to wait, under this id: once, even across restarts. */
  began(id: string): void;
}

/**
 * The outcome of a request that needs a person. `approved` is answered once for each approval, ever, even across
 * restarts and to two gates; judge the request again then, because others may have used the room. `used`: it was
 * answered before, so the write may have been sent: look it up, never send it as a new one.
 */
export type ApprovalAnswer =
  | { readonly state: 'approved'; readonly id: string; readonly by: string }
  | { readonly state: 'waits'; readonly id: string; readonly until: number; readonly retryAfterMs: number }
  | { readonly state: 'used' | 'declined' | 'expired' | 'void'; readonly id: string; readonly why: string };

/** The move of the mark that voids an approval, unless the mandate sets another one, bps. */
export const defaultApprovalBps = 50;
/** How long a request waits for a person, ms. */
export const requestLastsMs = 15 * 60_000;
/** How long an approval is valid until its bot asks again, ms. */
export const approvalLastsMs = 2 * 60_000;
/** A gate that hasn't reported a request's effect for this long no longer answers, ms. */
export const silentMs = 5_000;

/** The hash of the exact request, regardless of the gate's name for it. */
export function requestHash(request: ApprovalRequest): string {
  const { bot, account, operation, method, target, body, key } = request;
  return hash('sha256', JSON.stringify([bot, account, operation, method, target, body, key]), 'hex');
}

/** A request that needs a person, as the gate stores it. */
export interface KeptRequest {
  readonly id: string;
  /** Drawn for this request: a decision on another one doesn't fit it. */
  readonly nonce: string;
  readonly request: ApprovalRequest;
  /** The allowed move of the mark, bps. */
  readonly boundBps: number;
  /** Unix ms. */
  readonly askedAt: number;
  readonly until: number;
}

/** The current effect of a waiting request, renewed every second while its gate runs. */
export interface KeptFacts {
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  readonly facts: ApprovalFacts;
  /** The gate has seen a valid decision. */
  readonly isDecided: boolean;
}

/** A person's decision on one request. */
export interface Decision {
  readonly id: string;
  readonly nonce: string;
  readonly requestHash: string;
  readonly decision: 'approved' | 'declined';
  /** The name of the person's user on this machine. */
  readonly by: string;
  /** Unix ms. */
  readonly at: number;
  readonly until: number;
  /** The mark that the person saw, USD. */
  readonly mark: number;
}

/** How a request ended. There is one end: the first one written. */
export interface End {
  readonly id: string;
  readonly nonce: string;
  readonly state: Exclude<ApprovalAnswer['state'], 'approved' | 'waits'>;
  readonly why: string;
  readonly by?: string | undefined;
  /** Unix ms. */
  readonly at: number;
}

interface Kinds {
  request: KeptRequest;
  facts: KeptFacts;
  decision: Decision;
  end: End;
}

const purposes: { readonly [Kind in keyof Kinds]: Purpose } = {
  request: 'approval request',
  facts: 'approval facts',
  decision: 'approval',
  end: 'approval end',
};

/** The folder of the approvals of this machine's gates. */
export function approvalsFolder(variables: Variables): string {
  return join(stateFolder(variables), 'gate', 'approvals');
}

const maxBytes = 1 << 20;

/** The files of approvals, each signed with the owner's secret: its signature in the first line, JSON in the second. */
export class ApprovalFiles {
  readonly folder: string;
  readonly #secret: OwnerSecret;

  constructor(folder: string, secret: OwnerSecret) {
    this.folder = folder;
    this.#secret = secret;
  }

  /** Ids of all stored requests. */
  ids(): string[] {
    const ids = namesIn(this.folder).map((name) => /^([0-9a-f]{32})\.request$/.exec(name)?.[1]);
    return ids.filter((id) => id !== undefined);
  }

  /** A signed record; undefined if there is none; `forged` if the owner's secret didn't sign it. */
  read<Kind extends keyof Kinds>(id: string, kind: Kind): Kinds[Kind] | 'forged' | undefined {
    let text: string;
    try {
      ({ text } = readRegularFile(this.#fileOf(id, kind), maxBytes));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'forged';
    }
    const [signature, value = ''] = text.split('\n');
    if (!this.#secret.isSigned(purposes[kind], value, signature)) return 'forged';
    const record = JSON.parse(value) as Kinds[Kind];
    return record.id === id ? record : 'forged';
  }

  /** The same, but a forged record counts as none. */
  sound<Kind extends keyof Kinds>(id: string, kind: Kind): Kinds[Kind] | undefined {
    const record = this.read(id, kind);
    return record === 'forged' ? undefined : record;
  }

  /** Stores a record, on disk; false if there already is one. Throws system errors. */
  create<Kind extends keyof Kinds>(kind: Kind, record: Kinds[Kind]): boolean {
    return createPrivateFile(this.#fileOf(record.id, kind), this.#signed(kind, record));
  }

  /** Replaces a record that nothing depends on after a power failure. Throws system errors. */
  replace<Kind extends keyof Kinds>(kind: Kind, record: Kinds[Kind]): void {
    writePrivateFile(this.#fileOf(record.id, kind), this.#signed(kind, record), 'quick');
  }

  remove(id: string, ...kinds: readonly (keyof Kinds)[]): void {
    for (const kind of kinds) rmSync(this.#fileOf(id, kind), { force: true });
  }

  #fileOf(id: string, kind: keyof Kinds): string {
    return join(this.folder, `${id}.${kind}`);
  }

  #signed<Kind extends keyof Kinds>(kind: Kind, record: Kinds[Kind]): string {
    const text = withoutSecrets(JSON.stringify(record));
    return `${this.#secret.sign(purposes[kind], text)}\n${text}\n`;
  }
}

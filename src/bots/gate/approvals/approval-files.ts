import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../../base/files/folders.ts';
import type { OwnerSecret, Purpose } from '../../../base/files/owner-secret.ts';
import { createPrivateFile, readRegularFile, writePrivateFile } from '../../../base/files/private-files.ts';
import { withoutSecrets } from '../../../base/text/plain-text.ts';
import type { ApprovalAnswer, ApprovalFacts, ApprovalRequest } from './approval.ts';

/** A request that needs a person, as the gate keeps it. */
export interface KeptRequest {
  readonly id: string;
  /** Drawn for this request: what was decided about another one does not fit it. */
  readonly nonce: string;
  readonly request: ApprovalRequest;
  /** How far the mark may move, bps. */
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

/** How a request ended. There is one end, and whichever is written first decides. */
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

  /** Ids of all requests that were kept. */
  ids(): string[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return names.map((name) => /^([0-9a-f]{32})\.request$/.exec(name)?.[1]).filter((id) => id !== undefined);
  }

  /** A signed record; undefined if there is none; `forged` if it is not what the owner's secret signed. */
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

  /** Keeps a record, on disk; false: there is one already. Throws system errors. */
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

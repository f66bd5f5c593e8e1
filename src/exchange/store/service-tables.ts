import type { Environment, Ms } from '../engine/model.ts';
import { Table } from './table.ts';

/** A command as it was executed, in order: replaying the command log gives the same state. */
export interface CommandRow {
  sequence: number;
  /** Exchange time of the command. */
  time: Ms;
  /** `commandText` of the command. */
  command: string;
}

/**
 * The outcome of a request with an idempotency key (simulation 8.3). Kept until the state is reset, so a key is never
 * reused before that.
 */
export interface IdempotencyRecord {
  owner: string;
  operation: string;
  key: string;
  payloadHash: string;
  /** The kind and id of the resource that the request created; null if it created none. */
  resourceKind: string | null;
  resourceId: string | null;
  /** HTTP status of the first answer. */
  status: number;
  /** Data that a replay needs besides the resource: a refusal, the results of a bulk operation. */
  outcome: unknown;
  createdAt: Ms;
}

/** The scope of a credential: read, or also trade. */
type Scope = 'read' | 'trade';

/** An API key or a command-line session; only the hash of its secret is stored. */
export interface KeyRecord {
  hash: string;
  owner: string;
  environment: Environment;
  scope: Scope;
  name: string;
  kind: 'key' | 'session';
  createdAt: Ms;
  /** null: never. */
  expiresAt: Ms | null;
  revokedAt: Ms | null;
}

/** A one-time authorization code of the command-line login, bound to its PKCE challenge. */
export interface CodeRecord {
  hash: string;
  /** S256 challenge, base64url. */
  challenge: string;
  owner: string;
  deviceName: string;
  expiresAt: Ms;
  usedAt: Ms | null;
  /** Hash of the session that it was exchanged for. */
  sessionHash: string | null;
}

/** The versions of perp's rules under which a part of the command log was written: from a number until the next row. */
export interface VersionsRecord {
  /** Number of the first command in the command log that may have been written under them. */
  journalFrom: number;
  rules: number;
  catalog: number;
  prices: number;
}

/** Settings of a state: its source of books, its clock. */
export interface SettingRecord {
  name: string;
  value: string;
}

/** The table of every command that the state has carried out, in order. */
export const commandLog = new Table<CommandRow>({
  name: 'journal',
  columns: { sequence: 'int', time: 'int', command: 'text' },
  key: ['sequence'],
  assigned: 'sequence',
});

/** The table of the rules, catalog and prices that apply from a command on. */
export const versions = new Table<VersionsRecord>({
  name: 'versions',
  columns: { journalFrom: 'int', rules: 'int', catalog: 'int', prices: 'int' },
  key: ['journalFrom'],
});

/** The table of outcomes by owner, operation and idempotency key. */
export const idempotency = new Table<IdempotencyRecord>({
  name: 'idempotency',
  columns: {
    owner: 'text',
    operation: 'text',
    key: 'text',
    payloadHash: 'text',
    resourceKind: 'text?',
    resourceId: 'text?',
    status: 'int',
    outcome: 'json?',
    createdAt: 'int',
  },
  key: ['owner', 'operation', 'key'],
  withoutRowid: true,
});

/** The table of API keys and sessions, by the hash of their secret. */
export const keys = new Table<KeyRecord>({
  name: 'keys',
  columns: {
    hash: 'text',
    owner: 'text',
    environment: 'text',
    scope: 'text',
    name: 'text',
    kind: 'text',
    createdAt: 'int',
    expiresAt: 'int?',
    revokedAt: 'int?',
  },
  key: ['hash'],
  withoutRowid: true,
});

/** The table of authorization codes of browser logins. */
export const codes = new Table<CodeRecord>({
  name: 'codes',
  columns: {
    hash: 'text',
    challenge: 'text',
    owner: 'text',
    deviceName: 'text',
    expiresAt: 'int',
    usedAt: 'int?',
    sessionHash: 'text?',
  },
  key: ['hash'],
  withoutRowid: true,
});

/** The table of a state's own settings, by name. */
export const settings = new Table<SettingRecord>({
  name: 'settings',
  columns: { name: 'text', value: 'text' },
  key: ['name'],
  withoutRowid: true,
});

/** Settings that every state needs. */
export const neededSettings = ['source', 'clock', 'initial_time', 'cursor_secret'] as const;
/** A setting that every state has. */
export type NeededSetting = (typeof neededSettings)[number];

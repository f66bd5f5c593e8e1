import type { Variables } from '../../ground/files/folders.ts';
import type { Mandate, Term } from './mandate.ts';

/** A mandate that a person has agreed to. */
export interface SignedMandate {
  readonly mandate: Mandate & { readonly name: string };
  /** Unix ms. */
  readonly signedAt: number;
  /** SHA-256 of the terms, hex: what the audit log names it by. */
  readonly hash: string;
}

/** What is in force: the signed terms, tightened by a file. */
export interface EffectiveMandate {
  readonly mandate: Mandate & { readonly name: string };
  /** Terms that the file has looser than signed: they count as signed. */
  readonly looser: readonly Term[];
}

/** Signs a mandate with the owner's secret, and keeps the signed copy in the state folder. */
export type Sign = (variables: Variables, mandate: Mandate & { name: string }, now: number) => SignedMandate;

/** Reads what was signed under a name; undefined: nothing was. Throws a failure for a copy that was changed. */
export type ReadSigned = (variables: Variables, name: string) => SignedMandate | undefined;

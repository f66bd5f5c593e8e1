import type { Transport, WireRequest, WireResponse } from '../contract/wire.ts';

/** Why a write must not leave now; undefined: nothing speaks against it. It looks at state that is kept current. */
type Check = () => Error | undefined;

declare const made: unique symbol;

/** That a write may leave in this turn. Only this module makes one. */
interface Proof {
  readonly [made]: true;
}

/** Proves that a write may leave in the turn in which it is called; throws why not. */
export type Prove = () => Proof;

const withdrawn = new WeakSet<Error>();

/** A proof that holds as long as every check says so. */
export function proving(...checks: readonly Check[]): Prove {
  return () => {
    for (const check of checks) {
      const why = check();
      if (why !== undefined) throw withdrawnBy(why);
    }
    return {} as Proof;
  };
}

/** Nobody has forbidden anything: of reads, and of writes that no lock and no mandate concerns. */
export const unforbidden: Prove = proving();

/** The same error, marked as one for which nothing was sent. */
export function withdrawnBy<E>(why: E): E {
  if (why instanceof Error) withdrawn.add(why);
  return why;
}

/** Whether an error explains why a write wasn't handed over: none of it was sent. */
export function isWithdrawn(error: unknown): boolean {
  return error instanceof Error && withdrawn.has(error);
}

/**
 * The one way out for what changes anything: hands a request to the transport in the turn in which its proof was given.
 * Rejects with the proof's own error, and then nothing was sent.
 */
export async function sendProven(
  transport: Transport,
  request: WireRequest,
  limits: Parameters<Transport>[1],
  prove: Prove,
): Promise<WireResponse> {
  if (request.method !== 'GET') prove();
  return await transport(request, limits);
}

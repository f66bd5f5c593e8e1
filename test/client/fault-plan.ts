import type { Fault, FaultProxy } from './fault-proxy.ts';

/** `npm run test:long` strikes at every byte. */
export const strikesEveryByte = process.env.PERP_LONG === '1';

/** Bytes of a request and of its answer. */
export interface Lengths {
  request: number;
  response: number;
}

/** How long the request and answer of a run are that nothing disturbs. */
export async function undisturbed(proxy: FaultProxy, run: () => Promise<unknown>): Promise<Lengths> {
  proxy.arm({ side: 'request', kind: 'delay', position: Number.MAX_SAFE_INTEGER });
  await run();
  return proxy.passed();
}

/** Faults of these kinds at every byte in a long run, else at the edges and about `sample` positions between them. */
export function faultsOf(
  kinds: readonly Fault['kind'][],
  sides: readonly Fault['side'][],
  lengths: Lengths,
  sample: number,
): Fault[] {
  return sides.flatMap((side) =>
    kinds.flatMap((kind) => positions(lengths[side], sample).map((position) => ({ side, kind, position, delayMs: 5 }))),
  );
}

function positions(length: number, sample: number): number[] {
  const step = strikesEveryByte ? 1 : Math.max(1, Math.floor(length / sample));
  const evenly = Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
  return [...new Set([...evenly, 1, length - 1, length])];
}

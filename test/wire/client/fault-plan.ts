import { draw } from '../../../src/exchange/engine/random.ts';
import type { Fault, FaultProxy } from './fault-proxy.ts';

/** `npm run test:long` injects faults at every byte. */
export const strikesEveryByte = process.env.PERP_LONG === '1';

/** Bytes of a request and of its answer. */
export interface Lengths {
  request: number;
  response: number;
}

type Strike = Pick<Fault, 'side' | 'kind'>;

/** All kinds of faults, with their direction. */
export const strikes: readonly Strike[] = [
  ...(['cut', 'truncate', 'reset', 'stall', 'delay', 'duplicate'] as const).flatMap((kind) => [
    { side: 'request', kind } as const,
    { side: 'response', kind } as const,
  ]),
  { side: 'request', kind: 'drop' },
];

/** The lengths of a run's request and answer without faults. */
export async function undisturbed(proxy: FaultProxy, run: () => Promise<unknown>): Promise<Lengths> {
  proxy.arm();
  await run();
  return proxy.passed();
}

/**
 * Faults of these kinds: at every byte in a long run, otherwise at the edges and at about `sample` positions in
 * between.
 */
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

/** Each of these faults at every byte. */
export function everyFault(among: readonly Strike[], lengths: Lengths): Fault[][] {
  return among.flatMap((strike) =>
    Array.from({ length: lengths[strike.side] + 1 }, (_, position) => [{ ...strike, position, delayMs: 5 }]),
  );
}

/**
 * The faults of one trial, always the same for the same seed and number: usually one, on the first connection;
 * sometimes another on the second, or even the third. A late request may arrive after the client's wait.
 */
export function drawnFaults(among: readonly Strike[], lengths: Lengths, seed: number, trial: number): Fault[] {
  const number = 1 + Number(draw(seed, 'second', `${trial}`) < 0.25) + Number(draw(seed, 'third', `${trial}`) < 0.1);
  return Array.from({ length: number }, (_, at) => {
    const share = (purpose: string) => draw(seed, purpose, `${trial}/${at}`);
    const strike = among[Math.floor(share('strike') * among.length)]!;
    const position = Math.floor(share('position') * (lengths[strike.side] + 1));
    return { ...strike, position, delayMs: share('delay') < 0.1 ? 400 : 5 };
  });
}

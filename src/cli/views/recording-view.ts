import type { SimulationStatus } from '../../contract/simulation.ts';

/** What an ended recording means. */
export const endedText = 'nothing moves or fills anymore; perp sim reset restarts it';

/** Whether a simulation has played its recording to the end. */
export function hasEnded({ time, last_time: last, source }: SimulationStatus): boolean {
  return source === 'recorded' && last !== null && time >= last;
}

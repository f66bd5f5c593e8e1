import { connectSimulation, open } from './sim/simulation.ts';
import type { Simulation as OpenedSimulation, ServedSimulation, SimulationOptions } from './sim/types.ts';

export type {
  OrderExplanation,
  ServedSimulation,
  SimulationBook,
  SimulationOptions,
  SimulationStatus,
} from './sim/types.ts';

/** A simulation of the whole service: accounts, markets, both streams. */
export type Simulation = OpenedSimulation;

/** Where simulations come from. */
export const Simulation: {
  /** Opens one in this process, in memory or in a folder. Rejects with a PerpError if it can't. */
  open(options?: SimulationOptions): Promise<OpenedSimulation>;
  /** Connects to one that `perp sim serve` serves. */
  connect(served: ServedSimulation): OpenedSimulation;
} = { open, connect: connectSimulation };

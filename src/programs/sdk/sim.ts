import type { OpenedSimulation, ServedSimulation, SimulationOptions } from './sim/simulation-types.ts';

export type * from './sim/simulation-types.ts';

/** A simulation of the whole service: accounts, markets, both streams. */
export type Simulation = OpenedSimulation;

/** Where simulations come from. */
export const Simulation: {
  /** Opens one in this process, in memory or in a folder. Rejects with a PerpError if it can't. */
  open(options?: SimulationOptions): Promise<OpenedSimulation>;
  /** Connects to one that `perp sim serve` serves. Rejects with a PerpError for an address that can't be used. */
  connect(served: ServedSimulation): Promise<OpenedSimulation>;
} = {
  async open(options) {
    const { open } = await import('./sim/open.ts');
    return open(options);
  },
  async connect(served) {
    const { connectSimulation } = await import('./sim/connect-simulation.ts');
    return connectSimulation(served);
  },
};

import type { Command } from '../../../src/exchange/engine/commands.ts';
import { plans } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import { nothingObserved } from '../../../src/exchange/engine/observed.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { randomPractice } from '../../exchange/engine/random-practice.ts';
import type { LiveScene } from './live-scene.ts';

/** Roughly the prices of the model. */
const near = 10_050;

/** The commands sent on live markets, and the results. */
export interface LiveStory {
  start: number;
  end: number;
  log: { time: number; command: Command }[];
  hash: string;
  /** The explanations of orders, in order. */
  explanations: unknown[];
}

/** Trades at random on live markets, and restarts the process at the steps in `restarts`. */
export async function tradeLive(
  scene: LiveScene,
  seed: number,
  steps: number,
  between: (step: number) => Promise<void> | void,
): Promise<LiveStory> {
  const chance = new Chance(seed);
  const start = scene.live.time();
  let exchange = new Exchange(scene.live.source, emptyState(seed, start));
  let source = scene.live.source;
  const story: LiveStory = { start, end: start, log: [], hash: '', explanations: [] };
  const execute = (command: Command) => {
    exchange.advance(scene.live.time());
    story.log.push({ time: exchange.time, command });
    exchange.execute(command);
    story.explanations.push(...exchange.takeChanges().explanations);
  };
  for (const name of ['one', 'two', 'three']) execute(account(name));
  // The others go by the midpoint.
  for (const [at, observed] of [{ marks: 'venue' }, { stopPrice: 'index' }].entries()) {
    const { id: accountId, policy } = exchange.openState().accounts[at + 1]!;
    execute({
      kind: 'set_policy',
      accountId,
      policy: { ...policy, observed: { ...nothingObserved, ...observed } as never },
    });
  }
  const markets = source.definitions.filter(({ marketId }) => scene.marketIds.includes(marketId));
  for (let step = 0; step < steps; step += 1) {
    await between(step);
    if (scene.live.source !== source) {
      // After a restart, the state comes from the store.
      source = scene.live.source;
      exchange = new Exchange(source, exchange.openState());
    }
    for (const market of scene.server.markets)
      market.offsets = { mark: chance.between(-2_000, 2_000), index: chance.between(-2_000, 2_000) };
    await scene.run(chance.pick([100, 300, 1_000]));
    if (chance.chance(0.6)) {
      const command = randomPractice(chance, { open: exchange.openState(), markets, near });
      // Some sizes are finer than the lots are at first.
      const isFine = command.kind === 'place_order' && chance.chance(0.3);
      execute(isFine ? { ...command, size: command.size / 10_000 } : command);
    }
    exchange.advance(scene.live.time());
    story.explanations.push(...exchange.takeChanges().explanations);
  }
  story.end = exchange.time;
  story.hash = exchange.stateHash();
  return story;
}

/**
 * Repeats the whole story on another source of the same markets; returns the state's hash and the orders' explanations.
 */
export function replay(source: MarketSource, { start, end, log }: LiveStory, seed: number) {
  const exchange = new Exchange(source, emptyState(seed, start));
  const explanations: unknown[] = [];
  for (const { time, command } of log) {
    exchange.advance(time);
    exchange.execute(command);
    explanations.push(...exchange.takeChanges().explanations);
  }
  exchange.advance(end);
  explanations.push(...exchange.takeChanges().explanations);
  return { hash: exchange.stateHash(), explanations };
}

function account(name: string): Command {
  return {
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name,
    plan: plans.none,
    startingBalance: 100_000,
  };
}

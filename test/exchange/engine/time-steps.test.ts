import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command, Outcome } from '../../../src/exchange/engine/commands.ts';
import { defaultRates, plans } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import type { MarketDefinition, Ms } from '../../../src/exchange/engine/model.ts';
import { nothingObserved, type ObservedBehavior } from '../../../src/exchange/engine/observed.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { test, trial } from '../../tiers.ts';
import { Chance } from './chance.ts';
import { randomCommand } from './random-commands.ts';
import { merged, randomScript, scriptReach } from './random-script.ts';
import { definition, type ScriptedEvent, ScriptedSource, SkippableSource } from './scripted-source.ts';

const markets: MarketDefinition[] = [definition(), definition({ marketId: 'bybit|OTHER', provider: 'bybit' })];

interface Story {
  script: ScriptedEvent[];
  log: { time: Ms; command: Command }[];
  end: Ms;
  hash: string;
  /** The moment of the last change. */
  changedAt: Ms;
}

/** Trades at random on a random market and keeps the command log. */
function tell(seed: number): Story {
  const chance = new Chance(seed);
  const script = merged(
    randomScript(chance, markets[0]!.marketId, 150),
    randomScript(chance, markets[1]!.marketId, 150),
  );
  const exchange = new Exchange(new ScriptedSource(script, markets), emptyState(seed, 0), defaultRates);
  const log: Story['log'] = [];
  const execute = (command: Command): Outcome => {
    log.push({ time: exchange.time, command });
    return exchange.execute(command);
  };
  const accountIds = ['select', 'none'].map((plan) => openAccount(execute, plan as keyof typeof plans, chance));
  const end = script.at(-1)!.time + 20;
  while (exchange.time < end) {
    exchange.advance(Math.min(end, exchange.time + chance.pick([0, 1, 7, 60, 900])));
    const { orders } = exchange.openState();
    const orderIds = orders.map(({ id }) => id);
    execute(randomCommand(chance, { now: exchange.time, accountIds, markets, orderIds, near: 1000 }));
  }
  return { script, log, end, hash: exchange.stateHash(), changedAt: exchange.takeChanges().time };
}

function openAccount(execute: (command: Command) => Outcome, plan: keyof typeof plans, chance: Chance): string {
  const opened = execute({
    kind: 'open_account',
    owner: 'somebody',
    environment: 'live',
    name: plan,
    plan: plans[plan],
    startingBalance: 100_000,
  });
  assert.ok(opened.ok);
  const { id, policy } = opened.account!;
  const delays = chance.chance(0.5) ? { executionDelayMinMs: 0, executionDelayMaxMs: 300 } : {};
  const limits = { ...policy.limits, tradesPerMinute: 1000, ...delays };
  const observed: ObservedBehavior = { ...nothingObserved, stopPrice: chance.pick(['mark', 'last']) };
  execute({ kind: 'set_policy', accountId: id, policy: { ...policy, slippageMaxBps: 500, limits, observed } });
  return id;
}

/** Replays a command log, dividing the time between commands as `cut` says and reopening as often as it wants. */
function replay(
  source: MarketSource,
  seed: number,
  story: Story,
  cut: (exchange: Exchange, to: Ms) => Exchange = (exchange, to) => advanced(exchange, to),
): Exchange {
  let exchange = new Exchange(source, emptyState(seed, 0), defaultRates);
  for (const { time, command } of story.log) {
    exchange = cut(exchange, time);
    exchange.execute(command);
  }
  return cut(exchange, story.end);
}

/** The state must be the same, and so must the moment of its last change. */
function assertSame(exchange: Exchange, { hash, changedAt }: Story): void {
  assert.equal(exchange.stateHash(), hash);
  assert.equal(exchange.takeChanges().time, changedAt);
}

function advanced(exchange: Exchange, to: Ms): Exchange {
  exchange.advance(to);
  return exchange;
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const runs = { numRuns: process.env.PERP_LONG ? 2000 : 8 };

trial('replaying the command log gives the same state', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const story = tell(seed);
      assertSame(replay(new ScriptedSource(story.script, markets), seed, story), story);
    }),
    runs,
  );
});

test('time in one step or in many gives the same state', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 50 }), (seed, step) => {
      const story = tell(seed);
      const inSteps = (exchange: Exchange, to: Ms): Exchange => {
        for (let time = exchange.time; time < to; time += step) exchange.advance(time);
        return advanced(exchange, to);
      };
      assertSame(replay(new ScriptedSource(story.script, markets), seed, story, inSteps), story);
    }),
    runs,
  );
});

trial('skipping the times that a source predicts to be quiet gives the same state, in any steps', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 2000 }), (seed, step) => {
      const story = tell(seed);
      const source = new SkippableSource(story.script, markets, scriptReach);
      assertSame(replay(source, seed, story), story);
      const inSteps = (exchange: Exchange, to: Ms): Exchange => {
        for (let time = exchange.time; time < to; time += step) exchange.advance(time);
        return advanced(exchange, to);
      };
      assertSame(replay(source, seed, story, inSteps), story);
    }),
    runs,
  );
});

trial('time that pauses after any event, and is reopened there, gives the same state', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const story = tell(seed);
      for (const source of [
        new ScriptedSource(story.script, markets),
        new SkippableSource(story.script, markets, scriptReach),
      ]) {
        const chance = new Chance(seed + 2);
        const pausing = (exchange: Exchange, to: Ms): Exchange => {
          let current = exchange;
          while (current.advanceUntil(to, { isDue: () => chance.chance(0.2) })) {
            assert.ok(current.time <= to);
            if (chance.chance(0.1)) current = new Exchange(source, current.openState(), defaultRates);
          }
          return current;
        };
        assert.equal(replay(source, seed, story, pausing).stateHash(), story.hash);
      }
    }),
    runs,
  );
});

trial('an exchange reopened from its open state at any moment continues as if nothing had happened', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const story = tell(seed);
      for (const source of [
        new ScriptedSource(story.script, markets),
        new SkippableSource(story.script, markets, scriptReach),
      ]) {
        const chance = new Chance(seed + 1);
        const reopening = (exchange: Exchange, to: Ms): Exchange => {
          const between = exchange.time + chance.between(0, Math.max(0, to - exchange.time));
          exchange.advance(between);
          const reopened = chance.chance(0.3) ? new Exchange(source, exchange.openState(), defaultRates) : exchange;
          return advanced(reopened, to);
        };
        assert.equal(replay(source, seed, story, reopening).stateHash(), story.hash);
      }
    }),
    runs,
  );
});

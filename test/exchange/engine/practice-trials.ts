import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command } from '../../../src/exchange/engine/commands.ts';
import { plans, type Rates } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import type {
  MarketDefinition,
  Money,
  Ms,
  Order,
  Posting,
  ScaledOrder,
  TwapOrder,
} from '../../../src/exchange/engine/model.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { Chance } from './chance.ts';
import { ExitLaw } from './exit-law.ts';
import { randomPractice } from './random-practice.ts';
import { merged, randomScript, scriptReach } from './random-script.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource, SkippableSource } from './scripted-source.ts';

/** A minute before a full hour that is also midnight in New York. */
const start = Date.parse('2024-08-08T03:59:00Z');
const markets: MarketDefinition[] = [definition(), definition({ marketId: 'bybit|OTHER', provider: 'bybit' })];
const rates: Rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 30 } };

interface Story {
  script: ScriptedEvent[];
  log: { time: Ms; command: Command }[];
  end: Ms;
  hash: string;
}

/** Everything that an exchange has recorded. */
class Records {
  readonly orders = new Map<string, Order>();
  readonly twaps = new Map<string, TwapOrder>();
  readonly scaled = new Map<string, ScaledOrder>();
  readonly ledger: Posting[] = [];
  readonly exits = new ExitLaw();

  collect(exchange: Exchange): void {
    const changes = exchange.takeChanges();
    for (const [id, order] of changes.orders) this.orders.set(id, order);
    for (const [id, twap] of changes.twaps) this.twaps.set(id, twap);
    for (const [id, ladder] of changes.scaled) this.scaled.set(id, ladder);
    this.ledger.push(...changes.ledger);
    this.exits.note(changes);
  }
}

/** Random commands of every kind on two moving markets; the invariants are checked after every command. */
function practice(seed: number): Story {
  const chance = new Chance(seed);
  const script = merged(...markets.map(({ marketId }) => stretched(randomScript(chance, marketId, 250))));
  const exchange = new Exchange(new ScriptedSource(script, markets), emptyState(seed, start), rates);
  const records = new Records();
  const log: Story['log'] = [];
  const execute = (command: Command) => {
    log.push({ time: exchange.time, command });
    const outcome = exchange.execute(command);
    records.collect(exchange);
    return outcome;
  };
  for (const plan of ['none', 'prime', 'none'] as const) openAccount(execute, plan, chance);
  const end = script.at(-1)!.time + 20;
  while (exchange.time < end) {
    exchange.advance(Math.min(end, exchange.time + chance.pick([0, 1, 100, 500, 500, 2_000])));
    records.collect(exchange);
    const quote = exchange.quote(markets[0]!.marketId);
    const near = quote.ok && quote.mid !== null ? Math.round(quote.mid / 2) : 1_000;
    execute(randomPractice(chance, { open: exchange.openState(), markets, near }));
    checkLaws(exchange, records);
  }
  return { script, log, end, hash: exchange.stateHash() };
}

/** Ten times as long, so that an hour and a day start in between. */
function stretched(script: ScriptedEvent[]): ScriptedEvent[] {
  return script.map((event) => ({ ...event, time: start + event.time * 10 }));
}

function openAccount(
  execute: (command: Command) => ReturnType<Exchange['execute']>,
  plan: keyof typeof plans,
  chance: Chance,
): void {
  const opened = execute({
    kind: 'open_account',
    owner: 'somebody',
    environment: 'live',
    name: plan,
    plan: plans[plan],
    startingBalance: chance.pick([4_000, 10_000, 30_000]),
  });
  assert.ok(opened.ok);
  const { id, policy } = opened.account!;
  const limits = {
    ...policy.limits,
    tradesPerMinute: 10_000,
    executionDelayMaxMs: chance.pick([0, 300]),
    maxBookStalenessMs: chance.pick([300, 2_500, 60_000]),
  };
  execute({ kind: 'set_policy', accountId: id, policy: { ...policy, slippageMaxBps: 500, limits } });
}

function checkLaws(exchange: Exchange, records: Records): void {
  const open = exchange.openState();
  records.exits.check(open);
  const sums = new Map<string, Money>();
  for (const { accountId, amount } of records.ledger) sums.set(accountId, (sums.get(accountId) ?? 0n) + amount);
  for (const { id, balance } of open.accounts) {
    assert.equal(balance, sums.get(id), 'a balance equals the sum of its ledger');
    assert.ok(balance >= 0n, 'no balance is negative');
    const risk = exchange.risk(id);
    if (
      risk.unrealizedPnl !== null &&
      !open.positions.some((one) => one.accountId === id && one.marginMode === 'isolated')
    ) {
      assert.equal(risk.equity, balance + risk.unrealizedPnl, 'equity is balance plus unrealized profit');
    }
  }
  const held = new Set(open.positions.map(({ id }) => id));
  for (const order of open.orders) {
    if (order.exitGroup !== null) assert.ok(held.has(order.targetPositionId!), 'an exit has a position');
    const sibling = open.orders.find(({ id }) => id === order.ocoSiblingOrderId);
    if (sibling !== undefined) assert.equal(sibling.ocoSiblingOrderId, order.id, 'siblings refer to each other');
  }
  const fills = [...records.orders.values()].filter(({ status }) => status === 'filled');
  for (const twap of records.twaps.values()) {
    const filled = fills.filter(({ twapOrderId }) => twapOrderId === twap.id).reduce((sum, { size }) => sum + size, 0);
    assert.equal(filled, twap.filledSize, 'children add up to their parent');
    assert.ok(filled <= twap.totalSize);
  }
  for (const ladder of records.scaled.values()) {
    const isWorking = ladder.rungs.some(({ orderId }) => open.orders.some(({ id }) => id === orderId));
    assert.equal(ladder.status === 'working', isWorking, 'a ladder works while a rung does');
  }
}

/** Replays a command log, dividing the time between commands as `cut` says and reopening as often as it wants. */
function replay(
  source: MarketSource,
  seed: number,
  story: Story,
  cut: (exchange: Exchange, to: Ms) => Exchange = (exchange, to) => advanced(exchange, to),
): string {
  return replayed(source, seed, story, cut).stateHash();
}

function replayed(
  source: MarketSource,
  seed: number,
  story: Story,
  cut: (exchange: Exchange, to: Ms) => Exchange = (exchange, to) => advanced(exchange, to),
): Exchange {
  let exchange = new Exchange(source, emptyState(seed, start), rates);
  for (const { time, command } of story.log) {
    exchange = cut(exchange, time);
    exchange.execute(command);
  }
  return cut(exchange, story.end);
}

function advanced(exchange: Exchange, to: Ms): Exchange {
  exchange.advance(to);
  return exchange;
}

/** Sizes of records. */
const sizes = [
  'size',
  'initialSize',
  'filledSize',
  'queueAhead',
  'closedSize',
  'totalSize',
  'plannedCumulative',
  'consumed',
  'leadAdded',
  'copied',
];

/** The same script with a unit of sizes that is a hundredth of a lot. */
function inFinerUnits(script: readonly ScriptedEvent[]): MarketSource {
  const finer = (levels: readonly Level[]) => levels.map(([price, size]): Level => [price, size * 100]);
  const events = script.map((event): ScriptedEvent => {
    if ('print' in event) return { ...event, print: finer([event.print])[0]! };
    return 'bids' in event ? { ...event, bids: finer(event.bids), asks: finer(event.asks) } : event;
  });
  return new ScriptedSource(
    events,
    markets.map((market) => ({ ...market, sizeDecimals: 2, lotDecimals: 0 })),
  );
}

/** Records with such sizes in lots. */
function inLots<T>(records: T): T {
  const lots = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(lots) : typeof value === 'number' ? value / 100 : value;
  const walk = (value: unknown, name: string): unknown => {
    if (sizes.includes(name)) return lots(value);
    if (Array.isArray(value)) return value.map((one) => walk(one, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, walk(one, field)]));
  };
  return walk(records, '') as T;
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
/** The invariants hold for any commands; replaying in steps, skipping or reopening gives the same state. */
export function practiceTrials(numRuns: number): void {
  fc.assert(
    fc.property(seeds, (seed) => {
      const story = practice(seed);
      const chance = new Chance(seed + 1);
      const played = () => new ScriptedSource(story.script, markets);
      const skipped = () => new SkippableSource(story.script, markets, scriptReach);
      const inSteps = (exchange: Exchange, to: Ms): Exchange => {
        for (let time = exchange.time; time < to; time += chance.between(1, 2_000)) exchange.advance(time);
        return advanced(exchange, to);
      };
      const reopening =
        (source: MarketSource) =>
        (exchange: Exchange, to: Ms): Exchange => {
          exchange.advance(exchange.time + chance.between(0, Math.max(0, to - exchange.time)));
          return advanced(new Exchange(source, exchange.openState(), rates), to);
        };
      assert.equal(replay(played(), seed, story), story.hash, 'played over');
      assert.equal(replay(played(), seed, story, inSteps), story.hash, 'in steps');
      assert.equal(replay(skipped(), seed, story), story.hash, 'skipped');
      assert.equal(replay(skipped(), seed, story, inSteps), story.hash, 'skipped in steps');
      assert.equal(replay(played(), seed, story, reopening(played())), story.hash, 'reopened');
      assert.equal(replay(skipped(), seed, story, reopening(skipped())), story.hash, 'skipped and reopened');
      const usual = replayed(played(), seed, story).openState();
      const fine = replayed(inFinerUnits(story.script), seed, story).openState();
      assert.deepEqual(inLots(fine), usual, 'with a unit of sizes that is a hundredth of a lot');
    }),
    { numRuns, endOnFailure: true },
  );
}

import assert from 'node:assert/strict';
import { judgeWrite } from '../../../src/desk/mandate/judge-write.ts';
import type { GateWrite, Mandate } from '../../../src/desk/mandate/mandate.ts';
import type { Order } from '../../../src/exchange/engine/model.ts';
import { Hostile } from './hostile-writes.ts';
import { commandOf, drawnFrom, markets, World } from './trial-world.ts';

/** How trials went. */
export interface Tally {
  attempts: number;
  allowed: number;
  sent: number;
  done: number;
  fills: number;
}

/** What is still to be sent, or never will be. */
interface Waiting {
  readonly write: GateWrite;
  readonly atStep: number;
  readonly isLost: boolean;
}

/** What an oracle counts of one position: base asset, above zero long, and what its size was bought for. */
interface Counted {
  size: number;
  cost: number;
  /** The lowest price since nothing was open and nothing could add. */
  lowest: number;
  /** All of it was opened by orders with a limit, which fill at no worse price. */
  isExact: boolean;
}

const cent = 0.011;

/**
 * One bot that tries everything against one mandate on the real exchange, while prices jump: what its judge allows is
 * sent now, later, in another order, or never. The oracle knows no formula of the judge: it counts fills, orders, stops
 * and equity, and nothing may ever be beyond the mandate.
 */
export function hostileTrial(seed: number, attempts: number): Tally {
  const draw = drawnFrom(seed);
  const isCalm = draw() < 0.5;
  const isCopied = draw() < 0.25;
  const world = new World(draw, attempts * 2 + 400, isCalm ? { step: 4, jump: 8 } : { step: 20, jump: 400 }, isCopied);
  const stopWithin = draw() < 0.5 ? (draw() < 0.5 ? 0.01 : 0.025) : undefined;
  const mandate: Mandate = {
    accounts: [world.lead, world.follower],
    markets,
    sides: draw() < 0.8 ? ['buy', 'sell'] : ['buy'],
    largestOrderUsd: 2_000,
    largestPositionUsd: 3_000 + Math.floor(draw() * 3_000),
    lossPerDayUsd: 1_000,
    ordersPerMinute: Number.POSITIVE_INFINITY,
    largestLeverage: 5,
    until: Number.POSITIVE_INFINITY,
    ...(stopWithin !== undefined && { stopWithin }),
    ...(draw() < 0.4 && { roomLeftUsd: 2_000 + Math.floor(draw() * 500) }),
  };
  const trial = new Trial(draw, world, mandate, isCalm);
  for (let step = 0; step < attempts; step += 1) trial.step(step);
  return trial.tally;
}

class Trial {
  readonly tally: Tally = { attempts: 0, allowed: 0, sent: 0, done: 0, fills: 0 };
  readonly #draw: () => number;
  readonly #world: World;
  readonly #mandate: Mandate;
  readonly #isCalm: boolean;
  readonly #hostile: Hostile;
  readonly #counted = new Map<string, Counted>();
  #waiting: Waiting[] = [];
  #settled = 0;
  #last = '';

  constructor(draw: () => number, world: World, mandate: Mandate, isCalm: boolean) {
    this.#draw = draw;
    this.#world = world;
    this.#mandate = mandate;
    this.#isCalm = isCalm;
    this.#hostile = new Hostile(draw, world, mandate);
  }

  step(step: number): void {
    const world = this.#world;
    for (const due of this.#waiting.filter(({ atStep }) => atStep <= step)) {
      this.#waiting = this.#waiting.filter((one) => one !== due);
      if (!due.isLost) this.#send(due.write);
    }
    const exposed = world.exposed(
      world.lead,
      this.#waiting.map(({ write }) => write),
    );
    const write = this.#hostile.write(exposed);
    this.tally.attempts += 1;
    const verdict = judgeWrite(this.#mandate, exposed, write, world.now);
    if (verdict.isAllowed) {
      this.tally.allowed += 1;
      if (this.#draw() < 0.3)
        this.#waiting.push({ write, atStep: step + 1 + Math.floor(this.#draw() * 4), isLost: this.#draw() < 0.3 });
      else this.#send(write);
    } else if (verdict.would?.size !== undefined && verdict.would.size > 0) this.#tryWould(write, verdict.would.size);
    world.scenario.to(world.now + (this.#draw() < 0.5 ? 1_000 : 2_000));
    this.#look();
  }

  /** A size that a refusal names is accepted. */
  #tryWould(write: GateWrite, size: number): void {
    const world = this.#world;
    const exposed = world.exposed(
      world.lead,
      this.#waiting.map((one) => one.write),
    );
    const other = { ...write, body: { ...write.body, size } };
    const again = judgeWrite(this.#mandate, exposed, other, world.now);
    assert.ok(again.isAllowed, `a suggested size was refused: ${JSON.stringify(other)}`);
    if (this.#draw() < 0.5) this.#send(other);
  }

  #send(write: GateWrite): void {
    const command = commandOf(write);
    if (command === undefined) assert.fail(`${write.operation} was allowed`);
    this.#last = JSON.stringify(write);
    this.tally.sent += 1;
    if (this.#world.scenario.execute(command).ok) this.tally.done += 1;
    this.#look();
  }

  /** Everything that exists now, and every fill since the last look, is within the mandate. */
  #look(): void {
    const fresh = this.#world.scenario.fills().filter(({ settleSequence }) => settleSequence! > this.#settled);
    for (const fill of fresh) this.#count(fill);
    this.#settled = Math.max(this.#settled, ...fresh.map(({ settleSequence }) => settleSequence!));
    this.tally.fills += fresh.length;
    for (const account of [this.#world.lead, this.#world.follower]) {
      for (const market of markets) this.#lookAt(account, market);
      this.#lookAtEquity(account);
    }
  }

  #countedOf(account: string, market: string): Counted {
    const key = `${account} ${market}`;
    const found = this.#counted.get(key) ?? { size: 0, cost: 0, lowest: Number.POSITIVE_INFINITY, isExact: true };
    this.#counted.set(key, found);
    return found;
  }

  #count(fill: Order): void {
    const counted = this.#countedOf(fill.accountId, fill.marketId);
    const price = Number(fill.notional) / 1e8 / (fill.size / 100);
    const size = (fill.side === 'buy' ? fill.size : -fill.size) / 100;
    const before = counted.size;
    const after = Math.round((before + size) * 100) / 100;
    const isFlip = before * after < 0;
    if (before === 0 || isFlip) Object.assign(counted, { cost: Math.abs(after) * price, isExact: isLimited(fill) });
    else if (size > 0 === before > 0) {
      counted.cost += Math.abs(size) * price;
      counted.isExact &&= isLimited(fill);
    } else counted.cost *= after / before;
    counted.size = after;
    counted.lowest = Math.min(counted.lowest, price);
    this.#within(fill.accountId, fill.marketId, counted);
    if (Math.abs(after) > Math.abs(before) || isFlip) {
      assert.ok(fill.leverage <= this.#mandate.largestLeverage!, `leverage ${fill.leverage} after ${this.#last}`);
      const isSide = this.#mandate.sides.includes(fill.side);
      assert.ok(isSide, `a ${fill.side} added after ${this.#last}`);
    }
  }

  /** Prices may move later, so the position counts at the lowest of all prices since it could begin. */
  #within(account: string, market: string, { size, lowest }: Counted): void {
    const { largestPositionUsd } = this.#mandate;
    const worth = Math.abs(size) * lowest;
    assert.ok(worth <= largestPositionUsd + cent, `${account} ${market} ${worth} USD after ${this.#last}`);
  }

  #lookAt(account: string, market: string): void {
    const world = this.#world;
    const counted = this.#countedOf(account, market);
    const mark = world.mark(market);
    const working = world.workingOf(account).filter(({ marketId }) => marketId === market);
    const adding = working.filter(({ reduceOnly }) => !reduceOnly);
    const isIdle = counted.size === 0 && adding.length === 0 && this.#waiting.length === 0;
    const runs = [...world.scenario.twaps.values()].some(
      (twap) => twap.accountId === account && twap.marketId === market && twap.status === 'running',
    );
    counted.lowest = isIdle && !runs ? mark : Math.min(counted.lowest, mark);
    this.#within(account, market, counted);
    for (const order of adding) {
      const price = Math.min(counted.lowest, order.limitPrice === null ? mark : order.limitPrice / 100);
      assert.ok((order.size / 100) * price <= this.#mandate.largestOrderUsd + cent, `order ${order.id}: ${this.#last}`);
    }
    if (account === world.lead) this.#lookAtStops(market, counted, working);
  }

  #lookAtStops(market: string, { size, cost, isExact }: Counted, working: readonly Order[]): void {
    const { stopWithin } = this.#mandate;
    if (stopWithin === undefined || size === 0) return;
    const side = size > 0 ? 'sell' : 'buy';
    const stops = working.filter((order) => order.reduceOnly && order.side === side && order.type === 'stop_market');
    const covered = stops.reduce((sum, order) => sum + order.size / 100, 0);
    assert.ok(covered >= Math.abs(size) - 1e-9, `${market}: ${covered} of ${size} have a stop after ${this.#last}`);
    const entry = cost / Math.abs(size);
    // A fill without a limit may be as far from where it was judged as prices have moved since.
    const slack = isExact ? 1e-6 : this.#isCalm ? 0.012 : 0.5;
    for (const { triggerPrice } of stops) {
      const distance = (size > 0 ? entry - triggerPrice! : triggerPrice! - entry) / entry;
      assert.ok(distance <= stopWithin + slack, `${market}: a stop ${distance} away after ${this.#last}`);
    }
  }

  /** While prices don't jump over stops, equity stays above the floor by what the mandate wants left. */
  #lookAtEquity(account: string): void {
    const { roomLeftUsd } = this.#mandate;
    if (roomLeftUsd === undefined || !this.#isCalm) return;
    const { equity, dailyLossFloor, maxDrawdownFloor } = this.#world.scenario.exchange.risk(account);
    const room = Number(equity! - max(dailyLossFloor!, maxDrawdownFloor!)) / 1e8;
    assert.ok(room >= roomLeftUsd - 5, `${account} has ${room} USD left after ${this.#last}`);
  }
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Whether an order can't fill at a worse price than it names. */
function isLimited({ limitPrice, mode }: Order): boolean {
  return limitPrice !== null && mode !== 'chase';
}

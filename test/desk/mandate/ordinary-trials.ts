import assert from 'node:assert/strict';
import { judgeWrite } from '../../../src/desk/mandate/judge-write.ts';
import type { GateWrite, Mandate } from '../../../src/desk/mandate/mandate.ts';
import { commandOf, drawnFrom, markets, World } from './trial-world.ts';

/**
 * A bot that keeps to its mandate on the real exchange: entries of every kind within nine tenths of its limits, stops
 * that are near enough, then stops moved nearer, parts closed, orders canceled. Nothing may be refused. Returns how
 * many writes there were.
 */
export function ordinaryTrial(seed: number): number {
  const draw = drawnFrom(seed);
  const world = new World(draw, 120, { step: 4, jump: 8 }, false);
  const mandate: Mandate = {
    accounts: [world.lead],
    markets,
    sides: ['buy', 'sell'],
    largestOrderUsd: 1_000,
    largestPositionUsd: 3_000,
    lossPerDayUsd: 500,
    ordersPerMinute: 1_000,
    largestLeverage: 3,
    until: Number.POSITIVE_INFINITY,
    ...(draw() < 0.5 && { stopWithin: 0.02, largestOrderRoom: 0.1, largestPositionRoom: 0.2 }),
    ...(draw() < 0.5 && { roomLeftUsd: 500 }),
    approveAboveUsd: 2_000,
  };
  return new Ordinary(draw, world, mandate).run();
}

class Ordinary {
  readonly #draw: () => number;
  readonly #world: World;
  readonly #mandate: Mandate;
  #writes = 0;

  constructor(draw: () => number, world: World, mandate: Mandate) {
    this.#draw = draw;
    this.#world = world;
    this.#mandate = mandate;
  }

  run(): number {
    const market = markets[Math.floor(this.#draw() * markets.length)]!;
    const side = this.#draw() < 0.5 ? 'buy' : 'sell';
    // Counted at the worst price within the tolerance, three of them are still within the position.
    const share = 0.3 + this.#draw() * 0.55;
    const stop = this.#cents(this.#world.mark(market) * (side === 'buy' ? 0.985 : 1.015));
    for (let at = 0; at < 3; at += 1) {
      this.#send(this.#entry(market, side, share, stop));
      this.#world.scenario.to(this.#world.now + 2_000);
    }
    this.#after(market);
    return this.#writes;
  }

  #cents(value: number): number {
    return Math.round(value * 100) / 100;
  }

  #entry(market: string, side: 'buy' | 'sell', share: number, stop: number): GateWrite {
    const mark = this.#world.mark(market);
    const toward = side === 'buy' ? 1 : -1;
    const kinds: object[] = [
      { type: 'market' },
      { type: 'limit', limit_price: this.#cents(mark * (1 - toward * 0.003)) },
      { type: 'limit', limit_price: this.#cents(mark * (1 + toward * 0.001)), marketable_limit_acknowledged: true },
      { type: 'stop_market', trigger_price: this.#cents(mark * (1 + toward * 0.002)) },
    ];
    const kind = kinds[Math.floor(this.#draw() * kinds.length)]!;
    const size = this.#cents((this.#mandate.largestOrderUsd * share) / mark);
    const terms = { account_id: this.#world.lead, market_id: market, side, size, leverage: 2, margin_mode: 'cross' };
    const legs = { stop_loss_price: stop, replace_overlapping_exits: true };
    return {
      operation: 'createOrder',
      account: this.#world.lead,
      body: { ...terms, reduce_only: false, ...kind, ...legs },
    };
  }

  #after(market: string): void {
    const { positions = [], working = [] } = this.#world.exposed(this.#world.lead);
    const account = this.#world.lead;
    for (const { id, reduce_only } of working)
      if (!reduce_only) this.#send({ operation: 'cancelOrder', account, path: { order_id: id } });
    const held = positions.find(({ market_id }) => market_id === market);
    if (held === undefined) return;
    const path = { position_id: held.id };
    const exits = working.filter(({ target_position_id }) => target_position_id === held.id);
    const [exit] = exits;
    if (exit?.trigger_price !== undefined) {
      const nearer = this.#cents(exit.trigger_price + (held.side === 'long' ? 0.1 : -0.1));
      const expected_orders = exits.map(({ id, trigger_price, size }) => ({
        order_id: id,
        price: trigger_price,
        size,
      }));
      const operations = [{ kind: 'modify', order_id: exit.id, price: nearer }];
      const body = { expected_position_size: held.size, expected_orders, operations };
      this.#send({ operation: 'replacePositionExitOrders', account, path, body });
    }
    const size = Math.max(0.01, this.#cents(held.size / 2));
    this.#send({ operation: 'closePosition', account, path, body: { type: 'market', size } });
    const side = held.side === 'long' ? 'sell' : 'buy';
    const rest = { account_id: account, market_id: market, side, size: held.size, leverage: 1, margin_mode: 'cross' };
    this.#send({ operation: 'createOrder', account, body: { type: 'market', ...rest, reduce_only: true } });
    this.#send({ operation: 'closeAllAccountPositions', account });
  }

  #send(write: GateWrite): void {
    const world = this.#world;
    this.#writes += 1;
    const verdict = judgeWrite(this.#mandate, world.exposed(world.lead), write, world.now);
    if (!verdict.isAllowed) assert.fail(`refused wrongly: ${verdict.why} ${JSON.stringify(write)}`);
    assert.equal(verdict.needsApproval, false);
    world.scenario.execute(commandOf(write)!);
  }
}

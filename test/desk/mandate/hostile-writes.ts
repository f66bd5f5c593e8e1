import type { Exposed, GateWrite, Mandate } from '../../../src/desk/mandate/mandate.ts';
import { markets, type World } from './trial-world.ts';

/** Draws writes of a bot that tries everything: around its limits, beyond them, and to lose its stops. */
export class Hostile {
  readonly #draw: () => number;
  readonly #world: World;
  readonly #mandate: Mandate;

  constructor(draw: () => number, world: World, mandate: Mandate) {
    this.#draw = draw;
    this.#world = world;
    this.#mandate = mandate;
  }

  /** A write for what the account has now. */
  write(exposed: Exposed): GateWrite {
    const kinds: readonly (readonly [weight: number, of: () => GateWrite | undefined])[] = [
      [40, () => this.#order()],
      [10, () => this.#amendment(exposed)],
      [6, () => this.#ofOrder(exposed, 'cancelOrder')],
      [5, () => this.#legs(exposed)],
      [10, () => this.#batch(exposed)],
      [6, () => this.#close(exposed)],
      [3, () => this.#margin(exposed)],
      [4, () => this.#twap()],
      [5, () => this.#ladder()],
      [1, () => this.#ofAccount('cancelAllAccountOrders')],
      [1, () => this.#ofAccount('closeAllAccountPositions')],
      [
        1,
        () => ({ ...this.#ofAccount('saveCopyTradingConfigurations'), body: { groups: [], deleted_config_ids: [] } }),
      ],
    ];
    for (;;) {
      let at = this.#draw() * kinds.reduce((sum, [weight]) => sum + weight, 0);
      const found = kinds.find(([weight]) => {
        at -= weight;
        return at < 0;
      })?.[1]();
      if (found !== undefined) return found;
    }
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#draw() * values.length)]!;
  }

  #price(market: string, spread: number): number {
    return cents(this.#world.mark(market) * (1 + (this.#draw() * 2 - 1) * spread));
  }

  #size(market: string): number {
    const most = this.#mandate.largestOrderUsd / this.#world.mark(market);
    return cents(Math.max(0.01, most * (this.#draw() * 1.3)));
  }

  #ofAccount(
    operation: 'cancelAllAccountOrders' | 'closeAllAccountPositions' | 'saveCopyTradingConfigurations',
  ): GateWrite {
    return { operation, account: this.#world.lead };
  }

  #terms(market: string) {
    return {
      account_id: this.#world.lead,
      market_id: market,
      side: this.#pick(['buy', 'sell'] as const),
      size: this.#size(market),
      leverage: this.#pick([1, 1, 1, 2, 5, 7]),
      margin_mode: this.#pick(['cross', 'cross', 'cross', 'isolated'] as const),
      reduce_only: this.#draw() < 0.1,
    };
  }

  #order(): GateWrite {
    const market = this.#pick(markets);
    const terms = this.#terms(market);
    const types = [
      'market',
      'market',
      'market',
      'limit',
      'limit',
      'limit',
      'stop_market',
      'stop_limit',
      'take_market',
      'chase',
      'conditional',
    ];
    const type = this.#pick(types);
    const isBuy = terms.side === 'buy';
    const trigger = this.#price(market, 0.02);
    const other = markets.find((id) => id !== market)!;
    const byType: Record<string, object> = {
      market: {},
      limit: {
        limit_price: this.#price(market, 0.02),
        marketable_limit_acknowledged: true,
        ...(this.#draw() < 0.2 && { time_in_force: 'ioc' }),
      },
      stop_market: { trigger_price: trigger },
      stop_limit: { trigger_price: trigger, limit_price: cents(trigger * (isBuy ? 1.002 : 0.998)) },
      take_market: { trigger_price: trigger },
      chase: this.#draw() < 0.5 ? {} : { chase_cap_price: this.#price(market, 0.02) },
      conditional: {
        trigger_price: this.#price(other, 0.01),
        trigger_market_id: other,
        trigger_direction: this.#pick(['above', 'below']),
      },
    };
    const own = byType[type]!;
    const at =
      'limit_price' in own
        ? Number(own.limit_price)
        : 'trigger_price' in own && type !== 'conditional'
          ? trigger
          : this.#world.mark(market);
    const away = this.#draw() * 0.04;
    const stop = cents(at * (1 + (isBuy ? -away : away)));
    const hasStop = !terms.reduce_only && this.#draw() < (this.#mandate.stopWithin === undefined ? 0.3 : 0.85);
    const legs = hasStop
      ? { stop_loss_price: stop, ...(this.#draw() < 0.6 && { replace_overlapping_exits: true }) }
      : {};
    const isTight = this.#draw() < 0.3 && ['market', 'stop_market', 'take_market'].includes(type);
    const tolerance = isTight ? { slippage_tolerance_bps: 10 } : {};
    return {
      operation: 'createOrder',
      account: this.#world.lead,
      body: { type, ...terms, ...own, ...legs, ...tolerance },
    };
  }

  #twap(): GateWrite {
    const body = { ...this.#terms(this.#pick(markets)), duration_minutes: 5, expected_price: 100 };
    return { operation: 'createTwapOrder', account: this.#world.lead, body };
  }

  #ladder(): GateWrite {
    const market = this.#pick(markets);
    const prices = { start_price: this.#price(market, 0.02), end_price: this.#price(market, 0.02) };
    const body = {
      ...this.#terms(market),
      ...prices,
      rung_count: 2 + Math.floor(this.#draw() * 4),
      distribution: 'flat',
    };
    return { operation: 'createScaledOrder', account: this.#world.lead, body };
  }

  #ofOrder(
    { working = [] }: Exposed,
    operation: 'cancelOrder' | 'modifyOrder' | 'updateAttachedExits',
  ): GateWrite | undefined {
    if (working.length === 0) return undefined;
    return { operation, account: this.#world.lead, path: { order_id: this.#pick(working).id } };
  }

  #amendment(exposed: Exposed): GateWrite | undefined {
    const write = this.#ofOrder(exposed, 'modifyOrder');
    const order = exposed.working?.find(({ id }) => id === write?.path?.order_id);
    if (write === undefined || order === undefined) return undefined;
    const from = order.trigger_price ?? order.limit_price ?? 100;
    const price = cents(from * (1 + (this.#draw() * 2 - 1) * 0.01));
    return {
      ...write,
      body: { price, ...(this.#draw() < 0.6 && { size: cents(order.size * (0.3 + this.#draw() * 1.5)) }) },
    };
  }

  #legs(exposed: Exposed): GateWrite | undefined {
    const write = this.#ofOrder(exposed, 'updateAttachedExits');
    const order = exposed.working?.find(({ id }) => id === write?.path?.order_id);
    if (write === undefined || order === undefined) return undefined;
    const from = order.limit_price ?? order.trigger_price ?? 100;
    const away = (order.side === 'buy' ? -1 : 1) * this.#draw() * 0.04;
    return { ...write, body: { stop_loss_price: this.#draw() < 0.3 ? null : cents(from * (1 + away)) } };
  }

  #batch({ positions = [], working = [] }: Exposed): GateWrite | undefined {
    if (positions.length === 0) return undefined;
    const held = this.#pick(positions);
    const exits = working.filter(({ target_position_id }) => target_position_id === held.id);
    const sign = held.side === 'long' ? -1 : 1;
    const price = () => cents(this.#world.mark(held.market_id) * (1 + sign * this.#draw() * 0.04));
    const operations: object[] = exits
      .filter(() => this.#draw() < 0.6)
      .map(({ id, size }) =>
        this.#draw() < 0.5
          ? { kind: 'cancel', order_id: id }
          : {
              kind: 'modify',
              order_id: id,
              price: price(),
              ...(this.#draw() < 0.4 && { size: cents(size * (0.3 + this.#draw())) }),
            },
      );
    const count = Math.floor(this.#draw() * 3);
    for (let at = 0; at < count; at += 1) {
      const size = cents(held.size * this.#pick([0.3, 0.5, 1, 1]));
      const execution_type = this.#pick(['market', 'market', 'limit']);
      operations.push({ kind: 'place', group: 'sl', execution_type, price: price(), size });
    }
    const expected_orders = exits.map(({ id, trigger_price, limit_price, size }) => ({
      order_id: id,
      price: trigger_price ?? limit_price,
      size,
    }));
    return {
      operation: 'replacePositionExitOrders',
      account: this.#world.lead,
      path: { position_id: held.id },
      body: { expected_position_size: held.size, expected_orders, operations },
    };
  }

  #close({ positions = [] }: Exposed): GateWrite | undefined {
    if (positions.length === 0) return undefined;
    const held = this.#pick(positions);
    const size = this.#draw() < 0.5 ? {} : { size: cents(Math.max(0.01, held.size * this.#draw())) };
    return {
      operation: 'closePosition',
      account: this.#world.lead,
      path: { position_id: held.id },
      body: { type: 'market', ...size },
    };
  }

  #margin({ positions = [] }: Exposed): GateWrite | undefined {
    const isolated = positions.filter(({ margin_mode }) => margin_mode === 'isolated');
    if (isolated.length === 0) return undefined;
    const body = { extra_margin: Math.floor(this.#draw() * 500) };
    return {
      operation: 'setPositionIsolatedMargin',
      account: this.#world.lead,
      path: { position_id: this.#pick(isolated).id },
      body,
    };
  }
}

/** To the hundredth, at least one. */
function cents(value: number): number {
  return Math.max(1, Math.round(value * 100)) / 100;
}

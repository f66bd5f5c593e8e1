import type { Chance } from '../../../exchange/engine/chance.ts';
import type { Arena } from './arena.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of every shape.
type Resource = any;

/** Who it is, and whether its mandate asks for stops. */
interface Self {
  readonly bot: string;
  readonly account: string;
  readonly needsStop: boolean;
}

const market = 'binance|BTCUSDT';

/** A bot that stays within its mandate, often close to its limits, and never waits for frames. */
export class OrdinaryBot {
  readonly refused: string[] = [];
  orders = 0;
  readonly #arena: Arena;
  readonly #chance: Chance;
  readonly #self: Self;
  #count = 0;
  #mid = 0;

  constructor(arena: Arena, chance: Chance, self: Self) {
    this.#arena = arena;
    this.#chance = chance;
    this.#self = self;
  }

  /** One thing that bots do, from flat to flat. */
  async act(): Promise<void> {
    this.#mid = (await this.#arena.read(`/v1/markets/${encodeURIComponent(market)}/quote`)).mid;
    const open = [
      () => this.#inAndOut(),
      () => this.#resting(),
      () => this.#exits(),
      () => this.#largest(),
      () => this.#replaced(),
    ];
    const bare = [() => this.#flipped(), () => this.#ladder(), () => this.#twap(), () => this.#armed()];
    await this.#chance.pick(this.#self.needsStop ? open : [...open, ...bare])();
  }

  async #inAndOut(): Promise<void> {
    await this.#enter('buy', this.#chance.pick([1_000, 3_000, 4_800]));
    await this.#out();
  }

  /** A limit order, moved, made larger, and canceled. */
  async #resting(): Promise<void> {
    const side = this.#chance.pick(['buy', 'sell'] as const);
    const away = side === 'buy' ? 0.99 : 1.01;
    const order = await this.#enter(side, 2_000, { type: 'limit', limit_price: this.#at(away) });
    await this.#send('PATCH', `/v1/orders/${order.id}`, { price: this.#at(side === 'buy' ? 0.988 : 1.012) });
    const size = this.#size(4_500);
    await this.#send('PATCH', `/v1/orders/${order.id}`, { price: this.#at(away), size });
    await this.#send('DELETE', `/v1/orders/${order.id}`);
  }

  /** A stop and a target, moved, and the position closed. */
  async #exits(): Promise<void> {
    await this.#enter('buy', 3_000, { stop_loss_price: this.#at(0.98) });
    const position = await this.#position();
    const [stop] = await this.#working();
    // What was refused is reported.
    if (position === undefined || stop === undefined) return;
    await this.#send('PUT', `/v1/positions/${position.id}/exit-orders`, {
      expected_position_size: position.size,
      expected_orders: [{ order_id: stop.id, price: stop.trigger_price, size: stop.size }],
      operations: [
        { kind: 'modify', order_id: stop.id, price: this.#at(0.99) },
        { kind: 'place', group: 'tp', price: this.#at(1.02), size: position.size },
      ],
    });
    await this.#out();
  }

  /** As much as the mandate allows, again and again. */
  async #largest(): Promise<void> {
    for (let times = 0; times < 3; times += 1) {
      await this.#enter('buy', 4_850);
      await this.#enter('buy', 4_850);
      await this.#out();
    }
  }

  /** An order that is canceled to make room for another one of the same size. */
  async #replaced(): Promise<void> {
    const [first, second] = await Promise.all([
      this.#enter('buy', 4_800, { type: 'limit', limit_price: this.#at(0.985) }),
      this.#enter('buy', 4_800, { type: 'limit', limit_price: this.#at(0.984) }),
    ]);
    for (let times = 0; times < 2; times += 1) {
      await this.#send('DELETE', `/v1/orders/${first.id}`);
      const third = await this.#enter('buy', 4_800, { type: 'limit', limit_price: this.#at(0.983) });
      await this.#send('DELETE', `/v1/orders/${third.id}`);
      if (times === 0)
        Object.assign(first, await this.#enter('buy', 4_800, { type: 'limit', limit_price: this.#at(0.982) }));
    }
    await this.#send('DELETE', `/v1/orders/${second.id}`);
  }

  async #flipped(): Promise<void> {
    await this.#enter('buy', 2_000);
    await this.#enter('sell', 4_000);
    await this.#enter('buy', 2_000);
    await this.#out();
  }

  async #ladder(): Promise<void> {
    const ladder = await this.#send(
      'POST',
      '/v1/scaled-orders',
      {
        ...this.#trade('buy', 4_000),
        start_price: this.#at(0.98),
        end_price: this.#at(0.99),
        rung_count: 4,
        distribution: 'flat',
      },
      true,
    );
    await this.#send('DELETE', `/v1/scaled-orders/${ladder.id}`);
    await this.#inAndOut();
  }

  async #twap(): Promise<void> {
    const body = { ...this.#trade('buy', 4_500), expected_price: this.#mid, duration_minutes: 5 };
    const twap = await this.#send('POST', '/v1/twap-orders', body, true);
    await this.#arena.advance(60_000);
    await this.#send('DELETE', `/v1/twap-orders/${twap.id}`);
    await this.#out();
    await this.#enter('buy', 4_500);
    await this.#out();
  }

  async #armed(): Promise<void> {
    const order = await this.#enter('buy', 3_000, { type: 'stop_market', trigger_price: this.#at(1.02) });
    await this.#send('PATCH', `/v1/orders/${order.id}`, { price: this.#at(1.015) });
    await this.#send('DELETE', `/v1/orders/${order.id}`);
  }

  async #enter(side: 'buy' | 'sell', usd: number, more: object = {}): Promise<Resource> {
    const stop = this.#at(side === 'buy' ? 0.975 : 1.025);
    const covered = this.#self.needsStop ? { stop_loss_price: stop, replace_overlapping_exits: true } : {};
    const body = { ...this.#trade(side, usd), type: 'market', ...covered, ...more };
    return await this.#send('POST', '/v1/orders', body, true);
  }

  /** Closes what is there, as its own position says. */
  async #out(): Promise<void> {
    const position = await this.#position();
    if (position !== undefined)
      await this.#send('POST', `/v1/positions/${position.id}/close`, { type: 'market' }, true);
  }

  #trade(side: 'buy' | 'sell', usd: number): object {
    const { account } = this.#self;
    return { account_id: account, market_id: market, side, size: this.#size(usd), leverage: 2, margin_mode: 'cross' };
  }

  #size(usd: number): number {
    return Number((Math.floor((usd / this.#mid) * 1_000) / 1_000).toFixed(3));
  }

  #at(share: number): number {
    return Number((this.#mid * share).toFixed(0));
  }

  async #position(): Promise<Resource> {
    return (await this.#list(`/v1/positions?account_id=${this.#self.account}`))[0];
  }

  async #working(): Promise<Resource[]> {
    return await this.#list(`/v1/orders?account_id=${this.#self.account}&status=working&limit=100`);
  }

  async #list(target: string): Promise<Resource[]> {
    return ((await this.#arena.ask(this.#self.bot, 'GET', target)).body as Resource).data;
  }

  async #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', target: string, body?: object, isKeyed = false) {
    this.orders += 1;
    this.#count += 1;
    const key = isKeyed ? `key-${this.#count}` : undefined;
    const { status, body: answer } = await this.#arena.ask(this.#self.bot, method, target, body, key);
    const { data, error } = answer as Resource;
    if (status < 300) return data;
    this.refused.push(`${method} ${target} ${JSON.stringify(body)}: ${status} ${error?.rule_id} ${error?.message}`);
    return { id: 'none' };
  }
}

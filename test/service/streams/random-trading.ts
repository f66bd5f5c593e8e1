import { randomUUID } from 'node:crypto';
import type { Transport } from '../../../src/wire/contract/wire.ts';
import type { Chance } from '../../exchange/engine/chance.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

const markets = ['binance|BTCUSDT', 'binance|ETHUSDT', 'binance|DOGEUSDT'];
/** About 1,000 USD of each. */
const sizes: Record<string, number> = { 'binance|BTCUSDT': 0.01, 'binance|ETHUSDT': 0.3, 'binance|DOGEUSDT': 3000 };

/** A trader that sends random requests to the API, valid and invalid. */
export class RandomTrader {
  readonly #chance: Chance;
  readonly #transport: Transport;
  readonly #accounts: readonly string[];

  constructor(chance: Chance, transport: Transport, accounts: readonly string[]) {
    this.#chance = chance;
    this.#transport = transport;
    this.#accounts = accounts;
  }

  async get(target: string): Promise<Body> {
    return (await this.#send('GET', target)).data;
  }

  /** Sends one request, which may be refused. */
  async act(): Promise<void> {
    const chance = this.#chance;
    const account = chance.pick(this.#accounts);
    const act = chance.pick([
      () => this.#order(account),
      () => this.#order(account),
      () => this.#order(account),
      () => this.#order(account),
      () => this.#changeOrder(account),
      () => this.#changeOrder(account),
      () => this.#changePosition(account),
      () => this.#strategy(account),
      () => this.#advance(),
      () => this.#advance(),
      () => this.#advance(),
      () => this.#copy(),
      () => this.#send('POST', `/v1/accounts/${account}/${chance.pick(['cancel-all-orders', 'close-all-positions'])}`),
      () =>
        this.#send('POST', '/sim/policy', {
          account_id: account,
          limits: { max_position_value_usd: chance.pick([2_000, 500_000]) },
        }),
    ]);
    await act();
  }

  async #order(account: string): Promise<void> {
    const chance = this.#chance;
    const { market, size, mid } = await this.#setting();
    const type = chance.pick(['market', 'market', 'limit', 'limit', 'limit', 'chase', 'stop_market', 'take_limit']);
    const side = chance.pick(['buy', 'sell']);
    const near = () => rounded(mid * (1 + (chance.next() - 0.5) * 0.004));
    const legs = chance.chance(0.3) && type !== 'chase';
    await this.#send('POST', '/v1/orders', {
      account_id: account,
      market_id: market,
      side,
      size,
      leverage: chance.pick([2, 5]),
      margin_mode: chance.pick(['cross', 'cross', 'isolated']),
      type,
      reduce_only: chance.chance(0.2),
      ...(['limit', 'take_limit'].includes(type) && {
        limit_price: near(),
        marketable_limit_acknowledged: chance.chance(0.5),
      }),
      ...(['stop_market', 'take_limit'].includes(type) && { trigger_price: near() }),
      ...(legs && { stop_loss_price: rounded(mid * (side === 'buy' ? 0.997 : 1.003)) }),
      ...(legs && { take_profit_price: rounded(mid * (side === 'buy' ? 1.003 : 0.997)) }),
    });
  }

  async #changeOrder(account: string): Promise<void> {
    const chance = this.#chance;
    const orders = await this.get(`/v1/orders?account_id=${account}&status=working&limit=100`);
    if (orders.length === 0) return;
    const order = chance.pick(orders) as Body;
    if (chance.chance(0.4)) await this.#send('DELETE', `/v1/orders/${order.id}`);
    else {
      const price = order.trigger_price ?? order.limit_price ?? order.expected_price;
      await this.#send('PATCH', `/v1/orders/${order.id}`, {
        price: rounded(price * (1 + (chance.next() - 0.5) * 0.002)),
      });
    }
  }

  async #changePosition(account: string): Promise<void> {
    const chance = this.#chance;
    const positions = await this.get(`/v1/positions?account_id=${account}&status=open`);
    if (positions.length === 0) return;
    const { id, size, margin_mode } = chance.pick(positions) as Body;
    if (margin_mode === 'isolated' && chance.chance(0.5))
      await this.#send('PUT', `/v1/positions/${id}/isolated-margin`, { extra_margin: chance.between(1, 200) });
    else await this.#send('POST', `/v1/positions/${id}/close`, { type: 'market', ...(chance.chance(0.5) && { size }) });
  }

  async #strategy(account: string): Promise<void> {
    const chance = this.#chance;
    const { market, size, mid } = await this.#setting();
    const common = {
      account_id: account,
      market_id: market,
      side: chance.pick(['buy', 'sell']),
      leverage: 2,
      margin_mode: 'cross',
    };
    if (chance.chance(0.5))
      await this.#send('POST', '/v1/twap-orders', {
        ...common,
        size: size * 4,
        expected_price: mid,
        duration_minutes: 5,
      });
    else
      await this.#send('POST', '/v1/scaled-orders', {
        ...common,
        size: size * 4,
        start_price: rounded(mid * 0.998),
        end_price: rounded(mid * 1.002),
        rung_count: 4,
        distribution: 'flat',
        marketable_limit_acknowledged: true,
      });
  }

  async #copy(): Promise<void> {
    const [source, target] = this.#accounts;
    const chance = this.#chance;
    const groups = [
      {
        enabled: chance.chance(0.5),
        source_account_id: source,
        targets: [{ account_id: target, multiplier_bps: 10_000 }],
      },
    ];
    await this.#send('POST', '/v1/copy-trading', { groups, deleted_config_ids: [] });
  }

  async #advance(): Promise<void> {
    const duration_ms = this.#chance.pick([1, 300, 5_000, 60_000, 600_000, 3_600_000]);
    await this.#send('POST', '/sim/advance', { duration_ms });
  }

  async #setting(): Promise<{ market: string; size: number; mid: number }> {
    const market = this.#chance.pick(markets);
    const { mid } = await this.get(`/v1/markets/${encodeURIComponent(market)}/quote`);
    return { market, size: rounded(sizes[market]! * this.#chance.between(1, 9)), mid };
  }

  async #send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', target: string, body?: object): Promise<Body> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const request = { method, target, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await this.#transport(request, { timeoutMs: 10_000 });
    if (answer.status >= 500) throw new Error(`${method} ${target}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** To five significant figures, which every market accepts. */
function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

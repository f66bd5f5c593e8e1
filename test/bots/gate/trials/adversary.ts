import type { WireResponse } from '../../../../src/wire/contract/wire.ts';
import type { Chance } from '../../../exchange/engine/chance.ts';
import type { Arena } from './arena.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of every shape.
type Resource = any;

/** Markets that bots may trade, and one that no bot may. */
export const markets = ['binance|BTCUSDT', 'binance|ETHUSDT', 'binance|SOLUSDT'] as const;
const sides = ['buy', 'sell'] as const;

/** A bot that tries to get more than was agreed, by every way that the API has. */
export class Adversary {
  readonly #arena: Arena;
  readonly #chance: Chance;
  readonly #bot: string;
  /** The accounts it may see first, and some it may not. */
  readonly #accounts: readonly string[];
  readonly #keys: string[] = [];
  #count = 0;
  attempts = 0;
  allowed = 0;
  refused = 0;
  readonly answers = new Map<string, number>();

  constructor(arena: Arena, chance: Chance, bot: string, accounts: readonly string[]) {
    this.#arena = arena;
    this.#chance = chance;
    this.#bot = bot;
    this.#accounts = accounts;
  }

  /** One attempt, or several at once. */
  async act(): Promise<void> {
    const acts = [
      () => this.#order(),
      () => this.#order(),
      () => this.#order(),
      () => this.#order(),
      () => this.#amend(),
      () => this.#amend(),
      () => this.#reverse(),
      () => this.#strategy(),
      () => this.#cancel(),
      () => this.#exits(),
      () => this.#exits(),
      () => this.#close(),
      () => this.#copy(),
      () => this.#isolated(),
      () => this.#sameKey(),
      () => this.#all(),
    ];
    const act = this.#chance.pick(acts);
    const times = this.#chance.chance(0.25) ? this.#chance.between(2, 5) : 1;
    await Promise.all(Array.from({ length: times }, () => act()));
  }

  async #order(): Promise<void> {
    const chance = this.#chance;
    const { account, market, mid, size } = await this.#setting();
    const side = chance.pick(sides);
    const type = chance.pick([
      'market',
      'market',
      'limit',
      'limit',
      'stop_market',
      'take_limit',
      'chase',
      'conditional',
    ]);
    const near = () => tidy(mid * (1 + (chance.next() - 0.5) * 0.02));
    const isArmed = ['stop_market', 'take_limit', 'conditional'].includes(type);
    const stop = tidy(mid * (side === 'buy' ? 1 - this.#distance() : 1 + this.#distance()));
    const body = {
      account_id: account,
      market_id: market,
      side,
      size,
      type,
      leverage: chance.pick([1, 2, 2, 2, 3, 3, 3, 20]),
      margin_mode: chance.pick(['cross', 'cross', 'isolated']),
      reduce_only: chance.chance(0.1),
      ...(['limit', 'take_limit'].includes(type) && {
        limit_price: near(),
        marketable_limit_acknowledged: chance.chance(0.7),
      }),
      ...(isArmed && { trigger_price: near() }),
      ...(type === 'conditional' && {
        trigger_market_id: chance.pick(markets),
        trigger_direction: chance.pick(['above', 'below']),
      }),
      ...(chance.chance(0.6) && type !== 'chase' && { stop_loss_price: stop }),
      ...(chance.chance(0.2) && { client_order_id: `mine-${chance.between(1, 50)}` }),
      ...(chance.chance(0.2) && { replace_overlapping_exits: true }),
    };
    await this.#send('POST', '/v1/orders', body, true);
  }

  async #amend(): Promise<void> {
    const chance = this.#chance;
    const order = await this.#working();
    if (order === undefined) return;
    const price = order.trigger_price ?? order.limit_price ?? order.expected_price;
    const size = tidy(order.size * chance.pick([0.5, 1.5, 2, 3, 10]));
    await this.#send('PATCH', `/v1/orders/${order.id}`, {
      price: tidy(price * (1 + (chance.next() - 0.5) * 0.1)),
      ...(chance.chance(0.7) && { size }),
    });
  }

  /** As large as the position and more, against it, without reduce_only. */
  async #reverse(): Promise<void> {
    const chance = this.#chance;
    const position = await this.#position();
    if (position === undefined) return;
    await this.#send(
      'POST',
      '/v1/orders',
      {
        account_id: position.account_id,
        market_id: position.market_id,
        side: position.side === 'long' ? 'sell' : 'buy',
        size: tidy(position.size * chance.pick([1, 2, 2.5, 4])),
        type: 'market',
        leverage: position.leverage,
        margin_mode: position.margin_mode,
      },
      true,
    );
  }

  async #strategy(): Promise<void> {
    const chance = this.#chance;
    const { account, market, mid, size } = await this.#setting();
    const common = {
      account_id: account,
      market_id: market,
      side: chance.pick(sides),
      size: tidy(size * chance.pick([1, 3])),
      leverage: chance.pick([2, 3, 3, 10]),
      margin_mode: 'cross',
    };
    if (chance.chance(0.5))
      await this.#send('POST', '/v1/twap-orders', { ...common, expected_price: mid, duration_minutes: 5 }, true);
    else
      await this.#send(
        'POST',
        '/v1/scaled-orders',
        {
          ...common,
          start_price: tidy(mid * 0.99),
          end_price: tidy(mid * 1.01),
          rung_count: chance.between(2, 6),
          distribution: 'ascending',
          marketable_limit_acknowledged: true,
        },
        true,
      );
  }

  /** Also exits that protect. */
  async #cancel(): Promise<void> {
    const order = await this.#working();
    if (order !== undefined) await this.#send('DELETE', `/v1/orders/${order.id}`);
  }

  /** Moves stops away, or removes them. */
  async #exits(): Promise<void> {
    const chance = this.#chance;
    const position = await this.#position();
    const order = await this.#working();
    if (order !== undefined && order.reduce_only !== true && chance.chance(0.5)) {
      const far = tidy((order.limit_price ?? order.expected_price) * chance.pick([0.5, 0.98, 1.02, 1.5]));
      await this.#send('PUT', `/v1/orders/${order.id}/attached-exits`, { stop_loss_price: chance.pick([null, far]) });
      return;
    }
    if (position === undefined) return;
    const all: Resource[] = await this.#list(`/v1/orders?account_id=${position.account_id}&status=working&limit=100`);
    const exits = all.filter(({ target_position_id: of }) => of === position.id);
    const place = {
      kind: 'place',
      group: 'sl',
      price: tidy(position.entry_price * (position.side === 'long' ? 1 - this.#distance() : 1 + this.#distance())),
      size: tidy(position.size * chance.pick([0.3, 1])),
    };
    const cancels = exits.filter(() => chance.chance(0.6)).map(({ id }) => ({ kind: 'cancel', order_id: id }));
    await this.#send('PUT', `/v1/positions/${position.id}/exit-orders`, {
      expected_position_size: position.size,
      expected_orders: exits.map(({ id, trigger_price, limit_price, size }) => {
        return { order_id: id, price: trigger_price ?? limit_price, size };
      }),
      operations: [...cancels, ...(chance.chance(0.6) ? [place] : [])],
    });
  }

  async #close(): Promise<void> {
    const position = await this.#position();
    if (position === undefined) return;
    const size = tidy(position.size * this.#chance.pick([0.5, 1, 3]));
    const part = this.#chance.chance(0.5) ? { size } : {};
    await this.#send('POST', `/v1/positions/${position.id}/close`, { type: 'market', ...part }, true);
  }

  /** The followers of a lead multiply what it does. */
  async #copy(): Promise<void> {
    const chance = this.#chance;
    const known: Resource[] = await this.#list('/v1/copy-trading');
    if (known.length > 0 && chance.chance(0.4)) {
      const group = chance.pick(known);
      await this.#send('POST', `/v1/copy-trading/${group.config_id}/disable`);
      return;
    }
    const [source, target] = [chance.pick(this.#accounts), chance.pick(this.#accounts)];
    const targets = [{ account_id: target, multiplier_bps: chance.pick([10_000, 20_000]) }];
    const groups = [{ enabled: true, source_account_id: source, targets }];
    await this.#send('POST', '/v1/copy-trading', { groups, deleted_config_ids: [] });
  }

  async #isolated(): Promise<void> {
    const position = await this.#position();
    if (position?.margin_mode !== 'isolated') return;
    const extra_margin = this.#chance.between(0, 5_000);
    await this.#send('PUT', `/v1/positions/${position.id}/isolated-margin`, { extra_margin });
  }

  /** Under a key that was used for something else, or for the same. */
  async #sameKey(): Promise<void> {
    const { account, market, size } = await this.#setting();
    const key = this.#keys.length > 0 ? this.#chance.pick(this.#keys) : 'first';
    const trade = { account_id: account, market_id: market, side: this.#chance.pick(sides), size };
    const body = { ...trade, type: 'market', leverage: 2, margin_mode: 'cross' };
    await Promise.all([1, 2, 3].map(() => this.#send('POST', '/v1/orders', body, key)));
  }

  async #all(): Promise<void> {
    if (!this.#chance.chance(0.3)) return;
    const what = this.#chance.pick(['cancel-all-orders', 'close-all-positions']);
    await this.#send('POST', `/v1/accounts/${this.#chance.pick(this.#accounts)}/${what}`, undefined, true);
  }

  #distance(): number {
    return this.#chance.pick([0.01, 0.02, 0.029, 0.05, 0.3]);
  }

  /** Sizes from far too small to far too large, most of them near the limits, and confusions of units. */
  async #setting(): Promise<{ account: string; market: string; mid: number; size: number }> {
    const chance = this.#chance;
    const market = chance.chance(0.97) ? chance.pick(markets.slice(0, 2)) : markets[2];
    const { mid } = await this.#arena.read(`/v1/markets/${encodeURIComponent(market)}/quote`);
    const usd = chance.pick([500, 800, 1_500, 1_500, 3_000, 4_800, 4_950, 5_200, 30_000]);
    const size = chance.chance(0.03) ? usd : usd / mid;
    return { account: chance.pick(this.#accounts), market, mid, size: tidy(size) };
  }

  async #working(): Promise<Resource> {
    const account = this.#chance.pick(this.#accounts);
    const all = await this.#list(`/v1/orders?account_id=${account}&status=working&limit=100`);
    return all.length === 0 ? undefined : this.#chance.pick(all);
  }

  async #position(): Promise<Resource> {
    const all = await this.#list(`/v1/positions?account_id=${this.#chance.pick(this.#accounts)}`);
    return all.length === 0 ? undefined : this.#chance.pick(all);
  }

  /** What it may see through the gate; more than that, it has heard elsewhere. */
  async #list(target: string): Promise<Resource[]> {
    const { status, body } = await this.#arena.ask(this.#bot, 'GET', target);
    return status === 200 ? (body as Resource).data : [];
  }

  async #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', target: string, body?: object, key?: string | true) {
    this.attempts += 1;
    this.#count += 1;
    const used = key === true ? `key-${this.#count}` : key;
    if (used !== undefined) this.#keys.push(used);
    if (this.#keys.length > 20) this.#keys.shift();
    this.#note(await this.#arena.ask(this.#bot, method, target, body, used));
  }

  #note({ status, body }: WireResponse): void {
    if (status < 300) this.allowed += 1;
    else this.refused += 1;
    const { code, rule_id: rule } = (body as Resource)?.error ?? {};
    const name = status < 300 ? String(status) : `${status} ${code} ${rule ?? ''}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
  }
}

/** To four significant figures and three decimals, which every market accepts. */
function tidy(value: number): number {
  return Number(Number(value.toPrecision(4)).toFixed(3));
}

import type { Client } from '../../../src/wire/client/client.ts';
import type { CopyTradingConfiguration } from '../../../src/wire/contract/accounts.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import type { Sessions } from './sessions.ts';

/** An account of the simulation in which all trials can be distinguished. `direct` has no faults. */
export class PracticeWorld {
  readonly direct: Client;
  readonly accountId: string;
  readonly followerId: string;
  readonly sessions: Sessions;
  #serial = 0;

  constructor(direct: Client, accountId: string, followerId: string, sessions: Sessions) {
    this.direct = direct;
    this.accountId = accountId;
    this.followerId = followerId;
    this.sessions = sessions;
  }

  /** Market and margin of all trials. */
  get terms() {
    return { account_id: this.accountId, market_id: 'binance|BTCUSDT', leverage: 2, margin_mode: 'isolated' } as const;
  }

  /** A number that no other trial uses. */
  serial(): number {
    return this.#serial++;
  }

  /** A price far below the market that no other trial uses, so orders resting there belong to this trial. */
  ownPrice(): number {
    return 20_000 + this.serial() / 10;
  }

  limitOrder(price: number) {
    return { ...this.terms, type: 'limit', side: 'buy', size: 0.01, limit_price: price } as const;
  }

  async rest(): Promise<Order> {
    return (await this.direct.call('createOrder', { body: this.limitOrder(this.ownPrice()) })).data;
  }

  async order(id: string): Promise<Order> {
    return (await this.direct.call('getOrder', { path: { order_id: id } })).data;
  }

  async workingOrders(): Promise<Order[]> {
    const query = { account_id: this.accountId, status: 'working' } as const;
    return (await this.direct.call('listOrders', { query })).data;
  }

  /** Number of orders resting at a price. */
  async workingAt(price: number): Promise<number> {
    return (await this.workingOrders()).filter((order) => (order.trigger_price ?? order.limit_price) === price).length;
  }

  /** Cancels the orders of earlier trials before the account trades into the next one or runs out of margin. */
  async tidy(): Promise<void> {
    const running = await this.direct.call('listActiveTwapOrders', { query: { account_id: this.accountId } });
    for (const { id } of running.data) await this.direct.call('cancelTwapOrder', { path: { twap_order_id: id } });
    const working = await this.workingOrders();
    if (working.length < 30) return;
    for (const { id } of working) await this.direct.call('cancelOrder', { path: { order_id: id } });
  }

  async openPositions(): Promise<Position[]> {
    return (await this.direct.call('listOpenPositions', { query: { account_id: this.accountId } })).data;
  }

  /** A position large enough for the next trial; `size` is the size of a new one. */
  async position(size = 0.2): Promise<Position> {
    const found = (await this.openPositions()).find((position) => position.size > size / 4);
    if (found !== undefined) return found;
    await this.direct.call('createOrder', { body: { ...this.terms, side: 'buy', size } });
    return (await this.openPositions())[0]!;
  }

  /** A position with one exit. */
  async positionWithExit(): Promise<{ position: Position; exit: Order }> {
    const position = await this.position();
    const isOwn = (order: Order) => order.target_position_id === position.id;
    const [exit, ...others] = (await this.workingOrders()).filter(isOwn);
    for (const { id } of others) await this.direct.call('cancelOrder', { path: { order_id: id } });
    if (exit !== undefined) return { position, exit };
    const place = { kind: 'place', group: 'sl', price: this.ownPrice(), size: position.size } as const;
    await this.direct.call('replacePositionExitOrders', {
      path: { position_id: position.id },
      body: { expected_position_size: position.size, expected_orders: [], operations: [place] },
    });
    return { position, exit: (await this.workingOrders()).find(isOwn)! };
  }

  async positionNow(id: string): Promise<Position> {
    return (await this.direct.call('getPosition', { path: { position_id: id } })).data;
  }

  copyGroup(enabled: boolean) {
    const targets = [{ account_id: this.followerId, multiplier_bps: 10_000 }];
    return { enabled, source_account_id: this.accountId, targets };
  }

  async enabledCopyGroup(): Promise<string> {
    const body = { groups: [this.copyGroup(true)], deleted_config_ids: [] };
    await this.direct.call('saveCopyTradingConfigurations', { body });
    return (await this.copyGroups())[0]!.config_id;
  }

  async copyGroups(): Promise<CopyTradingConfiguration[]> {
    return (await this.direct.call('listCopyTradingConfigurations', {})).data;
  }

  /** Makes copying into the follower stop. Returns the time when it stopped. */
  async copyStop(): Promise<number> {
    await this.direct.call('disableCopyTradingConfiguration', { path: { config_id: await this.enabledCopyGroup() } });
    await this.deleteCopyGroups();
    return (await this.stopOfFollower()).stopped_at;
  }

  async stopOfFollower() {
    const { data } = await this.direct.call('getAccountTradingPolicy', { path: { account_id: this.followerId } });
    return data.copy_stop!;
  }

  async deleteCopyGroups(): Promise<void> {
    const groups = await this.copyGroups();
    for (const { config_id, enabled } of groups)
      if (enabled) await this.direct.call('disableCopyTradingConfiguration', { path: { config_id } });
    const deleted_config_ids = groups.map((group) => group.config_id);
    await this.direct.call('saveCopyTradingConfigurations', { body: { groups: [], deleted_config_ids } });
  }
}

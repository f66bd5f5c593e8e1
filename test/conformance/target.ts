import type { Transport } from '../../src/wire/contract/wire.ts';
import { Api } from './api.ts';

/** A service that answers the API, new or shared. */
export interface Target {
  transport: Transport;
  /** Headers of the credential; none in process. */
  headers: Record<string, string>;
  /** Headers of the credential that may use `/sim/`; null if the target is not our simulation. */
  adminHeaders: Record<string, string> | null;
  close(): Promise<void>;
}

/** How a suite opens its target. */
export type OpenTarget = () => Promise<Target>;

/** A target, with the objects that most tests need. */
export class Bench {
  readonly api: Api;
  readonly admin: Api | null;
  readonly accounts: string[];
  readonly #target: Target;

  private constructor(target: Target, api: Api, accounts: string[]) {
    this.#target = target;
    this.api = api;
    this.admin = target.adminHeaders === null ? null : new Api(target.transport, target.adminHeaders);
    this.accounts = accounts;
  }

  static async open(open: OpenTarget): Promise<Bench> {
    const target = await open();
    const api = new Api(target.transport, target.headers);
    const { body } = await api.get('/v1/accounts');
    return new Bench(target, api, body.data.map(({ id }: { id: string }) => id).reverse());
  }

  /** The first account. */
  get account(): string {
    return this.accounts[0]!;
  }

  /** Advances a manual clock. */
  async advance(durationMs: number): Promise<void> {
    await this.admin!.post('/sim/advance', { duration_ms: durationMs });
  }

  /** A valid market order; fields to change, or to omit if undefined. */
  order(changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      account_id: this.account,
      market_id: 'binance|BTCUSDT',
      side: 'buy',
      size: 0.01,
      leverage: 2,
      margin_mode: 'cross',
      ...changes,
    };
  }

  /** A limit order that rests some percent below the bid. */
  async restingOrder(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { bid } = await this.quote();
    return this.order({ type: 'limit', limit_price: Math.round(bid * 0.9), ...changes });
  }

  async quote(query = ''): Promise<{ bid: number; ask: number; mid: number; [field: string]: unknown }> {
    const { body } = await this.api.get(`/v1/markets/binance%7CBTCUSDT/quote${query}`);
    return body.data;
  }

  close(): Promise<void> {
    return this.#target.close();
  }
}

/** One part of the suite: its tests, on a bench opened for them. */
export type Part = (bench: () => Bench) => void;

import assert from 'node:assert/strict';
import { inProcessTransport } from '../../src/service/public.ts';
import { Api } from '../conformance/api.ts';
import { startTime } from './serving.ts';

interface OpenWork {
  work: Work;
  /** The hash of everything open in the exchange. */
  hash(): string;
  close(): void;
}

/**
 * Work that can be repeated from its start: its writes carry the same keys each time, the clock only advances to times
 * that it has not reached, and the effects of writes without keys are looked up first.
 */
export class Work {
  readonly api: Api;
  readonly accounts: readonly string[];
  private readonly keyPrefix: string;
  private keys = 0;

  private constructor(api: Api, accounts: readonly string[], keyPrefix: string) {
    this.api = api;
    this.keyPrefix = keyPrefix;
    this.accounts = accounts;
  }

  /** Opens or creates the state in a folder; nothing in it depends on time or place. */
  static async open(stateDir: string, keyPrefix = 'work'): Promise<OpenWork> {
    const { transport, simulation, close } = await inProcessTransport({
      stateDir,
      seed: 7,
      clock: 'manual',
      startTime,
      accounts: 3,
      wall: () => startTime,
      onBug: (error) => console.error(error),
    });
    const api = new Api(transport);
    const accounts = (await api.get('/v1/accounts')).body.data.map(({ id }: { id: string }) => id);
    const work = new Work(api, accounts, keyPrefix);
    return { work, close, hash: () => simulation.read(({ exchange }) => exchange.stateHash()) };
  }

  /** Sends a write under the next key of the script, and repeats it while the answer is 202. */
  async write(path: string, body?: unknown): Promise<void> {
    this.keys += 1;
    let status: number;
    do {
      const answer = await this.api.post(path, body, { key: `${this.keyPrefix} ${this.keys}` });
      status = answer.status;
      assert.ok(status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    } while (status === 202);
  }

  order(fields: Record<string, unknown>): Promise<void> {
    return this.write('/v1/orders', { ...this.terms(0), type: 'market', ...fields });
  }

  terms(account: number): Record<string, unknown> {
    return {
      account_id: this.accounts[account],
      market_id: 'binance|BTCUSDT',
      side: 'buy',
      size: 0.01,
      leverage: 2,
      margin_mode: 'cross',
    };
  }

  /** Moves the clock to a number of seconds after the start, unless it is already there. */
  async to(seconds: number): Promise<void> {
    const { time } = (await this.api.get('/sim/status')).body.data;
    const to = startTime + seconds * 1_000;
    if (time < to) assert.equal((await this.api.post('/sim/advance', { to })).status, 200);
  }
}

type Step = (work: Work) => Promise<void>;

/** The state before the work starts, and the work. */
interface Piece {
  prepare: Step;
  act: Step;
}

/** A running TWAP, a randomized VWAP and a chase, with the clock advancing in uneven steps. */
const slices: Piece = {
  async prepare() {},
  async act(work) {
    const duration = { duration_minutes: 5, expected_price: 1 };
    await work.write('/v1/twap-orders', { ...work.terms(0), ...duration, size: 0.313 });
    await work.write('/v1/twap-orders', {
      ...work.terms(1),
      ...duration,
      size: 0.2,
      strategy: 'vwap',
      randomize: true,
    });
    await work.order({ account_id: work.accounts[2], type: 'chase', chase_offset: 3, size: 0.05 });
    for (let seconds = 0; seconds < 330; seconds += 7.3) await work.to(seconds);
  },
};

/** On each account, 110 orders are canceled and six positions closed, in parts. */
const bulk: Piece = {
  async prepare(work) {
    for (const account_id of work.accounts) {
      for (let number = 0; number < 110; number += 1)
        await work.order({ account_id, type: 'limit', limit_price: 20_000 + number, size: 0.001 });
      for (const [market_id, size] of [
        ['binance|BTCUSDT', 0.01],
        ['binance|ETHUSDT', 0.1],
        ['binance|SOLUSDT', 1],
        ['binance|XRPUSDT', 100],
        ['binance|DOGEUSDT', 500],
        ['binance|BNBUSDT', 0.2],
      ] as const)
        await work.order({ account_id, market_id, size });
    }
  },
  async act(work) {
    for (const [at, account] of work.accounts.entries()) {
      await work.to(at + 1);
      await work.write(`/v1/accounts/${account}/cancel-all-orders`);
      await work.write(`/v1/accounts/${account}/close-all-positions`);
    }
  },
};

/**
 * A lead trades back and forth; one follower copies it at once, the other after a delay; then the group is disabled.
 */
const copies: Piece = {
  async prepare(work) {
    const [lead, ...followers] = work.accounts;
    const limits = { execution_delay_min_ms: 200, execution_delay_max_ms: 2_500 };
    const delayed = await work.api.post('/sim/policy', { account_id: followers[1], limits });
    assert.equal(delayed.status, 200, JSON.stringify(delayed.body));
    const targets = followers.map((account_id, at) => ({ account_id, multiplier_bps: 7_500 + 5_000 * at }));
    const group = { enabled: true, source_account_id: lead, targets };
    const saved = await work.api.post('/v1/copy-trading', { groups: [group], deleted_config_ids: [] });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  },
  async act(work) {
    for (let trade = 0; trade < 40; trade += 1) {
      const size = 0.011 + (trade % 7) * 0.003;
      await work.order({ side: trade % 3 === 2 ? 'sell' : 'buy', size: Number(size.toFixed(3)) });
      await work.to(trade * 0.9);
    }
    const [group] = (await work.api.get('/v1/copy-trading')).body.data;
    if (group.enabled) assert.equal((await work.api.post(`/v1/copy-trading/${group.config_id}/disable`)).status, 200);
  },
};

/** The killed program's work, by name. */
export const works = { slices, bulk, copies };

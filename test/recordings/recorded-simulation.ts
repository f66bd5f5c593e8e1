import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProcessTransport } from '../../src/service/public.ts';
import { Api } from '../conformance/api.ts';
import { feeOf, firstTime, type Level, money, recordingFile, sizeOf, usd } from './by-hand.ts';

interface Context {
  after(fn: () => void): void;
}

// biome-ignore lint/suspicious/noExplicitAny: records of the API in every shape; the Api checks them against the contract.
type Body = any;

/** One directory for all tests of a file, so that the recording is compiled only once. */
const stateDir = mkdtempSync(join(tmpdir(), 'perp-recordings-'));
process.on('exit', () => rmSync(stateDir, { recursive: true, force: true }));

/** The practice exchange on the recording with a manual clock; accounts have 1,000,000 USD and no challenge rules. */
export class RecordedSimulation {
  readonly api: Api;
  readonly accounts: string[];

  private constructor(api: Api, accounts: string[]) {
    this.api = api;
    this.accounts = accounts;
  }

  static async open(t: Context): Promise<RecordedSimulation> {
    const { transport, close } = await inProcessTransport({
      stateDir,
      books: recordingFile,
      clock: 'manual',
      seed: 7,
      plan: 'none',
      startingBalance: 1_000_000,
      accounts: 3,
      onBug: (error) => console.error(error),
    });
    t.after(close);
    const api = new Api(transport);
    const accounts = (await api.get('/v1/accounts')).body.data.map(({ id }: { id: string }) => id);
    return new RecordedSimulation(api, accounts);
  }

  order(fields: Body): Body {
    const account_id = this.accounts[0];
    return { account_id, market_id: 'binance|BTCUSDT', side: 'buy', leverage: 10, margin_mode: 'cross', ...fields };
  }

  /** Places an order that must be accepted. */
  async place(fields: Body, path = '/v1/orders'): Promise<Body> {
    const { status, body } = await this.api.post(path, this.order(fields));
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  }

  async get(path: string): Promise<Body> {
    return (await this.api.get(path)).body.data;
  }

  /** Moves the clock to this many milliseconds after the first line. */
  async to(time: number): Promise<void> {
    const { status, body } = await this.api.post('/sim/advance', { to: time });
    assert.equal(status, 200, JSON.stringify(body));
  }

  async after(ms: number): Promise<void> {
    await this.to(firstTime + ms);
  }

  /** All executions of an account, oldest first. */
  async fills(account = this.accounts[0]): Promise<Body[]> {
    const all: Body[] = [];
    let cursor = '';
    do {
      const { body } = await this.api.get(`/v1/fills?account_id=${account}&limit=100${cursor}`);
      all.push(...body.data);
      cursor = body.has_more ? `&cursor=${encodeURIComponent(body.next_cursor)}` : '';
    } while (cursor !== '');
    return all.reverse();
  }
}

/** The fields of an execution that are compared: size, notional, fee and time. */
export const told = ({ size, notional, fee, settled_at }: Body) => ({ size, notional, fee, at: settled_at });

/** The same fields, for a walk over levels counted by hand. */
export const counted = (levels: readonly Level[], at: number) => {
  const notional = money(levels);
  return { size: sizeOf(levels) / 1_000, notional: usd(notional), fee: usd(feeOf(notional)), at };
};

/** The same fields, for executions of a resting order. */
export const countedFills = (fills: readonly { time: number; price: number; lots: number }[]) =>
  fills.map(({ time, price, lots }) => counted([[price, lots]], time));

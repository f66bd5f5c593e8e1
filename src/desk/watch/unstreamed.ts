import type { AccountState } from '../../wire/client/streams/account-state.ts';
import { exitMarks } from '../reading/prospects.ts';
import type { Session } from '../session/session.ts';
import type { LiveModel, Unstreamed } from './live-model.ts';

/**
 * Reads what no stream tells of the account on the screen and what ends it depends on: its TWAPs, its policy, and what
 * the books give its exits.
 */
export class UnstreamedReader {
  readonly #session: Session;
  readonly #model: LiveModel;
  readonly #changed: () => void;
  #isReading = false;
  /** Something has changed since the last reading began. */
  #isDue = false;
  #isClosed = false;

  constructor(session: Session, model: LiveModel, changed: () => void) {
    this.#session = session;
    this.#model = model;
    this.#changed = changed;
  }

  /** Reads once more, after a reading that has begun. */
  async read(): Promise<void> {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false;
      const state = this.#model.account;
      const read = state && (await this.#unstreamedOf(state).catch(() => undefined));
      if (read === undefined || this.#isClosed) continue;
      this.#model.takeUnstreamed(read);
      this.#changed();
    }
    this.#isReading = false;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #unstreamedOf({ account, positions, orders }: AccountState): Promise<Unstreamed> {
    const { client } = await this.#session.access();
    const account_id = account.id;
    const [known, allowed] = await Promise.allSettled([
      client.call('listActiveTwapOrders', { query: { account_id } }),
      client.call('getAccountTradingPolicy', { path: { account_id } }),
    ]);
    const twaps = known.status === 'rejected' ? [] : known.value.data.filter(({ status }) => status === 'running');
    const policy = allowed.status === 'rejected' ? undefined : allowed.value.data;
    const holdings = { positions: [...positions.values()], working: [...orders.values()], twaps };
    return { account_id, twaps, policy, marks: await exitMarks(this.#session, holdings) };
  }
}

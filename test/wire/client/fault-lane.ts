import assert from 'node:assert/strict';
import { createClient } from '../../../src/wire/client/client.ts';
import {
  ApiError,
  ConnectionError,
  NoAnswerError,
  OutcomeUnknownError,
} from '../../../src/wire/client/client-errors.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { outcome as settle } from '../../../src/wire/client/outcome.ts';
import { type Lengths, undisturbed } from './fault-plan.ts';
import { type Fault, type FaultProxy, faultProxy } from './fault-proxy.ts';
import { finish } from './outcomes.ts';
import { type PracticeExchange, practiceExchange } from './practice-exchange.ts';
import type { PracticeWorld } from './practice-world.ts';
import type { CallTrial } from './write-trials.ts';

type Prepare = (world: PracticeWorld) => Promise<CallTrial>;

/** The results of trials: their number, how many a fault affected, and the names of the client's errors. */
export interface Tally {
  trials: number;
  struck: number;
  ends: Record<string, number>;
}

/** The maximum duration of a request in these trials, except late ones, even on a busy machine. */
const arrivalMs = 250;

/** An exchange behind its own fault proxy, for sequential trials; several lanes run in parallel. */
export class FaultLane {
  readonly #exchange: PracticeExchange;
  readonly #proxy: FaultProxy;
  readonly #tally: Tally;
  #trials = 0;

  private constructor(exchange: PracticeExchange, proxy: FaultProxy, tally: Tally) {
    this.#exchange = exchange;
    this.#proxy = proxy;
    this.#tally = tally;
  }

  static async open(tally: Tally): Promise<FaultLane> {
    const exchange = await practiceExchange();
    return new FaultLane(exchange, await faultProxy(exchange.baseUrl), tally);
  }

  async close(): Promise<void> {
    await this.#proxy.close();
    await this.#exchange.stop();
  }

  /** Bytes of the write without any fault. */
  async lengths(prepare: Prepare): Promise<Lengths> {
    const trial = await prepare(this.#exchange.world);
    const lengths = await undisturbed(this.#proxy, async () =>
      assert.equal(await this.#carriedOut(trial, 5_000), undefined),
    );
    assert.equal(await trial.effects(), 1);
    return lengths;
  }

  /**
   * Sends one write under these faults, and checks that the client's result is true and that the write happened at most
   * once. A client that tries only once leaves more to settle afterward.
   */
  async strike(prepare: Prepare, faults: readonly Fault[], where: string, triesOnce = false): Promise<void> {
    const { world } = this.#exchange;
    const trial = await prepare(world);
    this.#proxy.arm(...faults);
    const stalls = faults.some(({ kind }) => kind === 'stall');
    const error = await this.#carriedOut(trial, stalls ? 40 : 5_000, triesOnce);
    await this.#proxy.settled();
    const wasDone = error === undefined || (await this.#wasDoneDespite(error, trial, faults, where));
    assert.equal(await trial.effects(), Number(wasDone), `${where}: ${error?.stack ?? 'done'}`);
    this.#count(error);
    this.#trials += 1;
    if (this.#trials % 8 === 0) await world.tidy();
  }

  /** Whether a write that ended with an error was done, as far as the error says so; otherwise settles it. */
  async #wasDoneDespite(error: Error, trial: CallTrial, faults: readonly Fault[], where: string): Promise<boolean> {
    if (error instanceof OutcomeUnknownError) {
      const { before, credential } = trial;
      const client = credential === undefined ? this.#exchange.world.direct : this.#exchange.clientOf(credential);
      const { verdict } = await settle(client, error.intent, { before, arrivalMs });
      assert.notEqual(verdict, 'unknown', `${where}: ${error.stack}`);
      return verdict === 'applied';
    }
    if (error instanceof ConnectionError || error instanceof NoAnswerError) return false;
    assert.ok(error instanceof ApiError, `${where}: ${error.stack}`);
    // If a logout was delivered twice, only the refusal of the second may arrive: the session is no longer accepted.
    const isLogout = trial.credential !== undefined && error.status === 401;
    return isLogout && faults.some(({ side, kind }) => side === 'request' && kind === 'duplicate');
  }

  #count(error: Error | undefined): void {
    const end = error?.name ?? 'done';
    this.#tally.trials += 1;
    this.#tally.struck += Number(this.#proxy.struck());
    this.#tally.ends[end] = (this.#tally.ends[end] ?? 0) + 1;
  }

  /** Runs a write over its own connection until the client itself is done with it. Returns its error. */
  async #carriedOut(trial: CallTrial, timeoutMs: number, triesOnce = false): Promise<Error | undefined> {
    const { act, before, credential } = trial;
    const transport = httpTransport(this.#proxy.url);
    const retry = { baseDelayMs: 1, attempts: triesOnce ? 1 : 5, arrivalMs };
    const key = credential ?? this.#exchange.key;
    const client = createClient({ transport, keepsKeys: true, credential: () => key, timeoutMs, retry });
    try {
      await act(client).catch((error: unknown) => {
        const isForReading = error instanceof OutcomeUnknownError && error.idempotencyKey === undefined;
        if (!isForReading || triesOnce) throw error;
        return finish(client, error, { before, timeoutMs, arrivalMs });
      });
      return undefined;
    } catch (error) {
      return error as Error;
    } finally {
      await transport.close();
    }
  }
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Desk, type Run } from '../practice.ts';
import { type Behavior, FakeHost } from './fake-host.ts';

/** A machine whose live host is a fake one. */
export class Lane {
  readonly host: FakeHost;
  readonly desk = new Desk();

  private constructor(host: FakeHost, windowSeconds: number) {
    this.host = host;
    mkdirSync(join(this.desk.folder, 'config'));
    writeFileSync(join(this.desk.folder, 'config', 'config.json'), JSON.stringify({ arrival_window: windowSeconds }));
  }

  /** A write without an answer may still arrive within `windowSeconds`. */
  static async open(windowSeconds = 0.01): Promise<Lane> {
    return new Lane(await FakeHost.open(), windowSeconds);
  }

  run(command: string, behave: Behavior): Promise<Run> {
    this.host.asked = [];
    this.host.behave = behave;
    const variables = {
      PERP_ENV: 'live',
      PERP_BASE_URL: this.host.url,
      PERP_API_KEY: 'x_live_k',
      PERP_FLOOR_CHECK: 'warn',
    };
    return this.desk.perp(command.split(' '), { variables });
  }

  async pending(): Promise<{ operation: string; key: string }[]> {
    return this.desk.json('pending');
  }

  async forget(pending?: readonly { key: string }[]): Promise<void> {
    for (const { key } of pending ?? (await this.pending())) await this.desk.json('pending', 'resume', key, '--forget');
  }

  async close(): Promise<void> {
    this.desk[Symbol.dispose]();
    await this.host.close();
  }
}

/** Several machines, which work at the same time. */
export class Lanes {
  readonly #lanes: readonly Lane[];
  readonly #mostListeners = process.getMaxListeners();

  private constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
    // Each command listens for Ctrl-C, and here many run in one process.
    process.setMaxListeners(0);
  }

  static async open(count: number): Promise<Lanes> {
    return new Lanes(await Promise.all(Array.from({ length: count }, () => Lane.open())));
  }

  get first(): Lane {
    return this.#lanes[0]!;
  }

  /** Does the work for all items, each on a lane that is free. */
  async each<T>(items: readonly T[], work: (lane: Lane, item: T) => Promise<void>): Promise<void> {
    const left = items.values();
    const done = await Promise.allSettled(
      this.#lanes.map(async (lane) => {
        for (const item of left) await work(lane, item);
      }),
    );
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  }

  async close(): Promise<void> {
    for (const lane of this.#lanes) await lane.close();
    process.setMaxListeners(this.#mostListeners);
  }
}

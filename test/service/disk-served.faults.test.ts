import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cannotFail, type DiskFault, FaultyDisk } from '../faulty-disk/faulty-disk.ts';
import { ask } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const program = fileURLToPath(new URL('programs/serve.ts', import.meta.url));
/** Orders sent at the same time: they share a commit. */
const atOnce = 4;
/** A commit makes this many calls or fewer. Every few hundred commits the log is checkpointed, which takes more. */
const maxCalls = 120;

const kinds: Record<string, Partial<DiskFault>> = {
  'one call fails': {},
  'one write is incomplete': { isTorn: true, error: 'ENOSPC' },
  'one sync fails': { onlySyncs: true },
  'a call fails, and all later ones until the disk works again': { isPersistent: true },
};

describe('whatever call fails under a served simulation', { skip: cannotFail }, () => {
  for (const [kind, fault] of Object.entries(kinds)) {
    it(`${kind}: no acknowledged order is missing, none is doubled, and refused ones do not exist`, {
      timeout: 1_800_000,
    }, async (t) => {
      const lane = await Lane.open(temporaryDirectory(t));
      t.after(() => lane.close());
      let struck = 0;
      for (let at = 1; at <= maxCalls; at++) struck += Number(await lane.strike({ at, ...fault }));
      assert.ok(struck > (fault.onlySyncs ? 0 : 15), `only ${struck} struck`);
      assert.equal(await lane.place('afterwards'), 201);
      await lane.checkAll();
    });
  }

  it('after a failed call and a kill, a restart has everything that was answered', {
    timeout: 1_800_000,
  }, async (t) => {
    const lane = await Lane.open(temporaryDirectory(t));
    t.after(() => lane.close());
    for (const isPersistent of [false, true])
      for (let at = 1; at <= 3; at++) await lane.strikeAndKill({ at, isPersistent, onlySyncs: true });
    for (let at = 1; at <= maxCalls; at += 5) await lane.strikeAndKill({ at, isPersistent: true });
    await lane.checkAll();
  });
});

interface Running {
  child: ChildProcess;
  url: string;
  key: string;
}

class Lane {
  readonly #stateDir: string;
  readonly #disk = new FaultyDisk();
  readonly #acknowledged = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #unknown = new Set<string>();
  #running!: Running;
  #account = '';
  #names = 0;

  private constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  static async open(stateDir: string): Promise<Lane> {
    const lane = new Lane(stateDir);
    await lane.#start();
    const { body } = await lane.#ask('/v1/accounts');
    lane.#account = body.data[0].id;
    const most = { trades_per_minute: 1e9, trades_per_hour: 1e9, trades_per_day: 1e9 };
    const policy = await lane.#ask('/sim/policy', {
      method: 'POST',
      json: { account_id: lane.#account, limits: most },
    });
    assert.equal(policy.status, 200);
    return lane;
  }

  /** Sends orders while a call fails; returns whether one did. */
  async strike(fault: DiskFault): Promise<boolean> {
    this.#disk.arm(fault);
    await this.#placeSome();
    // While the failure lasts, nothing is promised.
    if (fault.isPersistent) await this.#placeSome();
    const hasStruck = this.#disk.failed.times > 0;
    const where = `call ${fault.at}, ${this.#disk.failed.first}`;
    this.#disk.arm();
    await this.#check(where);
    return hasStruck;
  }

  async strikeAndKill(fault: DiskFault): Promise<void> {
    this.#disk.arm(fault);
    await this.#placeSome();
    const where = `call ${fault.at}, ${this.#disk.failed.first}`;
    await this.#kill();
    this.#disk.arm();
    await this.#start();
    await this.#check(where);
  }

  /** Places one order with its name as the key; returns the status, or null without an answer. */
  async place(name: string): Promise<number | null> {
    const json = {
      account_id: this.#account,
      market_id: 'binance|BTCUSDT',
      side: name.at(-1)! < '5' ? 'buy' : 'sell',
      size: 0.001,
      leverage: 1,
      margin_mode: 'cross',
      client_order_id: name,
    };
    try {
      const { status } = await this.#ask('/v1/orders', { method: 'POST', json, headers: { 'idempotency-key': name } });
      return status;
    } catch {
      return null;
    }
  }

  /** Checks that every acknowledged order exists exactly once, and no other. */
  async checkAll(): Promise<void> {
    const listed = new Set<string>();
    let cursor = '';
    do {
      const { body } = await this.#ask(`/v1/orders?account_id=${this.#account}&limit=100${cursor}`);
      for (const { client_order_id: name } of body.data) {
        if (name === 'afterwards') continue;
        assert.equal(listed.has(name), false, `${name} is there twice`);
        listed.add(name);
      }
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    assert.deepEqual([...listed].sort(), [...this.#acknowledged].sort());
  }

  async #placeSome(): Promise<void> {
    const names = Array.from({ length: atOnce }, () => `order ${this.#names++}`);
    await Promise.all(
      names.map(async (name) => {
        const status = await this.place(name);
        // 408: the request was never read because the disk kept the process busy; its sender can't know that.
        if (status === null || status === 408) this.#unknown.add(name);
        else if (status === 503 || status === 500) this.#refused.add(name);
        else {
          assert.equal(status, 201, name);
          this.#acknowledged.add(name);
        }
      }),
    );
  }

  /** The disk works again: answered orders must exist, and the others are settled under their own keys. */
  async #check(where: string): Promise<void> {
    for (const name of this.#refused) {
      assert.equal(await this.#count(name), 0, `${where}: ${name} was refused`);
      this.#refused.delete(name);
    }
    for (const name of this.#unknown) {
      const before = await this.#count(name);
      assert.equal(await this.place(name), before === 1 ? 200 : 201, `${where}: ${name} again, ${before} there`);
      this.#unknown.delete(name);
      this.#acknowledged.add(name);
    }
    for (const name of [...this.#acknowledged].slice(-3 * atOnce))
      assert.equal(await this.#count(name), 1, `${where}: ${name} was acknowledged`);
  }

  async #count(name: string): Promise<number> {
    const { status, body } = await this.#ask(`/v1/orders?client_order_id=${encodeURIComponent(name)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.length;
  }

  #ask(path: string, init: Parameters<typeof ask>[2] = {}) {
    return ask(`${this.#running.url}${path}`, this.#running.key, init);
  }

  async #start(): Promise<void> {
    const env = { ...process.env, ...this.#disk.variables(this.#stateDir) };
    const child = spawn(process.execPath, [program, this.#stateDir], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const [line] = await once(createInterface(child.stdout!), 'line');
    this.#running = { child, ...(JSON.parse(line) as { url: string; key: string }) };
  }

  async #kill(): Promise<void> {
    const { child } = this.#running;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.#kill();
    this.#disk.remove();
  }
}

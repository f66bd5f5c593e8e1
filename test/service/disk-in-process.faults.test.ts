import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unsettledWrites } from '../../src/desk/intents/intent-files.ts';
import { Store } from '../../src/exchange/store/store.ts';
import { cannotFail, type DiskFault, FaultyDisk } from '../faulty-disk/faulty-disk.ts';
import { seed } from '../seed.ts';
import { BuiltRun, buildPerp, type Ended, freshWorld, machine } from '../terminal/cli/built-perp.ts';

/** A command that writes, in a copy of a folder; `effects` counts how often it took effect. */
interface Subject {
  argv: readonly string[];
  /** In a folder without a state, which it creates. */
  isFirst?: boolean;
  effects(store: Store): number;
}

const subjects: Record<string, Subject> = {
  'order place': {
    argv: ['order', 'place', 'BTC', 'buy', '0.01', '--client-order-id', 'tried', '--yes'],
    effects: (store) =>
      ordersOf(store).filter(({ clientOrderId, status }) => clientOrderId === 'tried' && status === 'filled').length,
  },
  'the first order': {
    argv: ['order', 'place', 'BTC', 'buy', '0.01', '--client-order-id', 'tried', '--yes'],
    isFirst: true,
    effects: (store) => subjects['order place']!.effects(store),
  },
  'order amend': {
    argv: ['order', 'amend', 'ord_000000003', '--price', '40000', '--yes'],
    effects: (store) => ordersOf(store).filter(({ limitPrice }) => limitPrice === 400_000).length,
  },
};

const kinds: Record<string, Partial<DiskFault>> = {
  'one call fails': {},
  'a call fails, and all calls after it': { isPersistent: true },
  'a write is incomplete, and the disk stays full': { isTorn: true, isPersistent: true, error: 'ENOSPC' },
};

const atATime = 3;

/** A seed tries every eighth call, eight seeds all; the long run tries each. */
const stride = process.env.PERP_LONG ? 1 : 8;
const original = machine();

before(async () => {
  if (cannotFail !== false) return;
  buildPerp();
  await freshWorld(original.variables, 1);
  const placed = [
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--limit-price',
    '30000',
    '--client-order-id',
    'prepared',
    '--yes',
  ];
  const { exit, err } = await new BuiltRun(placed, original.variables).ended;
  assert.equal(exit, 0, err);
});
after(() => original.remove());

describe('whatever call on the state folder fails, perp reports the true outcome', {
  skip: cannotFail,
  concurrency: atATime,
}, () => {
  for (const [name, subject] of Object.entries(subjects)) {
    for (const [kind, fault] of Object.entries(kinds)) {
      it(`${name}: ${kind}, at ${stride === 1 ? 'each' : 'every eighth'} call`, { timeout: 3_600_000 }, async () => {
        const lane = new Lane(subject);
        try {
          const calls = await lane.calls();
          assert.ok(calls > 50, `${calls} calls`);
          const wrong: string[] = [];
          for (let at = 1 + (seed % stride); at <= calls; at += stride) {
            await lane.strike({ at, ...fault }).catch((error) => wrong.push(`call ${at}: ${error.message}`));
          }
          assert.deepEqual(wrong, []);
        } finally {
          lane.remove();
        }
      });
    }
  }
});

class Lane {
  readonly #subject: Subject;
  readonly #disk = new FaultyDisk();
  readonly #folder = mkdtempSync(join(tmpdir(), 'perp-disk-'));

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Number of calls when none fails. */
  async calls(): Promise<number> {
    const { exit, err } = await this.#run();
    assert.equal(exit, 0, err);
    assert.equal(this.#effects(), 1);
    return this.#disk.calls;
  }

  async strike(fault: DiskFault): Promise<void> {
    const ended = await this.#run(fault);
    const told = `${this.#disk.failed.first}: exit ${ended.exit}, ${ended.err}${ended.out.slice(0, 40)}`;
    this.#disk.arm();
    if (ended.exit === 0) assert.equal(this.#effects(), 1, told);
    else if (ended.exit === 8) await this.#checkResumed(told);
    else {
      assert.equal(ended.exit, 7, told);
      assert.equal(this.#effects(), 0, told);
    }
  }

  async #checkResumed(told: string): Promise<void> {
    const unsettled = unsettledWrites(join(this.#state, 'intents'));
    assert.equal(unsettled.writes.length, 1, `${told}: the intent is kept`);
    const resumed = await this.#perp(['pending', 'resume']);
    const [settled] = JSON.parse(resumed.out);
    assert.equal(resumed.exit, 0, `${told}: ${resumed.err}`);
    assert.match(settled.outcome, /^(done|not_done)$/, told);
    assert.equal(this.#effects(), Number(settled.outcome === 'done'), `${told}: ${settled.outcome}`);
  }

  /** Runs the command in a new copy of the folder. */
  async #run(fault?: DiskFault): Promise<Ended> {
    rmSync(this.#state, { recursive: true, force: true });
    if (this.#subject.isFirst) mkdirSync(this.#state, { mode: 0o700 });
    else cpSync(original.variables.PERP_STATE_DIR!, this.#state, { recursive: true });
    this.#disk.arm(fault);
    return await this.#perp(this.#subject.argv, this.#disk.variables(this.#state));
  }

  #perp(argv: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
    return new BuiltRun([...argv, '--json'], { ...original.variables, PERP_STATE_DIR: this.#state, ...more }).ended;
  }

  #effects(): number {
    const store = Store.open(join(this.#state, 'default.db'));
    try {
      return this.#subject.effects(store);
    } finally {
      store.close();
    }
  }

  get #state(): string {
    return join(this.#folder, 'state');
  }

  remove(): void {
    this.#disk.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function ordersOf(store: Store) {
  return store.orders({ owner: 'local', environment: 'live', accountId: null, limit: 100, after: null }).rows;
}

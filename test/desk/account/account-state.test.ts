import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type AccountStates,
  apply,
  begin,
  byId,
  known,
  lastKnown,
  lost,
  merge,
  openIn,
  type PartName,
} from '../../../src/desk/account/account-state.ts';
import type { AccountFrame } from '../../../src/wire/contract/streams.ts';

// biome-ignore lint/suspicious/noExplicitAny: records with an id and a version.
type Row = any;

const account = 'acc_1';
const lists = ['positions', 'working'] as const;
type List = (typeof lists)[number];

/** A service with one account. Every change has the next version. */
class Service {
  version = 0;
  readonly rows = { positions: new Map<string, Row>(), working: new Map<string, Row>() };
  readonly fills: Row[] = [];
  account: Row = { id: account, version: 0 };

  change(list: List, id: string, isOpen: boolean): AccountFrame {
    this.version += 1;
    const row = { id, version: this.version };
    if (isOpen) this.rows[list].set(id, row);
    else this.rows[list].delete(id);
    const of = { seq: this.version, time: this.version, account_id: account };
    const frame =
      list === 'positions'
        ? { ...of, type: 'position', event: isOpen ? 'updated' : 'closed', position: row }
        : { ...of, type: 'order', event: isOpen ? 'updated' : 'canceled', order: row };
    return frame as AccountFrame;
  }

  fill(): AccountFrame {
    this.version += 1;
    const fill = { id: `fill_${this.version}`, requested_at: this.version };
    this.fills.push(fill);
    return { type: 'fill', seq: this.version, time: this.version, account_id: account, fill } as Row;
  }

  update(): AccountFrame {
    this.version += 1;
    this.account = { id: account, version: this.version };
    const of = { seq: this.version, time: this.version, account_id: account };
    return { ...of, type: 'account', event: 'updated', account: this.account };
  }

  read(part: PartName): Row {
    if (part === 'account') return this.account;
    return part === 'fills' ? byId(this.fills) : new Map(this.rows[part as List]);
  }

  snapshot(): AccountFrame[] {
    const [positions, orders] = [[...this.rows.positions.values()], [...this.rows.working.values()]];
    const of = { seq: 1, time: this.version, account_id: account };
    const frame = { ...of, type: 'snapshot', account: this.account, positions, orders } as AccountFrame;
    return [{ type: 'hello', stream_id: 's', resumed: false }, frame, { type: 'snapshot_end' }];
  }
}

/** A read on its way: served at some time between being sent and answered. */
interface Reading {
  readonly part: PartName;
  readonly askedAt: number;
  served: Row | undefined;
}

const parts = ['account', 'positions', 'working', 'fills'] as const;

/** A reader whose frames and reads arrive as a run of drawn steps says. */
class Scene {
  service = new Service();
  states: AccountStates = begin('run 1');
  at = 0;
  /** On their way; those that a lost connection has not delivered. */
  frames: AccountFrame[] = [];
  missed: AccountFrame[] = [];
  isConnected = false;
  readings: Reading[] = [];
  told = new Set<string>();

  /** What is known of each part. */
  value(part: PartName): Row {
    const state = this.states.accounts.get(account);
    return state && known(state.parts[part] as never);
  }

  #versions(): Map<string, number> {
    const state = this.states.accounts.get(account);
    if (state === undefined) return new Map();
    const rows = lists.flatMap((list) => [...(lastKnown<ReadonlyMap<string, Row>>(state.parts[list])?.values() ?? [])]);
    const own: Row = lastKnown(state.parts.account);
    return new Map([...rows, ...(own === undefined ? [] : [own])].map(({ id, version }) => [id, version]));
  }

  step([what, pick, flag]: [number, number, boolean]): void {
    this.at += 1;
    const id = `${lists[pick % 2]}_${pick % 5}`;
    const send = (frame: AccountFrame) => (this.isConnected ? this.frames : this.missed).push(frame);
    if (what < 3) send(this.service.change(lists[pick % 2]!, id, flag));
    else if (what === 3) send(this.service.fill());
    else if (what === 4) this.race(id, flag);
    else if (what === 5) send(this.service.update());
    else if (what < 9) this.deliver(1 + (pick % 3));
    else if (what < 11) this.readings.push({ part: parts[pick % parts.length]!, askedAt: this.at, served: undefined });
    else if (what === 11) for (const reading of this.readings) reading.served ??= this.service.read(reading.part);
    else if (what < 14) this.answer(pick);
    else if (what === 14) this.lose();
    else if (what === 15) this.connect(flag);
    else if (pick === 0) this.anotherRun();
  }

  /** A read that is served before a change, and answered after the frame of that change. */
  race(id: string, isOpen: boolean): void {
    const list = lists.find((one) => id.startsWith(one))!;
    this.readings = [{ part: list, askedAt: this.at, served: this.service.read(list) }];
    this.at += 1;
    (this.isConnected ? this.frames : this.missed).push(this.service.change(list, id, isOpen));
    this.deliver();
    this.answer(0);
  }

  deliver(most = Number.POSITIVE_INFINITY): void {
    for (let nth = 0; nth < most && this.frames.length > 0; nth++) {
      const frame = this.frames.shift()!;
      this.states = apply(this.states, frame, this.at);
      if (frame.type === 'fill') this.told.add(frame.fill.id);
      this.at += 1;
    }
  }

  answer(pick: number): void {
    const [reading] = this.readings.splice(pick % (this.readings.length || 1), 1);
    if (reading === undefined) return;
    const { part, askedAt, served = this.service.read(part) } = reading;
    const [before, of] = [this.#versions(), this.value(part)];
    this.states = merge(this.states, account, part, served as never, { askedAt });
    if (of === undefined) return;
    const after = this.#versions();
    for (const [id, version] of after)
      assert.ok(version >= (before.get(id) ?? 0), `a read took ${id} back from ${before.get(id)} to ${version}`);
    if (this.frames.length > 0 || !this.isConnected) return;
    // Every frame has arrived, so a read can't add anything.
    assert.deepEqual([...after].sort(), [...before].sort());
  }

  lose(): void {
    this.missed.push(...this.frames.splice(0));
    this.isConnected = false;
    this.states = lost(this.states, this.at);
    for (const part of parts) assert.equal(this.value(part), undefined, `${part} is unknown after a loss`);
  }

  connect(resumes: boolean): void {
    if (this.isConnected) return;
    this.isConnected = true;
    const hasBegun = this.states.accounts.get(account)?.parts.account !== undefined && this.wasGreeted;
    this.frames =
      resumes && hasBegun
        ? [{ type: 'hello', stream_id: 's', resumed: true }, ...this.missed]
        : this.service.snapshot();
    this.missed = [];
    this.wasGreeted = true;
  }

  wasGreeted = false;

  anotherRun(): void {
    const run = `run ${this.at}`;
    this.states = begin(run);
    assert.deepEqual([this.states.run, this.states.time, this.states.accounts.size], [run, 0, 0]);
    Object.assign(this, { service: new Service(), frames: [], missed: [], readings: [], isConnected: false });
    Object.assign(this, { wasGreeted: false });
    this.told.clear();
  }

  /** Everything on its way arrives. */
  settle(): void {
    this.connect(true);
    this.deliver();
    while (this.readings.length > 0) this.answer(0);
    this.deliver();
  }

  assertComplete(): void {
    const open = openIn(this.states.accounts.get(account));
    assert.ok(open);
    assert.deepEqual(open.account, this.service.account);
    assert.deepEqual(sorted(open.positions), sorted(this.service.rows.positions));
    assert.deepEqual(sorted(open.orders), sorted(this.service.rows.working));
  }
}

function sorted(rows: ReadonlyMap<string, Row>): [string, Row][] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
}

const steps = fc.array(fc.tuple(fc.nat(16), fc.nat(30), fc.boolean()), { minLength: 5, maxLength: 60 });
const runs = { numRuns: process.env.PERP_LONG ? 20_000 : 500, endOnFailure: true };

describe('the state of an account', () => {
  it('is what the service has, after any frames, reads, losses and runs', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const scene = new Scene();
        scene.settle();
        for (const step of drawn) scene.step(step);
        scene.settle();
        scene.assertComplete();
      }),
      runs,
    );
  });

  it('is what the service had when a read was served, if there is no stream', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const scene = new Scene();
        for (const [what, pick, flag] of drawn) {
          scene.step([what % 14, pick, flag]);
          scene.frames = [];
        }
        scene.readings = [];
        for (const part of parts) {
          scene.at += 1;
          scene.readings.push({ part, askedAt: scene.at, served: undefined });
          scene.answer(0);
        }
        scene.assertComplete();
        const fills: Row = scene.value('fills');
        assert.ok(scene.service.fills.every(({ id }) => fills.has(id)));
      }),
      runs,
    );
  });

  it('never loses a fill that was told', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const scene = new Scene();
        for (const step of drawn) {
          scene.step(step);
          const state = scene.states.accounts.get(account);
          const fills = state && lastKnown(state.parts.fills);
          if (fills !== undefined) for (const id of scene.told) assert.ok(fills.has(id), id);
        }
      }),
      runs,
    );
  });

  it('does not take a read that was sent before a loss for what is so after it', () => {
    const service = new Service();
    let states = begin();
    for (const frame of service.snapshot()) states = apply(states, frame, 1);
    states = lost(states, 5);
    const read = { askedAt: 4 };
    states = merge(states, account, 'positions', service.read('positions'), read);
    const told = () => states.accounts.get(account)!.parts.positions;
    assert.deepEqual(told(), {
      unknown: 'the account stream was lost',
      last: { value: new Map(), exchangeAt: 0, asOf: 1 },
    });
    states = merge(states, account, 'positions', service.read('positions'), { askedAt: 6 });
    assert.deepEqual(told(), { value: new Map(), exchangeAt: 0, asOf: 6 });
  });

  it('forgets accounts that have no snapshot any more, and those that were removed', () => {
    const service = new Service();
    let states = begin();
    for (const frame of service.snapshot()) states = apply(states, frame, 1);
    states = apply(states, { type: 'hello', stream_id: 's', resumed: false }, 2);
    assert.equal(states.accounts.size, 1);
    states = apply(states, { type: 'snapshot_end' }, 3);
    assert.equal(states.accounts.size, 0);
    states = apply(states, service.update(), 4);
    const removed = { ...service.update(), event: 'removed' } as AccountFrame;
    assert.equal(apply(states, removed, 5).accounts.size, 0);
  });
});

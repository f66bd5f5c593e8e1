import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inProcessTransport, openSimulation } from '../../../src/service/public.ts';
import { type AccountFrame, streamPaths } from '../../../src/wire/contract/streams.ts';
import type { StreamTransport } from '../../../src/wire/contract/wire.ts';
import { Folded } from '../../desk/account/tell.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { trial } from '../../tiers.ts';
import { startTime } from '../serving.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { RandomTrader } from './random-trading.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of every shape.
type Resource = any;

const runs = { numRuns: process.env.PERP_LONG ? 300 : 10, endOnFailure: true };

/** A client whose connection may break at any frame; everything in flight is lost. */
class Reader {
  readonly states = new Folded();
  readonly fills: string[] = [];
  /** Orders whose end has been reported. */
  readonly ended: string[] = [];
  readonly #open: StreamTransport;
  #wire: string[] = [];
  #end: (() => void) | null = null;
  #streamId: string | null = null;
  #seq = 0;
  #since = 0;
  #isComplete = false;
  resumed = 0;
  begun = 0;

  constructor(open: StreamTransport) {
    this.#open = open;
  }

  /** Resolves once the stream is open. */
  connect(): Promise<void> {
    const resume = { resume: this.#streamId ?? '', last_seq: String(this.#seq), since: String(this.#since) };
    const query = this.#streamId === null ? '' : `?${new URLSearchParams(resume)}`;
    const wire: string[] = [];
    this.#wire = wire;
    return new Promise((resolve) => {
      const events = { opened: () => resolve(), text: (text: string) => wire.push(text), closed() {} };
      const { close } = this.#open(streamPaths.live + query, events);
      this.#end = close;
    });
  }

  /** Breaks the connection; with `forgets`, the client also loses its knowledge of the stream. */
  breakOff(forgets: boolean): void {
    this.#end!();
    if (!forgets) return;
    this.#streamId = null;
    this.fills.length = 0;
    this.ended.length = 0;
  }

  /** Reads a number of the received frames. */
  read(most = Number.POSITIVE_INFINITY): void {
    for (let count = 0; count < most && this.#wire.length > 0; count++) this.#take(JSON.parse(this.#wire.shift()!));
  }

  #take(frame: AccountFrame): void {
    this.states.apply(frame);
    if (frame.type === 'hello') {
      if (frame.resumed) this.resumed += 1;
      else this.begun += 1;
      this.#isComplete = frame.resumed && this.#isComplete;
      if (!frame.resumed) this.#seq = 0;
      this.#streamId = frame.stream_id;
    }
    if (frame.type === 'snapshot_end') this.#isComplete = true;
    if (!('seq' in frame)) return;
    assert.equal(frame.seq, this.#seq + 1, 'numbers without a gap');
    this.#seq = frame.seq;
    assert.ok(frame.time >= this.#since, 'time does not go backwards');
    this.#since = frame.time;
    if (frame.type === 'fill' && !this.fills.includes(frame.fill.id)) this.fills.push(frame.fill.id);
    if (frame.type === 'order' && ['filled', 'canceled', 'rejected', 'expired'].includes(frame.event)) {
      assert.ok(!this.ended.includes(frame.order.id), `the end of ${frame.order.id} comes once`);
      assert.equal(frame.event, frame.order.status);
      this.ended.push(frame.order.id);
    }
  }
}

trial('folding the frames gives REST’s answers, with random trading and cut connections', async (t) => {
  const totals = { resumed: 0, begun: 0, fills: 0, ended: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const chance = new Chance(seed);
      const stateDir = temporaryDirectory(t);
      const options = { stateDir, seed: chance.between(1, 1e6), clock: 'manual', startTime, accounts: 3 } as const;
      const desk = await inProcessTransport({
        ...options,
        plan: 'none',
        onBug: (error) => {
          throw error;
        },
      });
      const elsewhere = await openSimulation({ stateDir, state: desk.simulation.state });
      try {
        const accounts = desk.simulation.read(({ store }) => store.accounts('local', 'live').map(({ id }) => id));
        const trader = new RandomTrader(chance, desk.transport, accounts);
        const steady = new Reader(desk.stream);
        const shaky = new Reader(desk.stream);
        await Promise.all([steady.connect(), shaky.connect()]);
        for (let step = 0; step < 40; step++) {
          await trader.act();
          if (chance.chance(0.1)) cancelElsewhere(elsewhere, accounts);
          if (chance.chance(0.3)) {
            shaky.read(chance.between(0, 3));
            shaky.breakOff(chance.chance(0.2));
            if (chance.chance(0.5)) await trader.act();
            await shaky.connect();
          }
          if (chance.chance(0.5)) await assertAgree(trader, accounts, [steady, shaky]);
        }
        await assertAgree(trader, accounts, [steady, shaky]);
        const filled = [];
        for (const id of accounts) filled.push(...(await trader.get(`/v1/fills?account_id=${id}&limit=100`)));
        if (filled.length < 100)
          assert.deepEqual([...steady.fills].sort(), filled.map(({ id }: Resource) => id).sort(), 'every fill once');
        totals.resumed += shaky.resumed;
        totals.begun += shaky.begun;
        totals.fills += steady.fills.length;
        totals.ended += steady.ended.length;
      } finally {
        elsewhere.close();
        desk.close();
      }
    }),
    runs,
  );
  for (const [what, count] of Object.entries(totals)) assert.ok(count > 10, `${what}: ${count}`);
});

/** Another process cancels whatever is working. */
function cancelElsewhere(simulation: Awaited<ReturnType<typeof openSimulation>>, accounts: readonly string[]): void {
  simulation.write(({ store, execute }) => {
    for (const accountId of accounts) {
      const [order] = store.workingOrders({ owner: 'local', environment: 'live', accountId });
      if (order !== undefined) execute({ kind: 'cancel_order', orderId: order.id });
    }
  });
}

async function assertAgree(
  trader: RandomTrader,
  accounts: readonly string[],
  readers: readonly Reader[],
): Promise<void> {
  // The first request advances time and sees what other processes did; its frames arrive before the answer.
  const all: Resource[] = await trader.get('/v1/accounts');
  const ofRest = [];
  for (const id of accounts) {
    const positions: Resource[] = await trader.get(`/v1/positions?account_id=${id}&status=open`);
    const orders: Resource[] = await trader.get(`/v1/orders?account_id=${id}&status=working&limit=100`);
    const account = all.find((one) => one.id === id);
    ofRest.push(comparable({ account, positions, orders }));
  }
  for (const reader of readers) {
    reader.read();
    const folded = accounts.map((id) => {
      const { account, positions, orders } = reader.states.accounts.get(id)!;
      return comparable({ account, positions: [...positions.values()], orders: [...orders.values()] });
    });
    assert.deepEqual(folded, ofRest);
  }
}

/** Except what changes with marks alone. */
function comparable({ account, positions, orders }: { account: Resource; positions: Resource[]; orders: Resource[] }) {
  const { risk: _, ...ofAccount } = account;
  const byId = (a: Resource, b: Resource) => (a.id < b.id ? -1 : 1);
  const ofPositions = positions.map(({ liquidation_price: _, ...rest }) => rest).sort(byId);
  return { account: ofAccount, positions: ofPositions, orders: orders.toSorted(byId) };
}

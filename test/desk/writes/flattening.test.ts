import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { standingOf } from '../../../src/desk/writes/flatten.ts';
import { Flattening, type FlatteningOptions } from '../../../src/desk/writes/flattening.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { sessionOver } from '../../bots/gate/hand-held.ts';
import { it, trial } from '../../tiers.ts';
import { answer, refusal } from '../../wire/client/scripted-transport.ts';

interface Row {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A host with one account, which does what it is asked, and refuses and forgets when a test says so. */
class Host {
  readonly asked: string[] = [];
  readonly bodies: unknown[] = [];
  readonly keys: (string | undefined)[] = [];
  positions: Row[] = [];
  orders: Row[] = [];
  twaps: Row[] = [];
  /** What answers instead of the host. */
  instead: (what: string) => WireResponse | undefined = () => undefined;

  readonly transport: Transport = async (request) => {
    const what = `${request.method} ${request.target.replace(/\?.*/, '').replace('/v1/', '')}`;
    if (request.method !== 'GET') {
      this.asked.push(what);
      this.bodies.push(request.body === undefined ? undefined : JSON.parse(request.body));
      this.keys.push(request.headers['idempotency-key']);
    }
    return this.instead(what) ?? this.#answer(what, request);
  };

  reads(what: string): Row[] {
    return { positions: this.positions, orders: this.orders, 'twap-orders': this.twaps }[what] ?? [];
  }

  #answer(what: string, { body }: WireRequest): WireResponse {
    const [method, path = ''] = what.split(' ');
    const [noun = '', id = '', verb] = path.split('/');
    if (method === 'GET' && id !== '') return answer(200, { data: { ...long, id, status: 'closed' } });
    if (method === 'GET') return answer(200, { data: this.reads(noun), next_cursor: null });
    const without = (rows: Row[]) => rows.filter((row) => row.id !== id && row.scaled_order_id !== id);
    const wanted = body === undefined ? {} : JSON.parse(body);
    if (verb === 'close') this.positions = without(this.positions);
    else if (method === 'POST')
      this.positions = this.positions.filter(({ market_id }) => market_id !== wanted.market_id);
    this.orders = without(this.orders);
    this.twaps = without(this.twaps);
    if (method === 'DELETE')
      return answer(200, { data: { id, order_id: id, status: 'canceled', total_size: 1, canceled: true } });
    const made = { id: `ord_${this.asked.length}`, status: 'filled', mode: 'market', size: 1, ...wanted };
    return answer(201, { data: made });
  }
}

const none: never = undefined as never;

function flattening(host: Host, options: Partial<FlatteningOptions> = {}) {
  const streams = { account: none, market: none };
  const session = sessionOver({ transport: host.transport, streams, accountPath: '' });
  const urgent = createClient({ transport: host.transport, retry: { attempts: 1, arrivalMs: 0 } });
  const access = async () => ({ ...(await session.access()), urgent });
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  const troubles: string[] = [];
  const made = new Flattening({ ...session, access, machine: { ...session.machine, sleep } }, 'acc_1', {
    positions: 'all',
    orders: true,
    keyOf: (action, id, nth) => `${action} ${id} ${nth}`,
    isPatient: false,
    onTrouble: ({ what, id }) => troubles.push(`${what} ${id}`),
    ...options,
  });
  return { made, troubles, session: { ...session, access } };
}

const long = { id: 'pos_1', account_id: 'acc_1', market_id: 'BTC', side: 'long', size: 2, entry_price: 100 };
const short = { ...long, id: 'pos_2', market_id: 'ETH', side: 'short', size: 3 };
const twap = { id: 'twap_1', market_id: 'BTC', status: 'running', total_size: 2 };
const stop = { id: 'ord_stop', market_id: 'BTC', size: 2, reduce_only: true };
const entry = { id: 'ord_entry', market_id: 'BTC', size: 2, reduce_only: false };

describe('flattening', () => {
  it('closes positions, then cancels their exits, and at once whatever could still open one', async () => {
    const host = new Host();
    Object.assign(host, { positions: [long], orders: [stop, entry], twaps: [twap] });
    const { made } = flattening(host);
    await made.run();
    assert.ok(made.isDone);
    assert.deepEqual(made.left, { positions: [], orders: [], twaps: [] });
    assert.deepEqual(host.asked.toSorted(), [
      'DELETE orders/ord_entry',
      'DELETE orders/ord_stop',
      'DELETE twap-orders/twap_1',
      'POST positions/pos_1/close',
    ]);
    assert.equal(host.asked.at(-1), 'DELETE orders/ord_stop');
    assert.deepEqual([...made.canceled.order].toSorted(), ['ord_entry', 'ord_stop']);
    assert.deepEqual([...made.canceled.twap], ['twap_1']);
    assert.equal(made.closed.size, 1);
  });

  it('keeps the exits of a position that can’t be closed, and tells why; other markets go on', async () => {
    const host = new Host();
    Object.assign(host, { positions: [long, short], orders: [stop, { ...stop, id: 'ord_other', market_id: 'ETH' }] });
    host.instead = (what) =>
      what.endsWith('pos_1/close') || what === 'POST orders' ? refusal(400, 'invalid_request') : undefined;
    const { made, troubles } = flattening(host);
    await made.run();
    assert.ok(!made.isDone);
    assert.deepEqual(
      made.left.positions?.map(({ id }) => id),
      ['pos_1'],
    );
    assert.deepEqual(
      made.left.orders?.map(({ id }) => id),
      ['ord_stop'],
    );
    assert.deepEqual(
      made.troubles.map(({ what, id, facts }) => [what, id, facts.code]),
      [['position', 'pos_1', 'invalid_request']],
    );
    assert.ok(troubles.length >= 3 && troubles.every((trouble) => trouble === 'position pos_1'));
    assert.ok(!host.asked.includes('DELETE orders/ord_stop'));
    assert.ok(host.asked.includes('DELETE orders/ord_other'));
  });

  it('after a failure closes by an order that only reduces, under another key for each attempt that was answered', async () => {
    const host = new Host();
    host.positions = [short];
    host.instead = (what) => (what.endsWith('/close') ? refusal(400, 'invalid_request') : undefined);
    const { made } = flattening(host, { orders: false });
    await made.run();
    assert.ok(made.isDone);
    assert.deepEqual(host.asked, ['POST positions/pos_2/close', 'POST orders']);
    assert.deepEqual(host.keys, ['close pos_2 0', 'reduce pos_2 0']);
    const { side, size, type, reduce_only } = host.bodies[1] as Record<string, unknown>;
    assert.deepEqual([side, size, type, reduce_only], ['buy', 3, 'market', true]);
  });

  it('closes the positions that are known even if they can’t be read', async () => {
    const host = new Host();
    host.positions = [long];
    host.instead = (what) => (what === 'GET positions' ? refusal(400, 'invalid_request') : undefined);
    await flattening(host, { known: [long] as unknown as FlatteningOptions['known'] }).made.run();
    assert.equal(host.asked[0], 'POST positions/pos_1/close');
    assert.deepEqual(host.positions, []);
  });

  it('closes only the positions that it is given, or none', async () => {
    const host = new Host();
    Object.assign(host, { positions: [long, short], orders: [stop] });
    await flattening(host, { positions: ['pos_2'], orders: false }).made.run();
    assert.deepEqual(host.asked, ['POST positions/pos_2/close']);
    await flattening(host, { positions: 'none' }).made.run();
    assert.deepEqual(host.asked.slice(1), ['DELETE orders/ord_stop'], 'without positions, exits go, too');
  });

  it('cancels a ladder as a whole, or rung by rung if that fails', async () => {
    const rung = (id: string) => ({ ...entry, id, scaled_order_id: 'lad_1' });
    const whole = new Host();
    whole.orders = [rung('ord_1'), rung('ord_2')];
    const { made } = flattening(whole, { positions: 'none' });
    await made.run();
    assert.deepEqual(whole.asked, ['DELETE scaled-orders/lad_1']);
    assert.deepEqual([...made.canceled.ladder], ['lad_1']);
    const parts = new Host();
    parts.orders = [rung('ord_1'), rung('ord_2')];
    parts.instead = (what) => (what.includes('scaled') ? refusal(400, 'invalid_request') : undefined);
    await flattening(parts, { positions: 'none' }).made.run();
    assert.deepEqual(parts.asked, ['DELETE scaled-orders/lad_1', 'DELETE orders/ord_1', 'DELETE orders/ord_2']);
  });

  it('leaves alone what is being canceled, and waits for TWAPs that are ending', async () => {
    const host = new Host();
    host.orders = [{ ...entry, cancel_requested_at: 5 }];
    host.twaps = [{ ...twap, status: 'canceling' }];
    let reads = 0;
    host.instead = (what) => {
      if (what === 'GET twap-orders' && ++reads === 3) host.twaps = [];
      return undefined;
    };
    const { made } = flattening(host);
    await made.run();
    assert.deepEqual(host.asked, []);
    assert.ok(made.isDone && reads === 3);
  });

  it('takes an order that has ended as canceled, and a position that is closed as closed', async () => {
    const host = new Host();
    Object.assign(host, { positions: [long], orders: [entry] });
    host.instead = (what) => {
      if (what.startsWith('DELETE')) host.orders = [];
      if (what.startsWith('DELETE')) return refusal(404, 'not_found');
      return what.endsWith('/close') ? refusal(409, 'conflict') : undefined;
    };
    const { made } = flattening(host);
    await made.run();
    assert.ok(made.isDone, 'the list still shows the position, and the position itself says that it is closed');
    assert.equal(made.closed.size, 0);
  });

  it('closes everything at once where the positions can’t be listed', async () => {
    const host = new Host();
    host.instead = (what) => {
      if (what.includes('close-all'))
        return answer(200, {
          data: { id: 'bulk_1', account_id: 'acc_1', results: [{ order: { id: 'ord_9', size: 1, status: 'filled' } }] },
        });
      return what === 'GET positions' ? refusal(400, 'invalid_request') : undefined;
    };
    const { made } = flattening(host, { orders: false });
    await made.run();
    assert.ok(!made.isDone, 'unknown is not none');
    assert.deepEqual([...made.closed.keys()], ['ord_9']);
    assert.equal(made.left.positions, undefined);
    assert.deepEqual(
      made.troubles.map(({ what, id }) => [what, id]),
      [['positions', 'acc_1']],
    );
  });

  it('throws if it could neither read nor send anything', async () => {
    const host = new Host();
    host.instead = () => refusal(401, 'unauthorized');
    await assert.rejects(flattening(host, { positions: 'none' }).made.run(), /unauthorized/);
    const partly = new Host();
    partly.instead = (what) => (what === 'GET orders' ? refusal(401, 'unauthorized') : undefined);
    const { made } = flattening(partly, { positions: 'none' });
    await made.run();
    assert.deepEqual([made.left.orders, made.left.twaps], [undefined, []]);
  });

  trial('with patience tries until it is done', async () => {
    const host = new Host();
    host.positions = [long];
    let left = 20;
    host.instead = (what) => (what.startsWith('POST') && left-- > 0 ? refusal(400, 'invalid_request') : undefined);
    const { made } = flattening(host, { isPatient: true });
    await made.run();
    assert.ok(made.isDone);
    assert.deepEqual(made.troubles, []);
  });
});

describe('what an account has open and working', () => {
  it('is known as far as its lists can be read, and a failure if none can', async () => {
    const host = new Host();
    Object.assign(host, { positions: [long], orders: [stop, { ...entry, cancel_requested_at: 5 }] });
    const { session } = flattening(host);
    const ids = async () => {
      const { positions, orders, twaps, unread } = await standingOf(session, 'acc_1');
      return [[...positions, ...orders, ...twaps].map(({ id }) => id), unread.map(({ what }) => what)];
    };
    assert.deepEqual(await ids(), [['pos_1', 'ord_stop'], []]);
    host.instead = (what) => (what === 'GET positions' ? refusal(401, 'unauthorized') : undefined);
    assert.deepEqual(await ids(), [['ord_stop'], ['positions']]);
    host.instead = (what) => (what === 'GET orders' ? refusal(401, 'unauthorized') : undefined);
    assert.deepEqual(await ids(), [['pos_1'], ['orders']]);
    host.instead = () => refusal(401, 'unauthorized');
    await assert.rejects(ids(), /unauthorized/);
  });
});

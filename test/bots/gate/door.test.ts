import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerSecret } from '../../../src/base/files/owner-secret.ts';
import { approvalsFolder } from '../../../src/bots/gate/approvals/approval-files.ts';
import { decide, waitingRequests } from '../../../src/bots/gate/approvals/decide.ts';
import type { Gate } from '../../../src/bots/gate/gate.ts';
import { auditPlace, newestRecords } from '../../../src/desk/audit/chain.ts';
import type { KeptRecord } from '../../../src/desk/audit/record.ts';
import { exposureProof, lockAccount, lockFolder } from '../../../src/desk/lock/trading-lock.ts';
import { NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import { unforbidden } from '../../../src/wire/client/proven-send.ts';
import { sentIn } from '../../../src/wire/contract/errors.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { unauthorized } from '../../../src/wire/hosting/keys.ts';
import { it, test, trial } from '../../tiers.ts';
import { GateWorld } from './gate-world.ts';

const terms = { largestPositionUsd: 1_500 };

trial('after a reset, keys of before are judged and recorded like new ones', async (t) => {
  for (const isRestarted of [false, true]) {
    const world = await GateWorld.open(t, { accounts: 1 });
    world.mandates.set('grid', world.allowing(undefined, terms));
    const first = await world.gate();
    const order = (key: string) => world.order({ size: 0.002 }, key);
    const keys = ['k1', 'k2', 'k3', 'k4', 'k5'];
    for (const key of keys) assert.equal((await first.handle('grid', order(key))).status, 201);
    await world.reset();
    const gate = isRestarted ? await world.gate() : first;
    for (const key of ['n1', 'n2', 'n3', 'n4', ...keys]) {
      const answer = await patiently(gate, order(key));
      assert.ok([200, 201, 422].includes(answer.status), JSON.stringify(answer.body));
    }
    const orders = dataOf(await world.direct({ target: '/v1/orders?limit=100' }));
    assert.ok(orders.length <= 5, `${orders.length} orders of 250 USD under 1,500 USD`);
    const allowed = records(world).filter((one) => one.kind === 'asked' && one.decision === 'allowed');
    for (const { client_order_id: id } of orders)
      assert.ok(
        allowed.some((one) => one.kind === 'asked' && one.upstream?.clientOrderId === id),
        id,
      );
  }
});

trial(
  'the first write after a reset to other markets was not sent, says so, and is judged there when it is repeated',
  async (t) => {
    const world = await GateWorld.open(t, { accounts: 1 });
    world.mandates.set('grid', world.allowing(undefined, terms));
    const gate = await world.gate();
    for (const key of ['k1', 'k2', 'k3']) await gate.handle('grid', world.order({ size: 0.002 }, key));
    let isReset = false;
    world.pause = async (at) => {
      if (at !== 'credential' || isReset) return;
      isReset = true;
      await world.reset(7);
    };
    const first = await gate.handle('grid', world.order({ size: 0.002 }, 'k4'));
    const { status, headers, body } = first;
    assert.deepEqual([status, sentIn(errorOf({ body } as WireResponse).details)], [503, 'no'], JSON.stringify(first));
    assert.match(headers['retry-after'] ?? '', /^\d$/);
    const again = await patiently(gate, world.order({ size: 0.002 }, 'k1'));
    assert.equal(again.status, 201, JSON.stringify(again.body));
    assert.equal(dataOf(await world.direct({ target: '/v1/orders' })).length, 1);
  },
);

test('a write that was done is answered again without being sent, a rejection with its rule', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  const ladder = { start_price: 50_000, end_price: 51_000, rung_count: 2, distribution: 'flat', size: 0.02 };
  const requests = [
    world.order({}, 'order'),
    { ...world.order({ ...ladder }, 'ladder'), target: '/v1/scaled-orders' },
    world.order({ size: 1_000 }, 'rejected'),
  ];
  for (const request of requests) {
    const before = await gate.handle('grid', request);
    world.sent.length = 0;
    for (const one of [gate, await world.gate()]) {
      const again = await one.handle('grid', request);
      assert.equal(again.status < 300, before.status < 300, JSON.stringify(again.body));
      assert.equal(dataOf(again)?.id, dataOf(before)?.id);
      assert.deepEqual([errorOf(again).code, errorOf(again).rule_id], [errorOf(before).code, errorOf(before).rule_id]);
    }
    assert.deepEqual(
      world.sent.filter(({ method }) => method !== 'GET'),
      [],
    );
  }
});

test('no older twin of a strategy is taken for one that never arrived, also by the next gate', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.keepsKeys = false;
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  const { transport } = world.simulation;
  const strategies: Readonly<Record<string, Record<string, unknown>>> = {
    '/v1/scaled-orders': { start_price: 50_000, end_price: 51_000, rung_count: 2, distribution: 'flat', size: 0.02 },
    '/v1/twap-orders': { expected_price: 95_000, duration_minutes: 5, size: 0.05 },
  };
  for (const [target, terms] of Object.entries(strategies)) {
    const strategy = (key: string) => ({ ...world.order(terms, `${target}${key}`), target });
    const first = await gate.handle('grid', strategy('first'));
    assert.equal(first.status, 201, JSON.stringify(first.body));
    const { id } = dataOf(first);
    assert.equal((await gate.handle('grid', { method: 'DELETE', target: `${target}/${id}`, headers: {} })).status, 200);
    let isLost = false;
    world.carry = async (request, limits) => {
      if (request.method === 'GET' || isLost) return await transport(request, limits);
      isLost = true;
      throw new NoAnswerError('lost on the way');
    };
    const second = await gate.handle('grid', strategy('second'));
    assert.equal(second.status, 201, JSON.stringify(second.body));
    assert.notEqual(dataOf(second).id, id, 'the canceled twin is no witness');
    // A gate that ends while the third one is on its way.
    const dying = await world.gate();
    const { promise: isOver, resolve: ends } = Promise.withResolvers<void>();
    world.carry = async (request, limits) => {
      if (request.method === 'GET') return await transport(request, limits);
      ends();
      return await new Promise<never>(() => {});
    };
    void dying.handle('grid', strategy('third'));
    await isOver;
    world.carry = transport;
    const next = await world.gate();
    const third = await patiently(next, strategy('third'));
    assert.equal([200, 201].includes(third.status), true, JSON.stringify(third.body));
    assert.equal([id, dataOf(second).id].includes(dataOf(third).id), false, 'no twin is');
  }
});

trial(
  'a strategy that a host lists again once it was put back is not made again, not even by the next gate',
  async (t) => {
    for (const isRestarted of [false, true]) {
      const world = await GateWorld.open(t, { accounts: 1 });
      world.keepsKeys = false;
      world.mandates.set('grid', world.allowing());
      let deliveries = 0;
      world.carry = (request, limits) => {
        const key = request.headers['idempotency-key'];
        const forgotten = key !== undefined && { 'idempotency-key': `${key}-${++deliveries}` };
        return world.simulation.transport({ ...request, headers: { ...request.headers, ...forgotten } }, limits);
      };
      const first = await world.gate();
      const ladder = (key: string, start_price: number) => ({
        ...world.order({ start_price, end_price: 51_000, rung_count: 2, distribution: 'flat', size: 0.02 }, key),
        target: '/v1/scaled-orders',
      });
      const made = dataOf(await first.handle('grid', ladder('k', 50_000)));
      const restore = world.backUp();
      await world.reset();
      // Ids begin anew: another ladder gets that of the first one.
      assert.equal(dataOf(await patiently(first, ladder('other', 49_000))).id, made.id);
      assert.notEqual(dataOf(await patiently(first, ladder('k', 50_000))).id, made.id);
      await restore();
      const gate = isRestarted ? await world.gate() : first;
      const again = await patiently(gate, ladder('k', 50_000));
      assert.deepEqual([dataOf(again)?.id, again.status], [made.id, 200]);
      const target = `/v1/scaled-orders?account_id=${world.accounts[0]}`;
      assert.equal(dataOf(await world.direct({ target })).length, 1);
    }
  },
);

test('an order that has ended is refused as the service refuses it, and nothing is sent', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  const { id } = dataOf(await gate.handle('grid', world.order({ type: 'limit', limit_price: 50_000 })));
  const target = `/v1/orders/${id}`;
  const cancel = { method: 'DELETE', target, headers: {} } as const;
  assert.equal((await gate.handle('grid', cancel)).status, 200);
  world.sent.length = 0;
  const amend = { ...world.order(), method: 'PATCH', target, body: '{"price":50000}' } as const;
  for (const request of [cancel, amend]) {
    const [direct, through] = [await world.direct(request), await gate.handle('grid', request)];
    assert.deepEqual([through.status, without(errorOf(through))], [direct.status, without(errorOf(direct))]);
    assert.equal(through.headers['retry-after'], undefined);
  }
  assert.deepEqual(
    world.sent.filter(({ method }) => method !== 'GET'),
    [],
  );
});

test('a bot of a locked account is told the rule, and the refusal is recorded', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  withLocks(world);
  const gate = await world.gate();
  lock(world);
  const answer = await gate.handle('grid', world.order());
  assert.deepEqual([answer.status, errorOf(answer).rule_id], [422, 'mandate-locked']);
  const [record] = records(world);
  assert.equal(record?.kind === 'asked' && record.term, 'locked');
});

test('every answer of the gate that nothing was sent says so in a field', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing(undefined, { approveAboveUsd: 200 }));
  const gate = await world.gate({ approvalHoldMs: 10, holdMs: 10 });
  const saysSo = (answer: WireResponse) =>
    errorOf(answer).details?.some(
      ({ field, issue }: { field: string; issue: string }) => field === 'sent' && issue === 'no',
    );
  assert.equal(saysSo(await gate.handle('grid', world.order({}, 'waits'))), true);
  world.exposureProof = () => Promise.reject(new Error('not known'));
  assert.equal(saysSo(await gate.handle('grid', world.order({ size: 0.001 }, 'unchecked'))), true);
  world.exposureProof = async () => unforbidden;
  world.carry = () => Promise.reject(new NoAnswerError('lost'));
  assert.notEqual(saysSo(await gate.handle('grid', world.order({ size: 0.001 }, 'unknown'))), true);
});

test('a strategy is not sent, and its bot asks again, while what is listed before it can’t be read', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  const { transport } = world.simulation;
  world.carry = async (request, limits) =>
    request.target.includes('/scaled-orders?')
      ? { status: 200, headers: {}, body: 'hello' }
      : transport(request, limits);
  const ladder = { start_price: 50_000, end_price: 51_000, rung_count: 2, distribution: 'flat', size: 0.02 };
  const request = { ...world.order(ladder), target: '/v1/scaled-orders' };
  const { status, body } = await gate.handle('grid', request);
  assert.deepEqual([status, errorOf({ body } as WireResponse).details], [503, [{ field: 'sent', issue: 'no' }]]);
  world.carry = transport;
  assert.equal((await gate.handle('grid', request)).status, 201);
});

/** What may change while a write that was recorded waits, and what its bot is told then. */
const facts: Readonly<Record<string, { change(world: GateWorld, gate: Gate): void | Promise<void>; told: unknown[] }>> =
  {
    lock: { change: lock, told: [422, 'mandate-locked'] },
    stop: { change: (_, gate) => gate.stop('grid'), told: [422, 'mandate-stopped'] },
    mandate: {
      change: (world) => void world.mandates.set('grid', world.allowing(undefined, { ...terms, largestOrderUsd: 1 })),
      told: [503, undefined],
    },
    'the mandate’s end': {
      change(world) {
        world.now = () => Date.UTC(2100, 0, 1);
      },
      told: [503, undefined],
    },
    'a mandate that is gone': { change: (world) => void world.mandates.delete('grid'), told: [503, undefined] },
    run: {
      async change(world, gate) {
        await world.reset();
        await gate.handle('grid', { method: 'GET', target: '/v1/markets', headers: {} });
      },
      told: [503, undefined],
    },
  };

describe('a write that was recorded is withdrawn if, before it leaves, there is a change of', () => {
  for (const [fact, { change, told }] of Object.entries(facts))
    for (const where of ['access', 'credential'] as const)
      it(`${fact}, while it waits for the ${where}`, async (t) => {
        const world = await GateWorld.open(t, { accounts: 1 });
        world.mandates.set('grid', world.allowing(undefined, terms));
        withLocks(world);
        const gate = await world.gate();
        world.sent.length = 0;
        let isHeld = false;
        world.pause = async (at) => {
          const isRecorded = records(world)[0]?.kind === 'asked';
          if (at !== where || isHeld || !isRecorded) return;
          isHeld = true;
          await change(world, gate);
        };
        const answer = await gate.handle('grid', world.order());
        assert.equal(isHeld, true);
        assert.deepEqual([answer.status, errorOf(answer).rule_id], told, JSON.stringify(answer.body));
        assert.deepEqual(
          world.sent.filter(({ method }) => method === 'POST'),
          [],
        );
        // Outcomes are written with the next record, or a moment later.
        await gate[Symbol.asyncDispose]();
        const outcome = records(world).find(({ kind }) => kind === 'outcome');
        assert.equal(outcome?.kind === 'outcome' && outcome.outcome, 'withdrawn');
      });

  it('the key that asked for it', async (t) => {
    const world = await GateWorld.open(t, { accounts: 1 });
    world.mandates.set('grid', world.allowing());
    const gate = await world.gate();
    let isRevoked = false;
    world.pause = async () => {
      isRevoked ||= records(world)[0]?.kind === 'asked';
    };
    const identify = () => {
      if (isRevoked) throw unauthorized('This credential was revoked.');
      return 'grid';
    };
    world.sent.length = 0;
    assert.equal((await gate.answer(world.order(), { identify })).status, 401);
    assert.deepEqual(
      world.sent.filter(({ method }) => method === 'POST'),
      [],
    );
  });
});

test('a write whose first attempt was lost is not sent again once its account is locked', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  withLocks(world);
  const gate = await world.gate();
  world.sent.length = 0;
  const { transport } = world.simulation;
  world.carry = async (request, limits) => {
    if (request.method === 'GET') return await transport(request, limits);
    lock(world);
    throw new NoAnswerError('lost on the way');
  };
  const answer = await gate.handle('grid', world.order());
  assert.deepEqual([answer.status, errorOf(answer).rule_id], [422, 'mandate-locked']);
  assert.equal(world.sent.filter(({ method }) => method === 'POST').length, 1);
});

test('an approved order does not go into an account that was locked while it waited, and its approval holds', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing(undefined, { approveAboveUsd: 100, approvalBps: 10_000 }));
  withLocks(world);
  const gate = await world.gate();
  const answering = gate.handle('grid', world.order());
  const [folder, secret] = [approvalsFolder(world.variables), ownerSecret(world.variables)];
  const waiting = () => waitingRequests(folder, secret, Date.now()).filter(({ facts: of }) => of !== undefined);
  while (waiting().length === 0) await sleep(5);
  const { kept, facts: shown } = waiting()[0]!;
  lock(world);
  world.sent.length = 0;
  await decide({ folder, secret, kept, decision: 'approved', mark: shown!.mark!, by: 'me', now: Date.now, sleep });
  const answer = await answering;
  assert.deepEqual([answer.status, errorOf(answer).rule_id], [422, 'mandate-locked'], JSON.stringify(answer.body));
  assert.deepEqual(
    world.sent.filter(({ method }) => method === 'POST'),
    [],
  );
});

/** Real locks, as a guard of the gate's user sets them. */
function withLocks(world: GateWorld): void {
  const destination = { environment: 'sim', state: 'default' } as const;
  const { variables } = world;
  world.exposureProof = async (intent) => {
    const { client } = await world.session().access();
    return await exposureProof(intent, { variables, destination, client, now: Date.now });
  };
}

function lock(world: GateWorld): void {
  const folder = lockFolder(world.variables, { environment: 'sim', state: 'default' });
  lockAccount(folder, { account: world.accounts[0]!, since: 0, until: Number.MAX_SAFE_INTEGER, why: 'a test' });
}

function records(world: GateWorld): KeptRecord[] {
  return [...newestRecords(auditPlace(world.variables))];
}

/** As a client does: asks again while it is told to. */
async function patiently(gate: Gate, request: WireRequest): Promise<WireResponse> {
  for (let asked = 1; ; asked += 1) {
    const answer = await gate.handle('grid', request);
    if (answer.status !== 503 || asked === 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
function dataOf({ body }: WireResponse): any {
  return (body as { data?: unknown }).data;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
function errorOf({ body }: WireResponse): any {
  return (body as { error?: unknown }).error ?? {};
}

function without({ request_id: _, ...error }: Record<string, unknown>) {
  return error;
}

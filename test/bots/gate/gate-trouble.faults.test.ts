import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerSecret } from '../../../src/base/files/owner-secret.ts';
import { approvalsFolder } from '../../../src/bots/gate/approvals/approval-files.ts';
import { decide, waitingRequests } from '../../../src/bots/gate/approvals/decide.ts';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { auditPlace, newestRecords } from '../../../src/desk/audit/chain.ts';
import { lockAccount, lockFolder, unlockAccount } from '../../../src/desk/lock/trading-lock.ts';
import { mandateText } from '../../../src/desk/mandate/mandate-file.ts';
import { signMandate } from '../../../src/desk/mandate/signed.ts';
import { NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import { unforbidden } from '../../../src/wire/client/proven-send.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { unauthorized } from '../../../src/wire/hosting/keys.ts';
import { cannotFail, FaultyDisk } from '../../faulty-disk/faulty-disk.ts';
import { BuiltRun, beginWorld, buildPerp, machine, servedWorld } from '../../terminal/cli/built-perp.ts';
import { termsOf } from '../../terminal/mcp/probe-run.ts';
import { GateWorld } from './gate-world.ts';
import { overHttp } from './trials/refusals.ts';

test('a gate that was killed knows keys and open writes again: nothing is done twice, and no key is spent on nothing', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const killed = await world.gate();
  const { transport } = world.simulation;
  const never = new Promise<never>(() => {});
  // The gate dies before the answer to one write arrives, and before another one is sent.
  const isUnsent = (body = '') => body.includes('unsent');
  world.carry = async (request, limits) => {
    if (request.method !== 'GET' && isUnsent(request.body)) return await never;
    const answer = await transport(request, limits);
    return request.method !== 'GET' && request.body?.includes('done') !== true ? await never : answer;
  };
  const done = world.order({ client_order_id: 'done' }, 'key-done');
  const open = world.order({ client_order_id: 'open' }, 'key-open');
  const unsent = world.order({ client_order_id: 'unsent' }, 'key-unsent');
  assert.equal((await killed.handle('grid', done)).status, 201);
  void killed.handle('grid', open);
  void killed.handle('grid', unsent);
  while (world.sent.filter(({ method }) => method === 'POST').length < 3) await new Promise(setImmediate);
  world.carry = transport;

  const gate = await world.gate();
  assert.equal(gate.status().bots[0]!.orders, 3, 'an order that the service lists and whose answer was lost is one');
  assert.equal((await gate.handle('grid', done)).status, 200);
  const other = await gate.handle('grid', { ...done, body: done.body.replace('0.01', '0.02') });
  assert.equal(errorIn(other).code, 'idempotency_conflict');
  assert.equal((await gate.handle('grid', open)).status, 200);
  const late = await gate.handle('grid', unsent);
  const sentAgain = late.status === 503 ? await gate.handle('grid', unsent) : late;
  assert.equal(sentAgain.status, 201);
  const orders = orderIn(await world.direct(get('/v1/orders')));
  assert.deepEqual(orders.map(({ client_order_id: id }: { client_order_id: string }) => id).sort(), [
    'gate-grid_done',
    'gate-grid_open',
    'gate-grid_unsent',
  ]);
});

test('while the service is slow, a stopping gate answers everything that waits, and refuses the rest', async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  world.carry = () => new Promise(() => {});
  const order = gate.handle('grid', world.order());
  const cancel = gate.handle('grid', {
    method: 'POST',
    target: `/v1/accounts/${world.accounts[0]}/cancel-all-orders`,
    headers: { 'idempotency-key': 'c' },
  });
  while (world.sent.filter(({ method }) => method === 'POST').length < 2) await new Promise(setImmediate);
  gate.drain();
  for (const answer of [await order, await cancel]) {
    assert.deepEqual([answer.status, errorIn(answer).code], [503, 'unavailable']);
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  }
  const refused = await gate.handle('grid', get('/v1/accounts'));
  assert.deepEqual([refused.status, errorIn(refused).code], [503, 'unavailable']);
});

test('a stopped bot may only reduce, also after a restart, and flattening does not wait for what is slow', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing());
  const gate = await world.gate();
  assert.equal((await gate.handle('grid', world.order())).status, 201);
  const { transport } = world.simulation;
  // Whatever bots send from now on hangs; the gate's own requests do not.
  world.carry = (request, limits) =>
    request.headers['idempotency-key']?.startsWith('gate-') === true
      ? new Promise(() => {})
      : transport(request, limits);
  const hung = world.order({ side: 'buy', size: 0.02 }, 'hung');
  void gate.handle('grid', hung);
  gate.stop('grid');
  const refused = await gate.handle('grid', world.order({}, 'more'));
  assert.deepEqual([refused.status, errorIn(refused).rule_id], [422, 'mandate-stopped']);
  world.carry = transport;
  const reducing = await gate.handle('grid', world.order({ side: 'sell', size: 0.004, reduce_only: true }, 'less'));
  assert.equal(reducing.status, 201);
  const again = await world.gate();
  assert.equal(errorIn(await again.handle('grid', world.order({}, 'still'))).rule_id, 'mandate-stopped');
  again.resume('grid');
  assert.equal((await again.handle('grid', world.order({}, 'on'))).status, 201);
  const [flattened] = await again.flatten();
  assert.equal(flattened?.is_flat, true);
  assert.deepEqual(orderIn(await world.direct(get(`/v1/positions?account_id=${world.accounts[0]}`))), []);
});

test('an approved order that the service refused may go again as it is, and one whose outcome is unknown may not', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing(undefined, { approveAboveUsd: 1 }));
  const gate = await world.gate({ holdMs: 100 });
  const { transport } = world.simulation;
  const place = (key: string) => gate.handle('grid', world.order({}, key));
  const approve = async (key: string) => {
    const asked = place(key);
    await approveWaiting(world);
    return await asked;
  };
  const headers = { 'content-type': 'application/json' };
  const error = { code: 'cooldown', message: 'Wait.', rule_id: 'cooldown', request_id: '1', details: {} };
  world.carry = async (request, limits) =>
    request.method === 'POST' ? { status: 422, headers, body: { error } } : await transport(request, limits);
  assert.equal((await approve('refused')).status, 422);
  assert.equal((await place('refused')).status, 422, 'nobody is asked again');
  world.carry = transport;
  assert.equal((await place('refused')).status, 201);
  assert.equal((await place('refused')).status, 200);

  world.carry = async (request, limits) => {
    if (request.method === 'POST' || request.target.includes('gate-grid')) throw new NoAnswerError('nothing came');
    return await transport(request, limits);
  };
  assert.equal((await approve('unknown')).status, 503);
  assert.equal((await place('unknown')).status, 503);
  assert.equal(orderIn(await world.direct(get('/v1/orders'))).length, 1);
});

test('a write that was recorded is withdrawn if somebody begins to copy its account before it leaves', async (t) => {
  const world = await GateWorld.open(t);
  const [lead, follower] = world.accounts as [string, string];
  world.mandates.set('grid', world.allowing([lead]));
  const gate = await world.gate();
  const isRead = () =>
    world.sent.some(({ method, target }) => method === 'GET' && target.startsWith('/v1/copy-trading'));
  let isHeld = false;
  let saved: WireResponse | undefined;
  world.pause = async (where) => {
    const [record] = newestRecords(auditPlace(world.variables));
    if (where !== 'credential' || isHeld || record?.kind !== 'asked') return;
    isHeld = true;
    const targets = [{ account_id: follower, multiplier_bps: 10_000 }];
    const body = JSON.stringify({
      groups: [{ enabled: true, source_account_id: lead, targets }],
      deleted_config_ids: [],
    });
    const headers = { 'content-type': 'application/json' };
    saved = await world.direct({ method: 'POST', target: '/v1/copy-trading', headers, body });
    world.sent.length = 0;
    while (!isRead()) await sleep(20);
    await sleep(20);
  };
  const answer = await gate.handle('grid', world.order());
  assert.equal(saved?.status, 200, JSON.stringify(saved?.body));
  assert.deepEqual([isHeld, answer.status], [true, 503], JSON.stringify(answer.body));
  assert.match(errorIn(answer).message, /The list of accounts that copy this one has just changed/);
  assert.deepEqual(orderIn(await world.direct(get('/v1/orders'))), []);
});

test('an order whose key is revoked while it waits for a person is not sent, and the approval holds for a new key', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing(undefined, { approveAboveUsd: 1 }));
  const gate = await world.gate();
  let isRevoked = false;
  const identify = () => {
    if (isRevoked) throw unauthorized('This credential was revoked.');
    return 'grid';
  };
  const waiting = gate.answer(world.order(), { identify });
  await approveWaiting(world, () => {
    isRevoked = true;
  });
  const { status, body } = await waiting;
  assert.deepEqual([status, errorIn({ body }).message], [401, 'This credential was revoked.']);
  assert.deepEqual(orderIn(await world.direct(get('/v1/orders'))), []);
  isRevoked = false;
  assert.equal((await gate.answer(world.order(), { identify })).status, 201);
});

test('an approved order that is refused, because its bot was stopped after it was approved, may go as it is once it may', async (t) => {
  const world = await GateWorld.open(t, { accounts: 1 });
  world.mandates.set('grid', world.allowing(undefined, { approveAboveUsd: 1 }));
  const gate = await world.gate();
  const waiting = gate.handle('grid', world.order());
  await approveWaiting(world, () => {
    world.exposureProof = async () => {
      gate.stop('grid');
      return unforbidden;
    };
  });
  assert.equal(errorIn(await waiting).rule_id, 'mandate-stopped');
  world.exposureProof = async () => unforbidden;
  gate.resume('grid');
  assert.equal((await gate.handle('grid', world.order())).status, 201);
});

test('what an approved order rests on may change until its record is on disk, and then it is not sent', {
  skip: cannotFail,
}, async (t) => {
  buildPerp();
  const { folder, variables, remove } = machine();
  t.after(remove);
  await beginWorld(variables, { accounts: 1 });
  const world = await servedWorld(variables);
  t.after(() => world.stop());
  const direct = overHttp(world.baseUrl, world.key);
  const [{ id: account }] = (await direct({ method: 'GET', path: '/v1/accounts' })).body.data;
  const { accounts, ...terms } = termsOf([account], 'grid', { approveAboveUsd: 1, approvalBps: 10_000 });
  const mandate = { ...terms, accounts, largestOrderUsd: 1e9, largestPositionUsd: 1e9, lossPerDayUsd: 1e9 };
  const file = join(folder, 'grid.toml');
  writeFileSync(file, mandateText(mandate));
  signMandate(variables, mandate, Date.now());
  const bots = new BotsFile(gateFolder(variables));
  const key = bots.add('grid', 'live', Date.now(), Date.now() + 3_600_000).text;
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const argv = ['gate', 'serve', '--port', '0', '--rate-limit', 'off', '--json', '--mandate', file];
  const gate = new BuiltRun(argv, { ...variables, ...disk.variables(auditPlace(variables).folder) });
  t.after(async () => {
    gate.process.kill('SIGKILL');
    await gate.ended;
  });
  await gate.printed(/\}\s*$/);
  const ask = overHttp(JSON.parse(gate.out).url, key);
  const order = { account_id: account, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01, leverage: 2 };
  const changes: Readonly<Record<string, { change: () => void; told: unknown[]; mend: () => void }>> = {
    lock: {
      change: () => lockAccount(locks, { account, since: 0, until: Number.MAX_SAFE_INTEGER, why: 'a test' }),
      told: [422, 'mandate-locked'],
      mend: () => unlockAccount(locks, account),
    },
    stop: {
      change: () => bots.stop('grid', Date.now()),
      told: [422, 'mandate-stopped'],
      mend: () => void bots.resume('grid'),
    },
    key: { change: () => void bots.revoke('grid', Date.now()), told: [401, undefined], mend: () => {} },
  };
  const locks = lockFolder(variables, { environment: 'sim', state: 'default' });
  for (const [what, { change, told, mend }] of Object.entries(changes)) {
    const asked = ask({ method: 'POST', path: '/v1/orders', body: { ...order, margin_mode: 'cross' }, key: what });
    disk.arm();
    await approveWaiting(
      { variables },
      () => disk.holdSyncs(true),
      async () => {
        const isRecorded = () => {
          const [newest] = [...newestRecords(auditPlace(variables))].filter((one) => one.kind === 'asked');
          return newest?.kind === 'asked' && newest.decision === 'allowed' && newest.write.endsWith(what);
        };
        while (!isRecorded() || disk.heldSyncs === 0) await sleep(5);
        change();
        disk.holdSyncs(false);
      },
    );
    const { status, body } = await asked;
    assert.deepEqual([status, body.error?.rule_id], told, `${what}: ${JSON.stringify(body)}`);
    mend();
  }
  assert.deepEqual((await direct({ method: 'GET', path: '/v1/orders' })).body.data, []);
});

/** Approves the order that waits, as the owner. */
async function approveWaiting(
  world: Pick<GateWorld, 'variables'>,
  before = () => {},
  meanwhile = async () => {},
): Promise<void> {
  const [folder, secret] = [approvalsFolder(world.variables), ownerSecret(world.variables)];
  const waiting = () => waitingRequests(folder, secret, Date.now()).filter(({ facts }) => facts !== undefined);
  while (waiting().length === 0) await sleep(10);
  const { kept, facts } = waiting()[0]!;
  before();
  const decision = { folder, secret, kept, decision: 'approved', mark: facts!.mark!, by: 'me' } as const;
  await Promise.all([decide({ ...decision, now: Date.now, sleep }), meanwhile()]);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
function orderIn({ body }: { body: unknown }): any {
  return (body as { data: unknown }).data;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
function errorIn({ body }: { body: unknown }): any {
  return (body as { error: unknown }).error;
}

/** A request of a bot. */
const get = (target: string): WireRequest => ({ method: 'GET', target, headers: {} });

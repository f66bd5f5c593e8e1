import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { existingOwnerSecret } from '../../../src/base/files/owner-secret.ts';
import { approvalsFolder } from '../../../src/bots/gate/approvals/approval-files.ts';
import { decide, waitingRequests } from '../../../src/bots/gate/approvals/decide.ts';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { serveControl } from '../../../src/bots/gate/control.ts';
import { listenForBots } from '../../../src/bots/gate/serve.ts';
import { mandateText } from '../../../src/desk/mandate/mandate-file.ts';
import { allTools, definitionOf } from '../../../src/terminal/mcp/server.ts';
import { GateWorld } from '../../bots/gate/gate-world.ts';
import { served, trading } from '../../service/serving.ts';
import { Desk } from '../cli/practice.ts';
import { Agent } from './agent.ts';
import { HostedWorld } from './hosted-world.ts';
import { signed, termsOf, withMandate } from './probe-run.ts';

describe('perp mcp with a mandate', () => {
  let world: HostedWorld;
  before(async () => {
    world = await HostedWorld.open(5);
  });
  after(() => world[Symbol.asyncDispose]());

  const account = (nth: number) => world.accounts[nth]!;
  const buy = { market: 'ETH', side: 'buy', notional_usd: 500 };

  it('lists every tool', async () => {
    await using agent = await withMandate(world, termsOf([account(0)], 'lists'));
    assert.deepEqual((await agent.ask('tools/list')).tools, JSON.parse(JSON.stringify(allTools.map(definitionOf))));
  });

  it('tells the terms of the mandate that are in force, as its file has them', async () => {
    const terms = termsOf([account(0)], 'terms');
    await using agent = await withMandate(world, terms, ['--account', account(0)]);
    const { mandate, mandate_terms: told } = await agent.call('get_account');
    assert.equal(mandate, 'terms');
    assert.deepEqual(`${told.join('\n')}\n`, mandateText(terms));
  });

  it('does not start with a mandate that nobody has signed, nor with one that was loosened since', async () => {
    const terms = termsOf([account(0)], 'loosened');
    const file = signed(world.desk, terms);
    writeFileSync(file, mandateText({ ...terms, name: 'unsigned' }));
    await assert.rejects(world.agent(['--mandate', file]), /is not signed/);
    writeFileSync(file, mandateText({ ...terms, largestOrderUsd: 90_000, largestPositionUsd: 90_000 }));
    await using agent = await world.agent(['--account', account(0), '--mandate', file]);
    const { error } = await agent.call('place_order', { ...buy, notional_usd: 2_000, idempotency_key: 'k' });
    assert.equal(error.rule_id, 'mandate-largest-order');
  });

  it('adds to a position that has a stop, by replacing it, as a mandate that asks for stops says', async () => {
    await using agent = await withMandate(world, termsOf([account(4)], 'stops', { stopWithin: 0.05 }));
    const order = { ...buy, account: account(4) };
    const bare = await agent.call('place_order', { ...order, idempotency_key: 's1' });
    const stop_loss_price = Number(/stop_loss_price of ([\d.]+)/.exec(bare.error.message.outside_text)![1]);
    const first = await agent.call('place_order', { ...order, stop_loss_price, idempotency_key: 's2' });
    assert.equal(first.order.status, 'filled');
    const refused = await agent.call('place_order', { ...order, stop_loss_price, idempotency_key: 's3' });
    // Near its limit, the distance counts from the entry of both orders together.
    const allowed = /stop_loss_price of ([\d.]+) or above, with replace_overlapping_exits/;
    const nearer = Number(allowed.exec(refused.error.message.outside_text)![1]);
    const again = { ...order, stop_loss_price: nearer, replace_overlapping_exits: true, idempotency_key: 's4' };
    assert.equal((await agent.call('place_order', again)).order.status, 'filled');
  });

  it('an order above the threshold waits for a person, and goes out once when one has approved it', async () => {
    await using agent = await withMandate(world, termsOf([account(1)], 'waits', { approveAboveUsd: 100 }));
    const order = { ...buy, account: account(1), idempotency_key: 'k1' };
    const { error } = await agent.call('place_order', order);
    assert.equal(error.code, 'waits_for_approval');
    assert.match(error.what_to_do, new RegExp(`perp approve ${error.details.approval.slice(0, 8)}`));
    const { variables } = world.desk;
    const folder = approvalsFolder(variables);
    const secret = existingOwnerSecret(variables)!;
    const [{ kept, facts }] = waitingRequests(folder, secret, Date.now()) as [
      ReturnType<typeof waitingRequests>[number],
    ];
    assert.equal(kept.id, error.details.approval);
    const now = Date.now;
    const { mark } = facts as { mark: number };
    const decided = decide({
      folder,
      secret,
      kept,
      decision: 'approved',
      by: 'me',
      mark,
      now,
      sleep: (ms) => delay(ms),
    });
    const placed = await agent.call('place_order', order);
    assert.equal(placed.order?.status, 'filled', JSON.stringify(placed));
    assert.equal((await decided).state, 'used');
    assert.equal((await agent.call('place_order', order)).repeated, true);
    assert.equal((await agent.call('list_fills', { account: account(1) })).fills.length, 1);
  });

  it('what was asked is done and answered although standard input ends in the middle', async () => {
    const agent = await withMandate(world, termsOf([account(2)], 'ends'));
    const asked = agent.answer('tools/call', {
      name: 'place_order',
      arguments: { ...buy, account: account(2), idempotency_key: 'k1' },
    });
    agent.input.end();
    assert.equal((await asked).result.structuredContent.order.status, 'filled');
    assert.equal((await agent.run).exit, 0);
  });

  it('a canceled call places nothing that was not sent yet, and its key tells', async () => {
    await using agent = await withMandate(world, termsOf([account(3)], 'cancels'));
    const order = { ...buy, account: account(3), idempotency_key: 'k1' };
    agent.answer('tools/call', { name: 'place_order', arguments: order }, 'canceled').catch(() => {});
    agent.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'canceled' } });
    const fills = async () => (await agent.call('list_fills', { account: account(3) })).fills.length;
    const { order: placed } = await agent.call('place_order', order);
    assert.equal(placed.status, 'filled');
    assert.equal(await fills(), 1);
  });

  it('obeys perp gate stop, also while a gate of other bots runs', async (t) => {
    const owner = await GateWorld.open(t, { accounts: 1 });
    owner.mandates.set('other', owner.allowing());
    const { variables } = world.desk;
    await using agent = await withMandate(world, termsOf([account(2)], 'stopped'));
    const order = { ...buy, account: account(2) };
    for (const running of [undefined, await serveControl(await owner.gate(), gateFolder(variables), 'http://gate')]) {
      const { exit, out, err } = await world.desk.perp(['gate', 'stop', 'stopped']);
      assert.equal(exit, 0, err);
      assert.match(out, /No perp gate serve has stopped/);
      const { error } = await agent.call('place_order', { ...order, idempotency_key: `k${running}` });
      assert.equal(error.rule_id, 'mandate-stopped');
      const resumed = { terminal: true, typed: ['resume stopped'] };
      assert.equal((await world.desk.perp(['gate', 'resume', 'stopped'], resumed)).exit, 0);
      await running?.[Symbol.asyncDispose]();
    }
    assert.equal((await agent.call('place_order', { ...order, idempotency_key: 'after' })).order.status, 'filled');
  });

  it('has the rules and the journal of its account, and of no other', async () => {
    const journal = async (agent: Agent) => {
      const { contents } = await agent.ask('resources/read', { uri: 'perp://account/journal' });
      return JSON.parse(contents[0].text);
    };
    await using agent = await withMandate(world, termsOf([account(4)], 'reads'), ['--account', account(4)]);
    assert.equal((await journal(agent)).account, account(4));
    using desk = new Desk();
    const [first, second] = await twoAccounts(desk);
    await desk.json('order', 'place', 'ETH', 'buy', '0.1', '--account', first);
    const file = signed(desk, termsOf([first], 'simulated'));
    await using inSimulation = await Agent.connected(desk, ['--mandate', file]);
    const { account: shown, trips } = await journal(inSimulation);
    assert.deepEqual([shown, trips.length], [first, 1]);
    const rules = await inSimulation.ask('resources/read', { uri: 'perp://account/rules' });
    assert.equal(JSON.parse(rules.contents[0].text).account, first);
    await inSimulation.end();
    await using astray = await Agent.connected(desk, ['--account', second, '--mandate', file]);
    assert.ok((await astray.answer('resources/read', { uri: 'perp://account/journal' })).error);
  });

  it('what it did is in the audit log, with its own ids', async () => {
    await using agent = await withMandate(world, termsOf([account(4)], 'audited'));
    await agent.call('place_order', { ...buy, account: account(4), idempotency_key: 'my-key' });
    const records = await world.desk.json('audit', 'show', '--bot', 'audited');
    assert.match(JSON.stringify(records), /my-key/);
  });
});

it('one perp mcp at a time trades an account, under whatever address and by name', async (t) => {
  using desk = new Desk();
  const serving = await served(t, { stateDir: desk.variables.PERP_STATE_DIR!, accounts: 1 });
  const { key, account_id } = await trading(serving);
  const file = signed(desk, termsOf([account_id], 'alone'));
  const { port } = new URL(serving.baseUrl);
  const at = (address: string) => ({
    PERP_API_KEY: key,
    PERP_BASE_URL: address,
    PERP_MARKET_STREAM_URL: serving.baseUrl.replace('http', 'ws'),
    PERP_ACCOUNT_STREAM_URL: serving.baseUrl.replace('http', 'ws'),
  });
  const ways: Readonly<Record<string, Record<string, string>>> = {
    'by name': {},
    ...Object.fromEntries(
      [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.1:${port}/`, `HTTP://LOCALHOST:${port}`].map(
        (address) => [address, at(address)],
      ),
    ),
  };
  const argvOf = ({ PERP_API_KEY }: Record<string, string>) => [
    ...(PERP_API_KEY === undefined ? [] : ['--env', 'live']),
    '--mandate',
    file,
  ];
  for (const [first, variables] of Object.entries(ways).slice(0, 2)) {
    await using agent = await Agent.connected(desk, argvOf(variables), { variables });
    assert.equal((await agent.call('get_account')).account, account_id, first);
    for (const [other, variables] of Object.entries(ways)) {
      const run = await desk.perp(['mcp', ...argvOf(variables)], { variables });
      assert.equal(run.exit, 6, `${first}, then ${other}: ${run.err}`);
      assert.match(run.err, /Another gate is in charge/);
    }
  }
});

describe('perp mcp --gate', () => {
  it('trades through a gate that another user serves, within the mandate that is there', async (t) => {
    const owner = await GateWorld.open(t);
    const [account] = owner.accounts as [string];
    owner.mandates.set('helper', termsOf([account], 'helper'));
    const bots = new BotsFile(gateFolder(owner.variables));
    const now = Date.now;
    const options = { environment: 'live', port: 0, log: null, note: () => {} } as const;
    const host = await listenForBots({ gate: await owner.gate(), now, ...options });
    t.after(() => host.stop());
    const { text: key } = bots.add('helper', 'live', now(), now() + 60_000);
    using user = new Desk();
    const variables = { PERP_BASE_URL: host.url, PERP_API_KEY: key };
    await using agent = await Agent.connected(user, ['--env', 'live', '--gate'], { variables });
    const placed = await agent.call('place_order', { ...buyOf(account), idempotency_key: 'k1' });
    assert.equal(placed.order?.status, 'filled', JSON.stringify(placed));
    const { error } = await agent.call('place_order', {
      ...buyOf(account),
      notional_usd: 5_000,
      idempotency_key: 'k2',
    });
    assert.equal(error.rule_id, 'mandate-largest-order');
    assert.deepEqual([error.sent, error.nothing_was_sent], ['no', true]);
    // What the service refuses was sent, and what the gate could not judge was not.
    const low = await agent.call('amend_order', { order: placed.order.id, price: 1, idempotency_key: 'k4' });
    assert.deepEqual([low.error.code, low.error.nothing_was_sent], ['order_terminal', low.error.sent === 'no']);
    owner.exposureProof = () => Promise.reject(new Error('The locks can not be read.'));
    const unsent = owner.sent.filter(({ method }) => method === 'POST').length;
    const unjudged = await agent.call('place_order', { ...buyOf(account), idempotency_key: 'k5' });
    assert.deepEqual([unjudged.error.code, unjudged.error.sent], ['unavailable', 'no'], JSON.stringify(unjudged));
    assert.match(unjudged.summary, /^Not sent/);
    assert.equal(owner.sent.filter(({ method }) => method === 'POST').length, unsent);
  });

  it('does not start at a host whose key is not that of a gate', async () => {
    using user = new Desk();
    const variables = { PERP_BASE_URL: 'http://127.0.0.1:9', PERP_API_KEY: 'perp_live_0123456789abcdef' };
    const run = await user.perp(['--env', 'live', 'mcp', '--gate'], { variables });
    assert.equal(run.exit, 4);
    assert.match(run.err, /not the key of a gate/);
  });
});

/** A simulation that has a second account. */
async function twoAccounts(desk: Desk): Promise<readonly [string, string]> {
  await desk.json('sim', 'reset', '--accounts', '2', '--yes');
  const accounts = await desk.json('accounts', 'list');
  return [accounts[0].id, accounts[1].id];
}

function buyOf(account: string) {
  return { account, market: 'ETH', side: 'buy', notional_usd: 500 };
}

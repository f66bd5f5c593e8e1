import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { approvalLastsMs, requestLastsMs } from '../../../../src/bots/gate/approvals/approval-files.ts';
import { it, trial } from '../../../tiers.ts';
import { tryForgeries } from './forgeries.ts';
import { requestOf, Waiting } from './waiting.ts';

const failed = (code: string) => (error: unknown) => error instanceof Failure && error.facts.code === code;

describe('an approval', () => {
  it('lets the exact request through once', async () => {
    await using tried = new Waiting();
    const gate = tried.gate();
    const asked = tried.ask(gate);
    assert.equal((await tried.decide('approved')).state, 'used');
    const answer = await asked;
    assert.deepEqual([answer.state, 'by' in answer && answer.by], ['approved', 'owner']);
    assert.equal((await tried.ask(gate)).state, 'used');
    assert.equal((await tried.ask(tried.gate())).state, 'used');
    assert.deepEqual(tried.decisions(), ['approved']);
  });

  it('given while the bot is away holds until it asks again', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    const { state, ...rest } = await tried.ask(gate);
    assert.deepEqual([state, 'retryAfterMs' in rest && rest.retryAfterMs], ['waits', 1_000]);
    const decided = tried.decide('approved');
    await tried.ask(gate, requestOf(3, 'key-2'));
    let answer = await tried.ask(gate);
    while (answer.state === 'waits') answer = await tried.ask(gate);
    assert.equal(answer.state, 'approved');
    assert.equal((await decided).state, 'used');
  });

  it('for one request is none for another: a digit, a key, a side, an account, a bot', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    await tried.ask(gate);
    const decided = tried.decide('approved');
    const wanted = requestOf();
    const others = [
      requestOf(2.1),
      requestOf(2, 'key-2'),
      { ...wanted, body: wanted.body!.replace('buy', 'sell') },
      { ...wanted, body: `${wanted.body} ` },
      { ...wanted, account: 'acc_2' },
      { ...wanted, bot: 'beta' },
      { ...wanted, target: '/v1/orders?x' },
      { ...wanted, operation: 'closePosition' },
    ];
    for (const other of others) assert.equal((await tried.ask(gate, other)).state, 'waits');
    const exact = tried.ask(tried.gate());
    assert.equal((await decided).state, 'used');
    assert.equal((await exact).state, 'approved');
    for (const other of others) assert.equal((await tried.ask(gate, other)).state, 'waits');
  });

  it('of a write without a key is for one time', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    const amend = { ...requestOf(2), key: undefined };
    assert.equal((await tried.ask(gate, amend)).state, 'waits');
    const decided = tried.decide('approved');
    const again = { ...amend, write: 'another name for it' };
    let answer = await tried.ask(gate, again);
    while (answer.state === 'waits') answer = await tried.ask(gate, again);
    assert.equal(answer.state, 'approved');
    await decided;
    assert.equal((await tried.ask(gate, amend)).state, 'waits');
  });

  it('is void once the mark has moved beyond its bound, and not before', async () => {
    for (const [mark, wanted] of [
      [95_474, 'approved'],
      [95_476, 'void'],
      [94_524, 'void'],
    ] as const) {
      await using tried = new Waiting();
      const gate = tried.gate();
      const asked = tried.ask(gate);
      tried.mark = mark;
      await tried.decide('approved', 95_000);
      const answer = await asked;
      assert.equal(answer.state, wanted, String(mark));
      if (answer.state === 'void') assert.match(answer.why, /moved from 95,?000 to .* by more than 50 bps/);
    }
  });

  it('is void by a bound that was tightened meanwhile, and not by one that was loosened', async () => {
    for (const [bound, wanted] of [
      [20, 'void'],
      [90, 'void'],
      [50, 'approved'],
    ] as const) {
      await using tried = new Waiting();
      const gate = tried.gate(0);
      await tried.ask(gate, requestOf(), 50);
      tried.mark = bound === 90 ? 95_600 : 95_300;
      const decided = tried.decide('approved', 95_000);
      let answer = await tried.ask(gate, requestOf(), bound);
      while (answer.state === 'waits') answer = await tried.ask(gate, requestOf(), bound);
      assert.equal(answer.state, wanted, String(bound));
      await decided;
    }
  });

  it('waits while the mark is not known', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    await tried.ask(gate);
    tried.mark = undefined;
    const decided = tried.decide('approved');
    assert.equal((await tried.ask(gate)).state, 'waits');
    tried.mark = 95_000;
    let answer = await tried.ask(gate);
    while (answer.state === 'waits') answer = await tried.ask(gate);
    assert.equal(answer.state, 'approved');
    assert.equal((await decided).state, 'used');
  });

  it('expires: without a decision, and after one that is not used', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    await tried.ask(gate);
    tried.pass(requestLastsMs);
    assert.equal((await tried.ask(gate)).state, 'expired');
    assert.deepEqual(tried.waiting(), []);
    await tried.ask(gate, requestOf(2, 'key-2'));
    tried.wall += 10;
    const decided = tried.decide('approved');
    tried.pass(approvalLastsMs);
    assert.equal((await tried.ask(gate, requestOf(2, 'key-2'))).state, 'expired');
    await decided;
    assert.deepEqual(tried.decisions(), ['expired', 'expired']);
  });

  it('does not last longer when the clock is set back', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    await tried.ask(gate);
    tried.wall -= 86_400_000;
    tried.uptime += requestLastsMs;
    assert.equal((await tried.ask(gate)).state, 'expired');
  });

  it('that is declined stays declined', async () => {
    await using tried = new Waiting();
    const gate = tried.gate();
    const asked = tried.ask(gate);
    assert.equal((await tried.decide('declined')).state, 'declined');
    assert.equal((await asked).state, 'declined');
    const again = await tried.ask(tried.gate());
    assert.deepEqual([again.state, 'why' in again && again.why], ['declined', 'owner declined it.']);
  });

  it('whose order was certainly not done lets the exact request through again, as long as it holds', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    const approved = async (number: number) => {
      const request = requestOf(2, `key-${number}`);
      await tried.ask(gate, request);
      const decided = tried.decide('approved');
      let answer = await tried.ask(gate, request);
      while (answer.state === 'waits') answer = await tried.ask(gate, request);
      await decided;
      assert.equal(answer.state, 'approved');
      return { request, id: answer.id };
    };
    const state = async (request: ReturnType<typeof requestOf>, by = gate) => (await tried.ask(by, request)).state;
    const { request, id } = await approved(1);
    assert.equal(await state(request), 'used', 'its outcome is not known');
    for (let time = 0; time < 3; time += 1) {
      gate.returned(id);
      gate.returned(id);
      for (const other of [requestOf(2.1, 'key-1'), { ...request, bot: 'beta' }, { ...request, account: 'acc_2' }])
        assert.equal(await state(other), 'waits');
      assert.deepEqual([await state(request), await state(request)], ['approved', 'used']);
    }
    gate.returned('another');
    assert.equal(await state(request), 'used');
    gate.returned(id);
    assert.equal(await state(request, tried.gate(0)), 'used', 'another gate, or the same one after a restart');
    tried.mark = undefined;
    assert.equal(await state(request), 'waits');
    tried.mark = 95_476;
    assert.deepEqual([await state(request), await state(request)], ['void', 'used']);
    tried.mark = 95_000;
    gate.returned(id);
    tried.wall -= 86_400_000;
    tried.uptime += approvalLastsMs;
    assert.deepEqual([await state(request), await state(request)], ['expired', 'used']);
  });

  it('of two people counts once, and the second is told', async () => {
    await using tried = new Waiting();
    const gate = tried.gate();
    const asked = tried.ask(gate);
    const results = await Promise.allSettled([tried.decide('approved'), tried.decide('declined')]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    assert.ok(failed('already_decided')(refusal.reason));
    await asked;
    assert.equal(tried.decisions().length, 1);
  });

  it('lets the request through one of two gates', async () => {
    await using tried = new Waiting();
    const asked = [tried.gate(), tried.gate(), tried.gate()].map((gate) => tried.ask(gate));
    await tried.decide('approved');
    const states = (await Promise.all(asked)).map(({ state }) => state);
    assert.deepEqual(states.sort(), ['approved', 'used', 'used']);
    assert.deepEqual(tried.decisions(), ['approved']);
  });

  it('survives a restart of the gate', async () => {
    await using tried = new Waiting();
    const before = tried.gate(0);
    await tried.ask(before);
    before[Symbol.dispose]();
    const [waiting] = tried.waiting();
    assert.equal(waiting!.kept.request.body, requestOf().body);
    const asked = tried.ask(tried.gate());
    await tried.decide('approved');
    assert.equal((await asked).state, 'approved');
    assert.deepEqual(tried.began, [waiting!.kept.id]);
  });

  it('is withdrawn, for good, when the gate does not answer', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    await tried.ask(gate);
    gate[Symbol.dispose]();
    await assert.rejects(tried.decide('approved'), failed('gate_silent'));
    assert.equal((await tried.ask(tried.gate())).state, 'void');
  });

  it('shows what the request would do as long as its gate answers', async () => {
    await using tried = new Waiting();
    await tried.ask(tried.gate(0));
    assert.equal(tried.waiting()[0]!.facts?.mark, 95_000);
    tried.pass(6_000);
    assert.equal(tried.waiting()[0]!.facts, undefined);
  });

  it('ends the hold when the bot goes away', async () => {
    await using tried = new Waiting();
    const gone = new AbortController();
    const asked = tried.ask(tried.gate(), requestOf(), 50, gone.signal);
    gone.abort();
    assert.equal((await asked).state, 'waits');
  });

  it('is asked of a person for at most 20 requests of a bot at once', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    for (let number = 1; number <= 20; number++)
      assert.equal((await tried.ask(gate, requestOf(2, `key-${number}`))).state, 'waits');
    const full = await tried.ask(gate, requestOf(2, 'key-21'));
    assert.match('why' in full ? full.why : '', /^20 requests of this bot are already waiting/);
    assert.equal((await tried.ask(gate, { ...requestOf(2, 'key-21'), bot: 'beta' })).state, 'waits');
  });

  it('is kept in files that only the owner can read, and forgotten a week after its end', async () => {
    await using tried = new Waiting();
    const gate = tried.gate(0);
    await tried.ask(gate);
    for (const name of readdirSync(tried.folder))
      assert.equal(statSync(join(tried.folder, name)).mode & 0o077, 0, name);
    tried.pass(requestLastsMs);
    await tried.ask(gate);
    gate[Symbol.dispose]();
    tried.pass(7 * 86_400_000 + 1);
    tried.gate();
    assert.ok(!existsSync(tried.folder) || readdirSync(tried.folder).length === 0);
  });
});

trial('60 forged, replayed, altered or expired approvals let nothing through', () => tryForgeries(60));

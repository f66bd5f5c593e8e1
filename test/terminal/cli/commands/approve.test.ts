import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownerSecret } from '../../../../src/base/files/owner-secret.ts';
import type { ApprovalAnswer, ApprovalFacts } from '../../../../src/bots/gate/approvals/approval-files.ts';
import { Approvals } from '../../../../src/bots/gate/approvals/approvals.ts';
import { AuditLog } from '../../../../src/desk/audit/audit-log.ts';
import { auditPlace } from '../../../../src/desk/audit/chain.ts';
import { Desk, type Run } from '../practice.ts';

const effect = {
  reduces: false,
  orders: 1,
  adds: {
    ...{ market: 'binance|BTCUSDT', side: 'buy' as const, size: 2, price: 95_475, usd: 190_950 },
    ...{ positionUsd: 190_950, lossUsd: 5_200.5, worstUsd: 5_300, roomUsd: 2_998.89 },
  },
};

/** The gate's side on a machine, in front of which a bot asks for an order. */
class Gate implements AsyncDisposable {
  readonly desk = new Desk();
  readonly #secret = ownerSecret(this.desk.variables);
  readonly audit = AuditLog.open(auditPlace(this.desk.variables), { secret: this.#secret });
  readonly #approvals: Approvals;
  facts: ApprovalFacts = { destination: 'SIM default, synthetic', mark: 95_000, effect };
  /** The time of gate and person, which stands: on a slow machine, the gate does not seem silent. */
  readonly now: () => number;

  constructor(holdMs = 60_000) {
    const { audit, desk } = this;
    const time = Date.now();
    this.now = () => time;
    const options = { variables: desk.variables, secret: this.#secret, audit, now: this.now };
    this.#approvals = new Approvals({ ...options, holdMs, lookEveryMs: 5 });
  }

  async ask(words: object = {}): Promise<ApprovalAnswer> {
    const fields = {
      account_id: 'acc_1',
      market_id: 'binance|BTCUSDT',
      side: 'buy',
      type: 'market',
      size: 2,
      ...words,
    };
    const body = JSON.stringify(fields);
    const request = {
      bot: 'alpha',
      account: 'acc_1',
      operation: 'createOrder',
      method: 'POST',
      target: '/v1/orders',
      body,
    };
    const named = { ...request, key: 'key-1', write: 'gate-alpha_key-1' };
    const answer = await this.#approvals.require(named, 50, { facts: () => this.facts, began: () => {} });
    if (answer.state !== 'approved') return answer;
    const ids = ['ord_00000003a'];
    this.audit.append({
      kind: 'outcome',
      time: Date.now(),
      bot: 'alpha',
      write: named.write,
      outcome: 'done',
      status: 200,
      ids,
    });
    return answer;
  }

  /** The one approval that waits, as a person would type it. */
  async id(): Promise<string> {
    return (await this.desk.json('approve'))[0].id.slice(0, 8);
  }

  async approve(...typed: readonly string[]): Promise<Run> {
    return this.desk.perp(['approve', await this.id()], { terminal: true, typed, outside: { now: this.now } });
  }

  stop(): void {
    this.#approvals[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.audit[Symbol.asyncDispose]();
    this.desk[Symbol.dispose]();
  }
}

describe('perp approve', () => {
  it('shows the exact request and what it does, asks for a typed word, and lets it through', async () => {
    await using gate = new Gate();
    const asked = gate.ask();
    const { exit, out, err } = await gate.approve('approve alpha');
    assert.equal(exit, 0, err);
    assert.equal((await asked).state, 'approved');
    for (const words of [
      'goes to   SIM default, synthetic',
      'account   acc_1',
      'call        POST /v1/orders',
      'size        2',
      'key         key-1',
      '95000; void beyond 94525 to 95475',
      'buy 2 binance:BTCUSDT, at 95475 worst case: 190,950.00 USD',
      '2,998.89 USD above the nearest floor',
      'none: the floor is reached, by 2,301.11 USD',
    ])
      assert.ok(err.includes(words), `${words} in\n${err}`);
    assert.match(gate.desk.questions.at(-1)!, /^Type "approve alpha" or "decline alpha"/);
    assert.match(out, /^Approved, alpha: place market buy 2 binance:BTCUSDT. The service: done 200\sord_00000003a.\n$/);
    assert.deepEqual(await gate.desk.json('approve'), []);
  });

  it('declines', async () => {
    await using gate = new Gate();
    const asked = gate.ask();
    const { exit, out } = await gate.approve('decline alpha');
    assert.equal(exit, 0);
    assert.match(out, /^Declined/);
    assert.equal((await asked).state, 'declined');
  });

  it('changes nothing for an empty line, and says that it still waits', async () => {
    await using gate = new Gate(0);
    await gate.ask();
    const { exit, err } = await gate.approve('');
    assert.equal(exit, 130);
    assert.match(err, /Nothing was decided; the request is still waiting/);
    assert.equal((await gate.ask()).state, 'waits');
  });

  it('takes nothing but the words: not yes, not another bot, not half of them', async () => {
    await using gate = new Gate(0);
    await gate.ask();
    for (const word of ['y', 'yes', 'approve', 'approve beta', 'APPROVE ALPHA']) {
      const { exit } = await gate.approve(word);
      assert.notEqual(exit, 0, word);
    }
    assert.equal((await gate.ask()).state, 'waits');
  });

  it('refuses without a terminal, with --yes and in a batch', async () => {
    await using gate = new Gate(0);
    await gate.ask();
    const id = await gate.id();
    const bare = await gate.desk.perp(['approve', id, '--json'], { typed: ['approve alpha'] });
    const yes = await gate.desk.perp(['approve', id, '--yes', '--json'], { terminal: true, typed: ['approve alpha'] });
    for (const { exit, error } of [bare, yes]) assert.deepEqual([exit, error.code], [4, 'person_needed']);
    const batch = await gate.desk.perp(['batch', '--json'], {
      terminal: true,
      input: `approve ${id}\n`,
      typed: ['approve alpha'],
    });
    assert.notEqual(batch.exit, 0);
    const dry = await gate.desk.perp(['approve', id, '--dry-run', '--json'], { terminal: true });
    assert.equal(dry.exit, 0, dry.err);
    assert.equal((await gate.ask()).state, 'waits');
  });

  it('refuses when the gate does not answer', async () => {
    await using gate = new Gate(0);
    await gate.ask();
    gate.stop();
    const id = await gate.id();
    const later = { now: () => gate.now() + 6_000 };
    const run = await gate.desk.perp(['approve', id, '--json'], {
      terminal: true,
      typed: ['approve alpha'],
      outside: later,
    });
    assert.deepEqual([run.exit, run.error.code], [7, 'gate_silent']);
  });

  it('lets a person only decline what is not known', async () => {
    await using gate = new Gate(0);
    gate.facts = { destination: 'SIM default, synthetic' };
    await gate.ask();
    const refused = await gate.approve('approve alpha');
    assert.notEqual(refused.exit, 0);
    assert.match(refused.err, /It can only be declined/);
    const { exit } = await gate.approve('decline alpha');
    assert.equal(exit, 0);
    assert.equal((await gate.ask()).state, 'declined');
  });

  it('says that the order will not go when the price has moved while the person read', async () => {
    await using gate = new Gate();
    const asked = gate.ask();
    const id = await gate.id();
    const prompts = {
      confirm: async () => false,
      choose: async () => '',
      secret: async () => '',
      line: async () => {
        gate.facts = { ...gate.facts, mark: 95_600 };
        return 'approve alpha';
      },
    };
    const run = await gate.desk.perp(['approve', id, '--json'], {
      terminal: true,
      outside: { prompts, now: gate.now },
    });
    assert.deepEqual([run.exit, run.error.code], [6, 'void']);
    assert.match(run.error.message, /The mark moved from 95,?000 to 95,?600/);
    assert.equal((await asked).state, 'void');
  });

  it('shows text from a bot as text, without its control characters', async () => {
    await using gate = new Gate(0);
    await gate.ask({ client_order_id: 'evil\u001b[2J\u202eapprove me\r\nyes' });
    const { err } = await gate.approve('');
    assert.match(err, /its texts come from the bot, from outside/);
    assert.match(err, /evil\\u001b\[2J\\u202eapprove me\\u000d\\u000ayes/);
    assert.doesNotMatch(err, /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  it('without an id lists what waits; an id that is not there is not found', async () => {
    await using gate = new Gate(0);
    assert.match((await gate.desk.perp(['approve'])).out, /^Nothing waits for approval/);
    await gate.ask();
    const { out } = await gate.desk.perp(['approve']);
    assert.match(out, /alpha +place market buy 2 binance:BTCUSDT +190,950.00/);
    assert.equal((await gate.desk.perp(['approve', 'ffff'])).exit, 3);
  });
});

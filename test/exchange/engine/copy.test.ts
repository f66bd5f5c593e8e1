import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SaveCopyGroups } from '../../../src/exchange/engine/commands.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { Lots, Order, Policy } from '../../../src/exchange/engine/model.ts';
import { noRates, Scenario, type ScenarioOptions } from './scenario.ts';
import type { Level } from './scripted-source.ts';

const flat = (time: number, mid: number, depth = 1_000) => ({
  time,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});

type Group = SaveCopyGroups['groups'][number];

/** A lead with 100,000 USD and two followers with 50,000, without rules. */
class Copying extends Scenario {
  readonly followers: string[];

  constructor(script: ConstructorParameters<typeof Scenario>[0], options: ScenarioOptions = {}) {
    super(script, options);
    this.followers = [1, 2].map(() => this.openAccount({ ...options, plan: 'none', startingBalance: 50_000 }));
  }

  save(groups: Partial<Group>[], deletedConfigIds: string[] = []): SaveCopyGroups {
    return {
      kind: 'save_copy_groups',
      owner: 'somebody',
      environment: 'live',
      groups: groups.map((group) => ({
        configId: null,
        enabled: true,
        sourceAccountId: this.accountId,
        targets: this.followers.map((accountId) => ({ accountId, multiplierBps: 10_000 })),
        ...group,
      })),
      deletedConfigIds,
    };
  }

  enable(group: Partial<Group> = {}): string {
    return this.done(this.save([group])).configIds![0]!;
  }

  held(accountId: string): Lots {
    const open = [...this.positions.values()].find((one) => one.accountId === accountId && one.status === 'open');
    return open === undefined ? 0 : open.direction === 'long' ? open.size : -open.size;
  }

  copies(accountId = this.followers[0]!): Order[] {
    return [...this.orders.values()].filter((order) => order.accountId === accountId && order.copyConfigId !== null);
  }
}

const copying = (options: ScenarioOptions = {}, script = [flat(0, 100)]) =>
  new Copying(script, options).to(0) as Copying;

test('followers copy entries, reductions and closes at the ratio of starting balances times the multiplier', () => {
  const scenario = copying();
  const [first, second] = scenario.followers as [string, string];
  scenario.enable({
    targets: [
      { accountId: first, multiplierBps: 10_000 },
      { accountId: second, multiplierBps: 5_000 },
    ],
  });
  const steps: [() => void, number, number, number][] = [
    [() => scenario.place('buy', 41), 41, 20, 10],
    [() => scenario.place('buy', 1), 42, 21, 10],
    [() => scenario.place('buy', 2), 44, 22, 11],
    [() => scenario.place('sell', 22, { reduceOnly: true }), 22, 11, 6],
    [() => scenario.place('sell', 22), 0, 0, 0],
    [() => scenario.place('sell', 10), -10, -5, -2],
    [() => scenario.place('buy', 30), 20, 10, 5],
  ];
  for (const [act, lead, one, other] of steps) {
    act();
    assert.deepEqual(
      [scenario.accountId, first, second].map((id) => scenario.held(id)),
      [lead, one, other],
    );
  }
});

test('the smallest copies are of one lot', () => {
  const scenario = copying();
  scenario.enable();
  const [follower] = scenario.followers as [string, string];
  for (const [side, size, held] of [
    ['buy', 2, 1],
    ['buy', 2, 2],
    ['sell', 2, 1],
    ['sell', 1, 1],
    ['sell', 1, 0],
  ] as const) {
    scenario.place(side, size);
    assert.equal(scenario.held(follower), held, `${side} ${size}`);
  }
  const refused = [...scenario.orders.values()].filter(({ status }) => status !== 'filled');
  assert.deepEqual(refused, [], 'a copy of nothing is not placed');
});

test('a new group has no stop to clean up; a follower that leaves is stopped, and those that stay are not', () => {
  const scenario = copying();
  const configId = scenario.enable();
  const [staying, leaving] = scenario.followers as [string, string];
  const [group] = scenario.exchange.openState().copyGroups;
  assert.deepEqual([group!.stopCleanupPending, group!.stoppedAt], [false, null]);
  scenario.to(5).enable({ configId, targets: [{ accountId: staying, multiplierBps: 10_000 }] });
  assert.equal(scenario.account(staying).copyStop, null);
  assert.deepEqual(scenario.account(leaving).copyStop, {
    ...{ stoppedAt: 5, completedAt: 5, acknowledgedAt: null },
    reason: 'removed',
  });
});

test('a group enabled during a lead’s position copies everything added since it opened at the next add', () => {
  const scenario = copying();
  scenario.place('buy', 10);
  scenario.enable();
  assert.equal(scenario.held(scenario.followers[0]!), 0);
  scenario.place('sell', 4, { reduceOnly: true });
  scenario.place('buy', 2);
  assert.equal(scenario.held(scenario.followers[0]!), 6);
});

test('a copied entry counts as copied, even if it closes an opposite position of the follower', () => {
  const scenario = copying();
  const [follower] = scenario.followers as [string, string];
  scenario.done({ ...scenario.order('sell', 3), accountId: follower });
  scenario.enable();
  scenario.place('buy', 10);
  assert.equal(scenario.held(follower), 2);
  scenario.place('buy', 2);
  assert.equal(scenario.held(follower), 3);
});

test('copies are market orders of the group; a flip is copied as a close and an entry', () => {
  const scenario = copying();
  const configId = scenario.enable();
  scenario.place('sell', 10);
  scenario.place('buy', 30);
  assert.deepEqual(
    scenario
      .copies()
      .map(({ mode, side, size, reduceOnly, status, copyConfigId }) => [
        mode,
        side,
        size,
        reduceOnly,
        status,
        copyConfigId,
      ]),
    [
      ['market', 'sell', 5, false, 'filled', configId],
      ['market', 'buy', 5, true, 'filled', configId],
      ['market', 'buy', 10, false, 'filled', configId],
    ],
  );
});

test('maker fills and forced fills of the lead are copied', () => {
  const scenario = new Copying(
    [flat(0, 100), { time: 1, print: [97, 500], aggressor: 'sell' }, flat(1_000, 60), flat(2_000, 60)],
    { plan: 'prime' },
  ).to(0) as Copying;
  scenario.enable();
  scenario.place('buy', 100, { limitPrice: 98 });
  scenario.to(1);
  assert.equal(scenario.held(scenario.followers[0]!), 50);
  scenario.to(1_000);
  assert.equal(scenario.account().status, 'failed');
  assert.deepEqual([scenario.held(scenario.accountId), scenario.held(scenario.followers[0]!)], [0, 0]);
  assert.equal(scenario.copies().at(-1)!.status, 'filled');
  assert.equal(scenario.refused(scenario.save([{}])).ruleId, 'account-not-active', 'it leads nobody from then on');
});

test('a copy is reduced to what the follower’s rules and the book allow, or rejected under the follower’s rule', () => {
  const scenario = copying();
  const [first, second] = scenario.followers as [string, string];
  const restrict = (accountId: string, change: (policy: Policy) => void) => {
    const policy = structuredClone(scenario.account(accountId).policy);
    change(policy);
    scenario.done({ kind: 'set_policy', accountId, policy });
  };
  restrict(first, (policy) => Object.assign(policy.limits, { maxPositionValueUsd: 1_050 }));
  restrict(second, (policy) =>
    Object.assign(policy, { restriction: { restriction: 'reduce_only', reason: 'test', flaggedAt: 0 } }),
  );
  scenario.enable();
  scenario.place('buy', 100);
  assert.equal(scenario.held(first), 10);
  assert.equal(scenario.held(second), 0);
  const [rejected] = scenario.copies(second);
  assert.deepEqual([rejected!.status, rejected!.rejectRuleId, rejected!.size], ['rejected', 'account-restriction', 50]);

  const thin = copying({}, [{ time: 0, bids: [[99, 1_000]], asks: [[101, 30]] }]);
  thin.enable({ targets: thin.followers.map((accountId) => ({ accountId, multiplierBps: 20_000 })) });
  thin.place('buy', 20);
  thin.place('buy', 10);
  assert.equal(thin.held(thin.followers[0]!), 30);
});

test('a copy refused by a cooldown leaves no record, and the next one makes up for it', () => {
  const scenario = copying();
  const [follower] = scenario.followers as [string];
  const policy = structuredClone(scenario.accounts.get(follower)!.policy);
  policy.limits.orderCooldownMs = 500;
  scenario.done({ kind: 'set_policy', accountId: follower, policy });
  scenario.enable({ targets: [{ accountId: follower, multiplierBps: 10_000 }] });
  scenario.place('buy', 10);
  scenario.to(100).place('buy', 10);
  assert.equal(scenario.held(follower), 5);
  scenario.to(700).place('buy', 10);
  assert.equal(scenario.held(follower), 15);
  const explained = scenario.explanations.filter(({ kind }) => kind === 'copied').map(({ orderId }) => orderId);
  assert.deepEqual(
    explained,
    scenario.copies(follower).map(({ id }) => id),
  );
});

test('an enabled follower can’t trade by itself; canceling a copy is refused', () => {
  const scenario = copying({
    policy: (policy) => void Object.assign(policy.limits, { executionDelayMinMs: 50, executionDelayMaxMs: 50 }),
  });
  const accountId = scenario.followers[0]!;
  const own = scenario.place('buy', 1, { accountId, limitPrice: 90 });
  scenario.to(60);
  scenario.enable();
  assert.equal(scenario.ruleAgainst('buy', 1, { accountId }), 'copy-follower-locked');
  const amend = { kind: 'amend_order', orderId: own.id, price: 91, size: null } as const;
  assert.equal(scenario.refused(amend).ruleId, 'copy-follower-locked');
  scenario.place('buy', 10);
  scenario.to(110);
  const [copy] = scenario.copies();
  assert.equal(copy!.status, 'pending');
  assert.equal(scenario.refused({ kind: 'cancel_order', orderId: copy!.id }).code, 'copy_managed');
  scenario.to(160);
  assert.equal(scenario.held(accountId), 5);
  const bulk = scenario.done({ kind: 'start_bulk', operation: 'close_all_positions', accountId }).operation!;
  assert.deepEqual(
    bulk.results.map(({ status, ruleId }) => [status, ruleId]),
    [['failed', 'copy-follower-locked']],
  );
  scenario.done({ kind: 'cancel_order', orderId: own.id });
});

test('disabling cancels pending copies, keeps positions, and records a completed stop to acknowledge', () => {
  const scenario = copying({
    policy: (policy) => void Object.assign(policy.limits, { executionDelayMinMs: 50, executionDelayMaxMs: 50 }),
  });
  const [accountId] = scenario.followers as [string];
  const configId = scenario.enable();
  scenario.place('buy', 10);
  scenario.to(100);
  scenario.place('buy', 10);
  scenario.to(160);
  assert.equal(scenario.copies()[1]!.status, 'pending');
  scenario.done({ kind: 'disable_copy_group', owner: 'somebody', environment: 'live', configId });
  assert.equal(scenario.copies()[1]!.status, 'canceled');
  assert.equal(scenario.held(accountId), 5);
  assert.deepEqual(scenario.account(accountId).copyStop, {
    stoppedAt: 160,
    completedAt: 160,
    acknowledgedAt: null,
    reason: 'disabled',
  });
  const acknowledge = (stoppedAt: number) => scenario.done({ kind: 'acknowledge_copy_stop', accountId, stoppedAt });
  acknowledge(159);
  assert.equal(scenario.account(accountId).copyStop!.acknowledgedAt, null);
  acknowledge(160);
  assert.equal(scenario.account(accountId).copyStop!.acknowledgedAt, 160);
  scenario.place('sell', 1, { accountId });
});

test('groups are saved all or nothing, under the rules of membership', () => {
  const scenario = copying();
  const [first, second] = scenario.followers as [string, string];
  const lead = scenario.accountId;
  const one = (accountId: string) => [{ accountId, multiplierBps: 10_000 }];
  const configId = scenario.enable({ targets: one(first) });
  const table: [Partial<Group>[], string[], string][] = [
    [[{ targets: one(second) }], [], 'copy-membership'],
    [[{ sourceAccountId: second, targets: one(lead) }], [], 'copy-membership'],
    [[{ sourceAccountId: second, targets: one(second) }], [], 'copy-self'],
    [[{ enabled: false, targets: [...one(second), ...one(second)] }], [], 'copy-membership'],
    [[{ configId, sourceAccountId: second, targets: one(first) }], [], 'copy-group-enabled'],
    [[], [configId], 'copy-group-enabled'],
    [[{ sourceAccountId: second, targets: [] }], [], 'copy-targets'],
    [[{ enabled: false, sourceAccountId: 'acc_nobody' }], [], 'not_found'],
    [[{ configId: 'cpy_nothing' }], [], 'not_found'],
    [[], ['cpy_nothing'], 'not_found'],
    [
      [{ enabled: false, sourceAccountId: second, targets: one(first) }, { targets: one(second) }],
      [],
      'copy-membership',
    ],
  ];
  const before = scenario.exchange.stateHash();
  for (const [groups, deleted, code] of table) {
    const refused = scenario.refused(scenario.save(groups, deleted));
    assert.equal(refused.ruleId ?? refused.code, code);
    assert.equal(scenario.exchange.stateHash(), before, code);
  }
  scenario.done(scenario.save([{ configId, enabled: false, targets: one(first) }]));
  scenario.done(scenario.save([{ sourceAccountId: second, targets: one(first) }], [configId]));
  assert.equal(scenario.exchange.openState().copyGroups.length, 1);
});

const fillSize = fc.integer({ min: -60, max: 60 }).filter((size) => size !== 0);

test('however the lead trades, an unrestricted follower has the floored ratio of what the lead added; restarts change nothing', () => {
  fc.assert(
    fc.property(
      fc.array(fillSize, { maxLength: 12 }),
      fc.integer({ min: 1_000, max: 20_000 }),
      fc.nat(11),
      (fills, multiplierBps, restartAt) => {
        const script = fills.map((_, at) => flat(at * 1_000, 100, 1_000 + at));
        const run = (restart: number) => {
          const scenario = copying(
            { policy: (policy) => void Object.assign(policy.limits, { minOrderNotionalUsd: 0 }) },
            [flat(0, 100), ...script],
          );
          scenario.enable({ targets: [{ accountId: scenario.followers[0]!, multiplierBps }] });
          for (const [at, size] of fills.entries()) {
            scenario.to(at * 1_000);
            scenario.place(size > 0 ? 'buy' : 'sell', Math.abs(size));
            if (at === restart)
              scenario.exchange = new Exchange(scenario.source, scenario.exchange.openState(), noRates);
            const lead = scenario.held(scenario.accountId);
            const follower = scenario.held(scenario.followers[0]!);
            if (lead === 0) assert.equal(follower, 0);
            else assert.ok(follower === 0 || Math.sign(follower) === Math.sign(lead));
          }
          return scenario;
        };
        const scenario = run(-1);
        assert.equal(run(restartAt).exchange.stateHash(), scenario.exchange.stateHash());
        const [group] = scenario.exchange.openState().copyGroups;
        for (const { leadAdded, copied } of group!.progress) {
          assert.equal(copied, Math.floor((leadAdded * multiplierBps * 50_000) / (100_000 * 10_000)));
        }
      },
    ),
    { numRuns: process.env.PERP_LONG ? 1_000 : 20, endOnFailure: true },
  );
});

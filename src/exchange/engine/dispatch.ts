import { tradingDayStart } from '../../base/terms/day.ts';
import { toMoney } from '../../base/terms/decimal.ts';
import { setIsolatedMargin } from './accounts/margin.ts';
import type { Command, FundAccount, OpenAccount, Outcome, Refused, SetHalt, SetPolicy } from './commands.ts';
import { acknowledgeCopyStop, disableCopyGroup, saveCopyGroups } from './copy/copy-groups.ts';
import { defaultPolicy } from './defaults.ts';
import { updateAttachedExits } from './exits/exits.ts';
import { replaceExits } from './exits/replace-exits.ts';
import type { Account, Money } from './model.ts';
import { followsVenue } from './observed.ts';
import { amendOrder } from './order-handling/amend-order.ts';
import { cancelOrder, closePosition, continueBulk, startBulk } from './order-handling/bulk.ts';
import { placeOrder } from './order-handling/place-order.ts';
import { awaitTrigger, isArmed } from './orders/working-orders.ts';
import { book } from './positions/positions.ts';
import { followerLock } from './rules/rules.ts';
import { cancelScaled, placeScaled } from './strategies/scaled.ts';
import { cancelTwap, placeTwap } from './strategies/twap.ts';
import { conflict, notFound, refusal } from './violation.ts';
import { idOf, nextSequence, noteChange, touchAccount, touchOrder, triggersOf, type World } from './world/world.ts';

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** The handler of each command. */
const handlers: {
  readonly [Kind in Command['kind']]: (world: World, command: CommandOf<Kind>) => Outcome;
} = {
  open_account: openAccount,
  place_order: placeOrder,
  amend_order: amendOrder,
  cancel_order: cancelOrder,
  close_position: closePosition,
  update_attached_exits: updateAttachedExits,
  replace_exits: replaceExits,
  set_isolated_margin: setIsolatedMargin,
  place_twap: placeTwap,
  cancel_twap: cancelTwap,
  place_scaled: placeScaled,
  cancel_scaled: cancelScaled,
  start_bulk: startBulk,
  continue_bulk: continueBulk,
  save_copy_groups: saveCopyGroups,
  disable_copy_group: disableCopyGroup,
  acknowledge_copy_stop: acknowledgeCopyStop,
  set_policy: setPolicy,
  set_halt: setHalt,
  fund_account: fundAccount,
};

/** The account whose orders, exits or margin a command changes, except for placing an order. */
function accountChangedBy(world: World, command: Command): string | undefined {
  switch (command.kind) {
    case 'amend_order':
    case 'update_attached_exits':
      return world.orders.get(command.orderId)?.accountId;
    case 'replace_exits':
    case 'set_isolated_margin':
      return world.positions.get(command.positionId)?.accountId;
    default:
      return undefined;
  }
}

/** The refusal that {@link followerLock} means for a command without an order. */
function refuseFollower(world: World, accountId: string | undefined): Refused | null {
  const locked = accountId === undefined ? null : followerLock(world, accountId);
  return locked === null ? null : refusal(locked);
}

/** Carries out one command. */
export function carryOut(world: World, command: Command): Outcome {
  if (world.copyRoles.followers.size > 0) {
    const locked = refuseFollower(world, accountChangedBy(world, command));
    if (locked !== null) return locked;
  }
  const handler = handlers[command.kind] as (world: World, command: Command) => Outcome;
  return handler(world, command);
}

/**
 * Replaces an account's policy, for practice (`perp sim policy`). Armed orders then wait for the price that it names.
 */
function setPolicy(world: World, { accountId, policy }: SetPolicy): Outcome {
  const portfolio = world.portfolios.get(accountId);
  if (portfolio === undefined) return notFound('account', accountId);
  const { account, orders } = portfolio;
  const armed = [...orders.values()].filter(isArmed);
  const before = new Map(armed.map((order) => [order, triggersOf(world, order)]));
  const followedVenue = followsVenue(account.policy);
  account.policy = structuredClone(policy);
  touchAccount(world, account);
  if (followsVenue(policy) !== followedVenue) {
    for (const twap of world.twaps.values()) if (twap.accountId === accountId) world.twapWatch.changed.add(twap.id);
  }
  for (const [order, triggers] of before) {
    if (triggersOf(world, order) === triggers) continue;
    triggers.remove(order);
    awaitTrigger(world, order);
    touchOrder(world, order);
  }
  return { ok: true, account };
}

/** The initial values of a new account; the rest follows from the current time. */
type Opening = Pick<Account, 'name' | 'owner' | 'environment' | 'stage' | 'plan' | 'policy'>;

/** Opens an account and books its starting balance. */
function openAccount(world: World, command: OpenAccount): Outcome {
  const { name, owner, environment, plan, startingBalance } = command;
  const opening: Opening = { name, owner, environment, stage: 'evaluation', plan, policy: defaultPolicy() };
  return { ok: true, account: open(world, opening, toMoney(startingBalance)) };
}

/**
 * Creates the funded successor of a passed account: the same plan without a target, and a new balance (simulation 6.1).
 */
function fundAccount(world: World, command: FundAccount): Outcome {
  const passed = world.portfolios.get(command.accountId)?.account;
  if (passed === undefined) return notFound('account', command.accountId);
  if (passed.status !== 'passed') return conflict(`Only a passed account can be funded; this one is ${passed.status}.`);
  if (passed.successorId !== null) return conflict(`The account is already funded, as ${passed.successorId}.`);
  const { name, owner, environment, policy } = passed;
  const plan = { ...passed.plan, profitTargetPct: null };
  const opening: Opening = { name, owner, environment, stage: 'funded', plan, policy: structuredClone(policy) };
  const account = open(world, opening, passed.startingBalance);
  passed.successorId = account.id;
  touchAccount(world, passed);
  return { ok: true, account };
}

/** Halts or resumes trading on the platform or in categories. */
function setHalt(world: World, command: SetHalt): Outcome {
  world.halt.platform = command.platform;
  world.halt.categories = [...new Set(command.categories)].sort();
  world.changes.halt = { platform: command.platform, categories: world.halt.categories };
  noteChange(world);
  return { ok: true };
}

function open(world: World, opening: Opening, startingBalance: Money): Account {
  const sequence = nextSequence(world);
  const account: Account = {
    ...opening,
    id: idOf('acc', sequence),
    number: `P-${String(100_000 + world.portfolios.size + 1)}`,
    status: 'active',
    startingBalance,
    balance: 0n,
    createdAt: world.now,
    dayStartEquity: startingBalance,
    dayStartedAt: tradingDayStart(world.now),
    tradingDays: 0,
    lastTradingDay: null,
    trades: { minute: 0, minuteCount: 0, hour: 0, hourCount: 0, day: 0, dayCount: 0 },
    lastOrderAt: null,
    copyStop: null,
    breachRuleId: null,
    endedAt: null,
    endedEquity: null,
    endedBound: null,
    successorId: null,
  };
  world.portfolios.set(account.id, { account, orders: new Map(), positions: new Map() });
  touchAccount(world, account);
  book(world, account, 'deposit', startingBalance);
  return account;
}

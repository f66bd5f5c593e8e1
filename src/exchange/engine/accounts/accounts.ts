import { tradingDayStart } from '../../../base/terms/day.ts';
import { toMoney } from '../../../base/terms/decimal.ts';
import type { FundAccount, OpenAccount, Outcome, SetHalt } from '../commands.ts';
import { defaultPolicy } from '../defaults.ts';
import type { Account, Money } from '../model.ts';
import { book } from '../positions/positions.ts';
import { conflict, notFound } from '../violation.ts';
import { idOf, nextSequence, noteChange, touchAccount, type World } from '../world/world.ts';

/** The initial values of a new account; the rest follows from the current time. */
type Opening = Pick<Account, 'name' | 'owner' | 'environment' | 'stage' | 'plan' | 'policy'>;

/** Opens an account and books its starting balance. */
export function openAccount(world: World, command: OpenAccount): Outcome {
  const { name, owner, environment, plan, startingBalance } = command;
  const opening: Opening = { name, owner, environment, stage: 'evaluation', plan, policy: defaultPolicy() };
  return { ok: true, account: open(world, opening, toMoney(startingBalance)) };
}

/**
 * Creates the funded successor of a passed account: the same plan without a target, and a new balance (simulation 6.1).
 */
export function fundAccount(world: World, command: FundAccount): Outcome {
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
export function setHalt(world: World, command: SetHalt): Outcome {
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

import { limitNames } from '../../base/terms/plans.ts';
import type { OpenState } from '../../exchange/engine/commands.ts';
import type { RiskSnapshot } from '../../exchange/engine/exchange.ts';
import type { Account, Money, Ms, Policy } from '../../exchange/engine/model.ts';
import { nothingObserved } from '../../exchange/engine/observed.ts';
import {
  AccountRisk,
  AccountTradingPolicy,
  TradingPolicyCompetition,
  TradingPolicyCopyStop,
  TradingPolicyHalt,
  TradingPolicyRestriction,
  Account as WireAccount,
} from '../../wire/contract/accounts.ts';
import { ObservedBehavior, type SimulationStatus } from '../../wire/contract/simulation.ts';
import { usd, wireForm } from './wire-form.ts';

/** The percentage shown for a rule that the plan doesn't have. It doesn't mean that no loss is allowed. */
const noRule = 0;

/** An account with its risk, in wire form. */
export function presentAccount(account: Readonly<Account>, risk: RiskSnapshot): WireAccount {
  const { plan, number } = account;
  const requirements = {
    daily_loss_pct: plan.dailyLossPct ?? noRule,
    max_drawdown_pct: plan.maxDrawdownPct ?? noRule,
    profit_target_pct: plan.profitTargetPct ?? noRule,
    consistency_pct: plan.consistencyPct,
    minimum_trading_days: plan.minimumTradingDays,
  };
  const shown = wireForm(AccountRisk, risk, { missing_markets: [...risk.missingMarkets], requirements });
  return wireForm(WireAccount, account, { account_number: number, risk: shown });
}

/** How an account ended, in the form of the simulation's status. */
export function presentEnding(account: Readonly<Account>): SimulationStatus['ended_accounts'][number] {
  return {
    account_id: account.id,
    name: account.name,
    status: account.status as 'passed' | 'failed' | 'closed',
    rule_id: account.breachRuleId,
    ended_at: account.endedAt,
    equity: usdOrNull(account.endedEquity),
    bound: usdOrNull(account.endedBound),
  };
}

function usdOrNull(money: Money | null): number | null {
  return money === null ? null : usd(money);
}

/** The inputs to a policy besides its account. */
interface PolicySituation {
  observedAt: Ms;
  halt: OpenState['halt'];
  /** An enabled copy group trades this account. */
  isFollower: boolean;
}

/** An account's effective policy, in wire form. */
export function presentPolicy(
  account: Account,
  { observedAt, halt, isFollower }: PolicySituation,
): AccountTradingPolicy {
  const { policy, copyStop, status, id } = account;
  const { competition, restriction } = policy;
  const isActive = status === 'active';
  const takesNoExposure = !isActive || restriction !== null || competition?.openingExposureRestricted === true;
  return wireForm(
    AccountTradingPolicy,
    { ...account, ...policy },
    {
      account_id: id,
      observed_at: observedAt,
      advisory: true,
      manual_trading_blocked: isFollower,
      opening_exposure_restricted: takesNoExposure || policy.payoutPending || halt.platform,
      copy_follower_locked: isFollower,
      copy_scope_blocked: !isActive,
      restriction: restriction && wireForm(TradingPolicyRestriction, restriction, {}),
      copy_stop: copyStop && wireForm(TradingPolicyCopyStop, copyStop, {}),
      competition: competition && wireForm(TradingPolicyCompetition, competition, {}),
      trading_halt: wireForm(TradingPolicyHalt, halt, {}),
      limits: Object.fromEntries(
        limitNames.map(([wireName, name]) => [wireName, policy.limits[name]]),
      ) as AccountTradingPolicy['limits'],
      slippage_tolerance_bps: {
        min: policy.slippageMinBps,
        max: policy.slippageMaxBps,
        market_order_maximum_by_provider: policy.marketOrderMaximumBpsByProvider,
      },
      account_rules: accountRules(account),
    },
  );
}

function accountRules({ plan }: Account): AccountTradingPolicy['account_rules'] {
  const rules = [
    { id: 'profit-target', pct: plan.profitTargetPct },
    { id: 'daily-loss', pct: plan.dailyLossPct },
    { id: 'maximum-drawdown', pct: plan.maxDrawdownPct },
  ];
  return rules.map(({ id, pct }) => ({ id, parameters: { pct: pct ?? noRule } }));
}

/** A policy's observed behavior in wire form; a state of an older version lacks some of it. */
export function presentObserved({ observed }: Policy): ObservedBehavior {
  return wireForm(ObservedBehavior, { ...nothingObserved, ...observed }, {});
}

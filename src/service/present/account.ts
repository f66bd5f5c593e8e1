import { limitNames } from '../../base/terms/plans.ts';
import type { OpenState } from '../../exchange/engine/commands.ts';
import type { RiskSnapshot } from '../../exchange/engine/exchange.ts';
import type { Account, Money, Ms, Policy } from '../../exchange/engine/model.ts';
import { observedOf } from '../../exchange/engine/observed.ts';
import type { AccountTradingPolicy, Account as WireAccount } from '../../wire/contract/accounts.ts';
import type { ObservedBehavior, SimulationStatus } from '../../wire/contract/simulation.ts';
import { usd } from './numbers.ts';

/** The percentage shown for a rule that the plan doesn't have. It doesn't mean that no loss is allowed. */
const noRule = 0;

/** An account with its risk, in wire form (contract: Account). */
export function presentAccount(account: Readonly<Account>, risk: RiskSnapshot): WireAccount {
  const { plan } = account;
  return {
    id: account.id,
    account_number: account.number,
    name: account.name,
    stage: account.stage,
    status: account.status,
    starting_balance: usd(account.startingBalance),
    balance: usd(account.balance),
    created_at: account.createdAt,
    risk: {
      observed_at: risk.observedAt,
      marks_complete: risk.marksComplete,
      missing_markets: [...risk.missingMarkets],
      equity: usdOrNull(risk.equity),
      unrealized_pnl: usdOrNull(risk.unrealizedPnl),
      margin_used: usd(risk.marginUsed),
      available_balance: usd(risk.availableBalance),
      gross_exposure: usdOrNull(risk.grossExposure),
      daily_loss_floor: usdOrNull(risk.dailyLossFloor),
      max_drawdown_floor: usdOrNull(risk.maxDrawdownFloor),
      daily_loss_room: usdOrNull(risk.dailyLossRoom),
      max_drawdown_room: usdOrNull(risk.maxDrawdownRoom),
      remaining_profit: usdOrNull(risk.remainingProfit),
      requirements: {
        daily_loss_pct: plan.dailyLossPct ?? noRule,
        max_drawdown_pct: plan.maxDrawdownPct ?? noRule,
        profit_target_pct: plan.profitTargetPct ?? noRule,
        consistency_pct: plan.consistencyPct,
        minimum_trading_days: plan.minimumTradingDays,
      },
    },
  };
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

/** An account's effective policy, in wire form (contract: AccountTradingPolicy). */
export function presentPolicy(
  account: Account,
  { observedAt, halt, isFollower }: PolicySituation,
): AccountTradingPolicy {
  const { policy, copyStop, status } = account;
  const { competition, restriction } = policy;
  const isActive = status === 'active';
  const takesNoExposure = !isActive || restriction !== null || competition?.openingExposureRestricted === true;
  return {
    account_id: account.id,
    observed_at: observedAt,
    advisory: true,
    status,
    stage: account.stage,
    manual_trading_blocked: isFollower,
    opening_exposure_restricted: takesNoExposure || policy.payoutPending || halt.platform,
    payout_pending: policy.payoutPending,
    copy_follower_locked: isFollower,
    copy_scope_blocked: !isActive,
    fee_exempt: policy.feeExempt,
    restriction:
      restriction === null
        ? null
        : { restriction: restriction.restriction, reason: restriction.reason, flagged_at: restriction.flaggedAt },
    copy_stop:
      copyStop === null
        ? null
        : {
            stopped_at: copyStop.stoppedAt,
            completed_at: copyStop.completedAt,
            acknowledged_at: copyStop.acknowledgedAt,
            reason: copyStop.reason,
          },
    competition:
      competition === null
        ? null
        : {
            opening_exposure_restricted: competition.openingExposureRestricted,
            market_allowlist: competition.marketAllowlist,
          },
    trading_halt: { platform: halt.platform, categories: halt.categories },
    limits: Object.fromEntries(
      limitNames.map(([wireName, name]) => [wireName, policy.limits[name]]),
    ) as AccountTradingPolicy['limits'],
    unlimited_trade_count_threshold: policy.unlimitedTradeCountThreshold,
    slippage_tolerance_bps: {
      min: policy.slippageMinBps,
      max: policy.slippageMaxBps,
      market_order_maximum_by_provider: policy.marketOrderMaximumBpsByProvider,
    },
    account_rules: accountRules(account),
    maximum_total_notional_usd: policy.maximumTotalNotionalUsd,
  };
}

function accountRules({ plan }: Account): AccountTradingPolicy['account_rules'] {
  const rules = [
    { id: 'profit-target', pct: plan.profitTargetPct },
    { id: 'daily-loss', pct: plan.dailyLossPct },
    { id: 'maximum-drawdown', pct: plan.maxDrawdownPct },
  ];
  return rules.map(({ id, pct }) => ({ id, parameters: { pct: pct ?? noRule } }));
}

/** A policy's observed behavior in wire form (contract: ObservedBehavior). */
export function presentObserved(policy: Policy): ObservedBehavior {
  const observed = observedOf(policy);
  return {
    exposure_cap_usd: observed.exposureCapUsd,
    slippage_caps: observed.slippageCaps,
    stop_price: observed.stopPrice ?? 'mark',
    marks: observed.marks ?? 'book',
    fx_at_mark: observed.fxAtMark,
    open_interest_usd: observed.openInterestUsd,
    worst_price_is_estimate: observed.worstPriceIsEstimate,
    order_list_needs_filter: observed.orderListNeedsFilter,
    side_alone_is_plain_quote: observed.sideAloneIsPlainQuote ?? false,
    pings_keep_stream: observed.pingsKeepStream ?? false,
  };
}

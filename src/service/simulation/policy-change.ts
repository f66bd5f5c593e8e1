import { limitNames } from '../../base/terms/plans.ts';
import { defaultPolicy } from '../../exchange/engine/defaults.ts';
import type { Limits, Ms, Policy } from '../../exchange/engine/model.ts';
import { type ObservedBehavior, observedOf } from '../../exchange/engine/observed.ts';
import type { ValidationIssue } from '../../wire/contract/errors.ts';
import type { SetPolicyRequest } from '../../wire/contract/simulation.ts';

/** The observed behavior of the live service (simulation 6.3). Figures that it does not disclose are ours. */
const everythingObserved: ObservedBehavior = {
  exposureCapUsd: 250_000,
  slippageCaps: true,
  stopPrice: 'last',
  marks: 'book',
  fxAtMark: true,
  openInterestUsd: {
    'binance|BTCUSDT': 7_400_000_000,
    'binance|ETHUSDT': 4_800_000_000,
    'binance|SOLUSDT': 1_100_000_000,
    'binance|XRPUSDT': 600_000_000,
    'binance|DOGEUSDT': 300_000_000,
    'binance|BNBUSDT': 300_000_000,
    'binance|HYPEUSDT': 300_000_000,
  },
  worstPriceIsEstimate: true,
  orderListNeedsFilter: true,
  sideAloneIsPlainQuote: true,
  pingsKeepStream: true,
};

/** Orders are acknowledged first and settle a moment later, with a pause between orders. */
const observedLimits = {
  executionDelayMinMs: 300,
  executionDelayMaxMs: 1_500,
  orderCooldownMs: 1_000,
} as const satisfies Partial<Limits>;

/** The policy with all observed behavior, or with none of it; everything else is unchanged. */
function presetPolicy(policy: Policy, preset: 'observed' | 'default'): Policy {
  const { observed: _, ...rest } = policy;
  if (preset === 'observed') {
    return { ...rest, limits: { ...policy.limits, ...observedLimits }, observed: everythingObserved };
  }
  const { executionDelayMinMs, executionDelayMaxMs, orderCooldownMs } = defaultPolicy().limits;
  return { ...rest, limits: { ...policy.limits, executionDelayMinMs, executionDelayMaxMs, orderCooldownMs } };
}

/** The policy with the request's changes; the rest is unchanged. */
export function changedPolicy(present: Policy, change: SetPolicyRequest, now: Ms): Policy {
  const policy = change.preset === undefined ? present : presetPolicy(present, change.preset);
  return {
    limits: changedLimits(policy.limits, change.limits ?? {}),
    unlimitedTradeCountThreshold: change.unlimited_trade_count_threshold ?? policy.unlimitedTradeCountThreshold,
    slippageMinBps: change.slippage_min_bps ?? policy.slippageMinBps,
    slippageMaxBps: change.slippage_max_bps ?? policy.slippageMaxBps,
    marketOrderMaximumBpsByProvider: {
      ...policy.marketOrderMaximumBpsByProvider,
      ...change.market_order_maximum_bps_by_provider,
    },
    maximumTotalNotionalUsd: changed(policy.maximumTotalNotionalUsd, change.maximum_total_notional_usd),
    feeExempt: change.fee_exempt ?? policy.feeExempt,
    payoutPending: change.payout_pending ?? policy.payoutPending,
    restriction: changed(
      policy.restriction,
      change.restriction && { restriction: change.restriction, reason: 'Set for practice.', flaggedAt: now },
    ),
    competition: changed(
      policy.competition,
      change.competition && {
        openingExposureRestricted: change.competition.opening_exposure_restricted,
        marketAllowlist: change.competition.market_allowlist,
      },
    ),
    ...changedObserved(policy, change.observed),
  };
}

function changedObserved(policy: Policy, change: SetPolicyRequest['observed']): Pick<Policy, 'observed'> {
  if (change === undefined) return policy.observed === undefined ? {} : { observed: policy.observed };
  const present = observedOf(policy);
  const observed: ObservedBehavior = {
    exposureCapUsd: changed(present.exposureCapUsd, change.exposure_cap_usd),
    slippageCaps: change.slippage_caps ?? present.slippageCaps,
    stopPrice: change.stop_price ?? present.stopPrice ?? 'mark',
    marks: change.marks ?? present.marks ?? 'book',
    fxAtMark: change.fx_at_mark ?? present.fxAtMark,
    openInterestUsd: { ...(change.open_interest_usd ?? present.openInterestUsd) },
    worstPriceIsEstimate: change.worst_price_is_estimate ?? present.worstPriceIsEstimate,
    orderListNeedsFilter: change.order_list_needs_filter ?? present.orderListNeedsFilter,
    sideAloneIsPlainQuote: change.side_alone_is_plain_quote ?? present.sideAloneIsPlainQuote ?? false,
    pingsKeepStream: change.pings_keep_stream ?? present.pingsKeepStream ?? false,
  };
  return { observed };
}

function changedLimits(limits: Limits, change: NonNullable<SetPolicyRequest['limits']>): Limits {
  const changed = { ...limits };
  for (const [wireName, name] of limitNames) {
    const value = change[wireName];
    if (value !== undefined) changed[name] = value;
  }
  return changed;
}

/** Undefined: unchanged; null: removed. */
function changed<T>(present: T | null, change: T | null | undefined): T | null {
  return change === undefined ? present : change;
}

/** The largest ratio or fee, in bps. */
const wholeBps = 10_000;
const longestDelayMs = 24 * 3_600_000;

/** Conditions that the exchange requires of a policy, by wire name. */
export function policyIssues({ limits, slippageMinBps, slippageMaxBps }: Policy): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const expect = (isMet: boolean, field: string, issue: string) => {
    if (!isMet) issues.push({ field, issue });
  };
  for (const [wireName, name] of limitNames) {
    const isShare = wireName.endsWith('_bps');
    const isAmount = wireName.endsWith('_usd');
    const value = limits[name];
    if (isShare)
      expect(
        value < wholeBps && Number.isInteger(value * 100),
        `limits.${wireName}`,
        'must be below 10000, with at most two decimals',
      );
    else if (!isAmount) expect(Number.isSafeInteger(value), `limits.${wireName}`, 'must be a whole number');
  }
  const { executionDelayMinMs, executionDelayMaxMs } = limits;
  expect(executionDelayMaxMs <= longestDelayMs, 'limits.execution_delay_max_ms', 'must be at most one day');
  expect(
    executionDelayMinMs <= executionDelayMaxMs,
    'limits.execution_delay_min_ms',
    'must not be above execution_delay_max_ms',
  );
  expect(slippageMinBps <= slippageMaxBps, 'slippage_min_bps', 'must not be above slippage_max_bps');
  return issues;
}

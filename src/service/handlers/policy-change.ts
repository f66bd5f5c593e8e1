import { limitNames } from '../../base/terms/plans.ts';
import { defaultPolicy } from '../../exchange/engine/defaults.ts';
import type { Limits, Ms, Policy } from '../../exchange/engine/model.ts';
import { nothingObserved, type ObservedBehavior } from '../../exchange/engine/observed.ts';
import type { ValidationIssue } from '../../wire/contract/errors.ts';
import type { SetPolicyRequest } from '../../wire/contract/simulation.ts';
import { given } from '../present/wire-form.ts';

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

/** The policy with the request's changes; the rest is unchanged, and null removes. */
export function changedPolicy(present: Policy, change: SetPolicyRequest, now: Ms): Policy {
  const policy = change.preset === undefined ? present : presetPolicy(present, change.preset);
  const {
    account_id: _account,
    preset: _preset,
    trading_halt: _halt,
    limits = {},
    market_order_maximum_bps_by_provider: maximums,
    restriction = policy.restriction,
    competition,
    observed,
    ...plain
  } = change;
  return {
    ...policy,
    ...given(plain),
    limits: changedLimits(policy.limits, limits),
    marketOrderMaximumBpsByProvider: { ...policy.marketOrderMaximumBpsByProvider, ...maximums },
    restriction:
      typeof restriction === 'string' ? { restriction, reason: 'Set for practice.', flaggedAt: now } : restriction,
    competition: competition === undefined ? policy.competition : competition && given(competition),
    ...(observed !== undefined && { observed: { ...nothingObserved, ...policy.observed, ...given(observed) } }),
  };
}

function changedLimits(limits: Limits, change: NonNullable<SetPolicyRequest['limits']>): Limits {
  const changed = { ...limits };
  for (const [wireName, name] of limitNames) {
    const value = change[wireName];
    if (value !== undefined) changed[name] = value;
  }
  return changed;
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

import { defaultPolicy } from '../engine/defaults.ts';
import type { Limits, Policy } from '../engine/model.ts';
import type { ObservedBehavior } from '../engine/observed.ts';

/** The observed behavior of the live service (simulation 6.3). Figures that it does not disclose are ours. */
const everythingObserved: ObservedBehavior = {
  exposureCapUsd: 250_000,
  slippageCaps: true,
  stopPrice: 'last',
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
export function presetPolicy(policy: Policy, preset: 'observed' | 'default'): Policy {
  const { observed: _, ...rest } = policy;
  if (preset === 'observed') {
    return { ...rest, limits: { ...policy.limits, ...observedLimits }, observed: everythingObserved };
  }
  const { executionDelayMinMs, executionDelayMaxMs, orderCooldownMs } = defaultPolicy().limits;
  return { ...rest, limits: { ...policy.limits, executionDelayMinMs, executionDelayMaxMs, orderCooldownMs } };
}

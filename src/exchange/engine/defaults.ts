import { carryBpsPerDay, planRules } from '../../base/terms/plans.ts';
import { providers } from '../../base/terms/venues.ts';
import type { Plan, Policy } from './model.ts';

/** Rates of the simulation that are not in an account's policy (simulation 5.6). */
export interface Rates {
  /** Fee of a fill in bps of its notional, the same for maker and taker, by market category. */
  readonly feeBps: Readonly<Record<string, number>>;
  /** Carry in bps of mark notional a day, by market category. */
  readonly carryBpsPerDay: Readonly<Record<string, number>>;
}

/** The default rates; other categories pay the rates of crypto. */
export const defaultRates: Rates = {
  feeBps: { crypto: 3, tradfi: 0.5, fx: 0.25 },
  carryBpsPerDay,
};

/** A category's rate in a table of {@link Rates}. */
export function rateOf(table: Readonly<Record<string, number>>, category: string): number {
  return table[category] ?? table.crypto ?? 0;
}

/** The challenge plans (simulation 6.1). */
export const plans: Readonly<Record<'select' | 'prime' | 'none', Plan>> = {
  select: plan('select'),
  prime: plan('prime'),
  none: plan('none'),
};

/** Default starting balance, USD. */
export const defaultStartingBalance = 100_000;

/** How long a venue's own mark or index counts after it came, ms (simulation 6.3). */
export const venueMarkStaleMs = 15_000;

/** A new policy with the default limits (simulation 6.2); each account has its own copy. */
export function defaultPolicy(): Policy {
  return {
    limits: {
      tradesPerMinute: 120,
      tradesPerHour: 2_000,
      tradesPerDay: 10_000,
      orderCooldownMs: 0,
      maxOpenPositions: 50,
      maxPositionValueUsd: 1_000_000,
      minOrderNotionalUsd: 10,
      executionDelayMinMs: 0,
      executionDelayMaxMs: 0,
      maxBookStalenessMs: 10_000,
      maintenanceMarginRatioBps: 100,
      liquidationFeeBps: 50,
      maxRestingOrders: 200,
      riskTouchWindowMs: 0,
    },
    unlimitedTradeCountThreshold: 0,
    slippageMinBps: 1,
    slippageMaxBps: 250,
    marketOrderMaximumBpsByProvider: Object.fromEntries(providers.map((provider) => [provider, 250])),
    maximumTotalNotionalUsd: null,
    feeExempt: false,
    payoutPending: false,
    restriction: null,
    competition: null,
  };
}

function plan(name: keyof typeof planRules): Plan {
  return { name, ...planRules[name], minimumTradingDays: 0, consistencyPct: null };
}

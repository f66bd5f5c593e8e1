/** The rules of a challenge in percent of the starting balance; null if it has no such rule (simulation 6.1). */
export const planRules = {
  select: { profitTargetPct: 9, dailyLossPct: 3, maxDrawdownPct: 3 },
  prime: { profitTargetPct: 12, dailyLossPct: 3, maxDrawdownPct: 5 },
  none: { profitTargetPct: null, dailyLossPct: null, maxDrawdownPct: null },
} as const;

/** The name of a plan. */
export type PlanName = keyof typeof planRules;

/** Carry of the simulation in bps of mark notional a day, by market category (simulation 5.6). */
export const carryBpsPerDay: Readonly<Record<string, number>> = { crypto: 3, tradfi: 1.5, fx: 0.5 };

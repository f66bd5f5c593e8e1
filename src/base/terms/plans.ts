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

/**
 * The limits of a trading policy: their names on the wire and in the exchange. A name on the wire, written with dashes,
 * is the id of its rule.
 */
const names = {
  trades_per_minute: 'tradesPerMinute',
  trades_per_hour: 'tradesPerHour',
  trades_per_day: 'tradesPerDay',
  order_cooldown_ms: 'orderCooldownMs',
  max_open_positions: 'maxOpenPositions',
  max_position_value_usd: 'maxPositionValueUsd',
  min_order_notional_usd: 'minOrderNotionalUsd',
  execution_delay_min_ms: 'executionDelayMinMs',
  execution_delay_max_ms: 'executionDelayMaxMs',
  max_book_staleness_ms: 'maxBookStalenessMs',
  maintenance_margin_ratio_bps: 'maintenanceMarginRatioBps',
  liquidation_fee_bps: 'liquidationFeeBps',
  max_resting_orders: 'maxRestingOrders',
  risk_touch_window_ms: 'riskTouchWindowMs',
} as const;

type WireLimit = keyof typeof names;
/** A limit by its name in the exchange. */
export type LimitName = (typeof names)[WireLimit];

/** Every limit, in the order of the wire. */
export const limitNames = Object.entries(names) as [WireLimit, LimitName][];
/** Every limit, by its name on the wire. */
export const wireLimits = limitNames.map(([wireName]) => wireName);

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

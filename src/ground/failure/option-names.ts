/** The option or argument that sets a wire field, if the name alone doesn't say it. */
const names: Readonly<Record<string, string>> = {
  account_id: '--account',
  chase_cap_price: '--chase-cap',
  duration_minutes: '--duration',
  end_price: '--to',
  gtd_expires_at: '--expires',
  margin_mode: '--margin',
  marketable_limit_acknowledged: '--cross-ok',
  price: 'the price',
  replace_overlapping_exits: '--replace-exits',
  rung_count: '--rungs',
  side: 'SIDE',
  size: 'SIZE',
  slice_interval_seconds: '--interval',
  slippage_tolerance_bps: '--slippage',
  start_price: '--from',
  stop_loss_price: '--stop-loss',
  take_profit_price: '--take-profit',
  target_position_id: '--target-position',
  time_in_force: '--tif',
  trigger_market_id: '--trigger-market',
};

const sameAsOption = new Set([
  'chase_offset',
  'client_order_id',
  'distribution',
  'expected_price',
  'leverage',
  'limit_price',
  'max_price',
  'min_price',
  'randomize',
  'reduce_only',
  'slippage_max_bps',
  'slippage_min_bps',
  'strategy',
  'trigger_direction',
  'trigger_price',
  'type',
  'unlimited_trade_count_threshold',
]);

/** The option or argument for a wire field; fields without one keep their name. */
export function optionOfField(field: string): string {
  // Each limit of a policy is an option of perp sim policy.
  if (field.startsWith('limits.')) return asFlag(field.slice('limits.'.length));
  return names[field] ?? (sameAsOption.has(field) ? asFlag(field) : field);
}

function asFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

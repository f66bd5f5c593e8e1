/**
 * The types of orders, and how each treats the fields that depend on the type: R required, o optional, - refused; L
 * only with a limit price, M only without one. The columns: limit_price, trigger_price; time_in_force, gtd_expires_at;
 * slippage_tolerance_bps; take_profit_price, stop_loss_price, replace_overlapping_exits; marketable_limit_acknowledged;
 * chase_offset, chase_cap_price; trigger_market_id, trigger_direction; target_position_id.
 */
export const orderTypes: Readonly<Record<string, string>> = {
  market: '--' + '--' + 'o' + 'ooo' + '-' + '--' + '--' + '-',
  limit: 'R-' + 'oo' + '-' + 'ooo' + 'o' + '--' + '--' + '-',
  chase: '--' + '--' + '-' + 'ooo' + '-' + 'oo' + '--' + '-',
  stop_market: '-R' + '--' + 'o' + 'ooo' + '-' + '--' + '--' + '-',
  stop_limit: 'RR' + 'oo' + '-' + 'ooo' + 'o' + '--' + '--' + '-',
  take_market: '-R' + '--' + 'o' + 'ooo' + '-' + '--' + '--' + '-',
  take_limit: 'RR' + 'oo' + '-' + 'ooo' + 'o' + '--' + '--' + '-',
  take_profit: '-R' + '--' + 'o' + '---' + '-' + '--' + '--' + 'o',
  conditional: 'oR' + 'LL' + 'M' + 'ooo' + 'L' + '--' + 'RR' + '-',
};

/** Options of the command line whose field has another name. */
const fields: Readonly<Record<string, string>> = {
  add: 'a second one',
  'cross-ok': 'time_in_force',
  expires: 'time_in_force',
  margin: 'margin_mode',
  'replace-exits': 'replace_overlapping_exits',
  size: 'size_base',
  slippage: 'slippage_tolerance_bps',
  'stop-loss': 'stop_loss_price',
  'take-profit': 'take_profit_price',
  tif: 'time_in_force',
};

/** Options of `perp mcp` itself. */
const own = new Set(['env', 'mandate', 'state']);

/** A sentence of the desk with the names that tools have for its options: `--stop-loss` is `stop_loss_price`. */
export function asFields(text: string): string {
  return text.replace(/--([a-z]+(?:-[a-z]+)*)/g, (flag, name: string) =>
    own.has(name) ? flag : (fields[name] ?? name.replaceAll('-', '_')),
  );
}

import type { Order } from '../../contract/orders.ts';
import type { Context } from '../context/context.ts';
import { noted, workingNow } from '../reading/prospects.ts';
import { coverOf } from '../risk/cover.ts';
import { quantity, word } from '../text/format.ts';
import { marketName } from '../text/market-name.ts';

/** After stops of an account have been canceled, notes what of its positions they leave without a stop. */
export async function noteUncovered(context: Context, account_id: string, canceled: readonly Order[]): Promise<void> {
  const markets = new Set(canceled.filter(mayBeStop).map(({ market_id }) => market_id));
  if (markets.size === 0) return;
  const reading = context.call('listOpenPositions', { query: { account_id } }).then(({ data }) => data);
  const [positions, working] = await Promise.all([
    noted(context, 'The positions', reading, []),
    workingNow(context, account_id),
  ]);
  if (working === undefined) return;
  const gone = new Set(canceled.map(({ id }) => id));
  const left = working.filter(({ id }) => !gone.has(id));
  for (const position of positions.filter(({ market_id }) => markets.has(market_id))) {
    const { uncovered } = coverOf(position, left);
    const name = `${word(position.side)} ${quantity(position.size)} ${marketName(position.market_id, position.symbol)}`;
    if (uncovered > 0) context.note(`${quantity(uncovered)} of ${name} has no stop now.`);
  }
}

function mayBeStop({ reduce_only, mode }: Order): boolean {
  return reduce_only && (mode === 'stop_market' || mode === 'stop_limit' || mode === 'conditional');
}

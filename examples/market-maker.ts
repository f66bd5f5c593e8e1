/**
 * A market maker: keeps one bid and one ask around the midpoint, moves them when the market moves, and leans them
 * against what it holds, so that it tends to come back to flat.
 *
 *   node examples/market-maker.ts
 */
import { type Bot, backtest, defineStrategy } from 'perp/strategy';

const market = 'ETH';
type Values = { size: number; halfSpreadBps: number; most: number; leanBps: number };

const maker = defineStrategy({
  name: 'market maker',
  markets: [market],
  pace: '1s',
  parameters: { size: 0.5, halfSpreadBps: 1.5, most: 3, leanBps: 0.5 },
  onTick(bot, { mid }) {
    if (mid === null) {
      bot.cancelAll(market);
      return;
    }
    const { halfSpreadBps, leanBps, size, most } = bot.parameters;
    const held = bot.position(market).size;
    const center = mid * (1 - ((held / size) * leanBps) / 10_000);
    keep(bot, 'buy', held < most ? center * (1 - halfSpreadBps / 10_000) : null);
    keep(bot, 'sell', held > -most ? center * (1 + halfSpreadBps / 10_000) : null);
  },
  end(bot) {
    bot.cancelAll();
    bot.close(market);
  },
});

/** One resting order on a side, at this price; none if it is null. */
function keep(bot: Bot<Values>, side: 'buy' | 'sell', price: number | null): void {
  const { roundPrice } = bot.market(market);
  const wanted = price === null ? null : roundPrice(price, side === 'buy' ? 'down' : 'up');
  const resting = bot.orders(market).filter((order) => order.side === side);
  for (const { id, clientId, price: at } of resting) {
    if (at === wanted) return;
    bot.cancel(clientId ?? id ?? '');
  }
  if (wanted !== null) bot.place({ market, side, size: bot.parameters.size, price: wanted, postOnly: true });
}

export default maker;

if (import.meta.main) {
  const from = Date.UTC(2026, 5, 10, 14);
  const { account, fills } = await backtest(maker, { from, to: from + 3_600_000, plan: 'none' });
  console.log(`${fills.length} fills, balance ${account.balance} USD`);
}

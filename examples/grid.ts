/**
 * A grid: buys below the price and sells above it, one step apart. Each buy that fills is answered with a sell one step
 * higher, and each sell with a buy one step lower. It earns while the price goes up and down, and loses when it leaves.
 *
 *   node examples/grid.ts
 */
import { type Bot, backtest, defineStrategy } from 'perp/strategy';

const market = 'BTC';

const grid = defineStrategy({
  name: 'grid',
  markets: [market],
  parameters: { size: 0.02, stepBps: 4, steps: 5 },
  start(bot) {
    const { mid } = bot.quote(market);
    if (mid === null) return;
    for (let step = 1; step <= bot.parameters.steps; step++) {
      rest(bot, 'buy', mid * (1 - (step * bot.parameters.stepBps) / 10_000));
      rest(bot, 'sell', mid * (1 + (step * bot.parameters.stepBps) / 10_000));
    }
  },
  onFill(bot, { side, price, role }) {
    // What `end` closes is a taker.
    if (role === 'taker') return;
    const step = (price * bot.parameters.stepBps) / 10_000;
    if (side === 'buy') rest(bot, 'sell', price + step);
    else rest(bot, 'buy', price - step);
  },
  end(bot) {
    bot.cancelAll();
    bot.close(market);
  },
});

function rest(bot: Bot<{ size: number; stepBps: number; steps: number }>, side: 'buy' | 'sell', price: number): void {
  const { roundPrice } = bot.market(market);
  const rounded = roundPrice(price, side === 'buy' ? 'down' : 'up');
  bot.place({ market, side, size: bot.parameters.size, price: rounded, postOnly: true });
}

export default grid;

if (import.meta.main) {
  const from = Date.UTC(2026, 5, 10, 14);
  const { account, fills } = await backtest(grid, { from, to: from + 3_600_000 });
  console.log(`${fills.length} fills, balance ${account.balance} USD`);
}

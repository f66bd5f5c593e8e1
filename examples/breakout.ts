/**
 * A breakout: buys when the price leaves the range of the last minutes upward, sells when it leaves it downward. The
 * stop is at the middle of that range; the size is such that a fill at the stop loses the given share of the room that
 * is left above the nearer floor; the target is twice as far away as the stop.
 *
 *   node examples/breakout.ts
 */
import { backtest, defineStrategy } from 'perp/strategy';

const market = 'BTC';
const mids: number[] = [];

const breakout = defineStrategy({
  name: 'breakout',
  markets: [market],
  parameters: { minutes: 10, riskShare: 0.02, reward: 2 },
  start() {
    mids.length = 0;
  },
  every: {
    '1m'(bot) {
      const { minutes, riskShare, reward } = bot.parameters;
      const { mid, ask, bid } = bot.quote(market);
      if (mid === null || ask === null || bid === null) return;
      const [high, low] = [Math.max(...mids), Math.min(...mids)];
      const isReady = mids.length === minutes;
      mids.push(mid);
      if (mids.length > minutes) mids.shift();
      if (!isReady || bot.position(market).size !== 0 || (mid <= high && mid >= low)) return;

      const side = mid > high ? 'buy' : 'sell';
      const entry = side === 'buy' ? ask : bid;
      const { roundPrice, roundSize } = bot.market(market);
      const away = Math.abs(entry - (high + low) / 2);
      const stopLoss = side === 'buy' ? roundPrice(entry - away, 'down') : roundPrice(entry + away, 'up');
      const takeProfit =
        side === 'buy' ? roundPrice(entry + reward * away, 'up') : roundPrice(entry - reward * away, 'down');
      const { dailyLossRoom, drawdownRoom, equity } = bot.account();
      const room = Math.min(dailyLossRoom ?? Number.POSITIVE_INFINITY, drawdownRoom ?? Number.POSITIVE_INFINITY);
      if (equity === null) return;
      const risk = riskShare * Math.min(room, equity);
      const size = roundSize(Math.min(risk / Math.abs(entry - stopLoss), equity / entry));
      if (size > 0) bot.place({ market, side, size, stopLoss, takeProfit, leverage: 2 });
    },
  },
  onRefusal: (bot, { message }) => bot.log(message),
});

export default breakout;

if (import.meta.main) {
  const from = Date.UTC(2026, 5, 10, 12);
  const { account, fills } = await backtest(breakout, { from, to: from + 8 * 3_600_000 });
  console.log(`${fills.length} fills, balance ${account.balance} USD`);
}

import assert from 'node:assert/strict';
import { splitWords } from '../../../../src/desk/values/split.ts';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

/** A line as people type it, and the line that repairs it; then what perp says of it, unless it says the whole line. */
type Mistake = readonly [wrong: string, right: string, said?: string];

const placed = 'order place BTC buy 0.1';
const mistakes: readonly Mistake[] = [
  // Words in another order.
  ['order place buy BTC 0.1', placed],
  ['order place 0.1 BTC buy', placed],
  ['order place BTC 0.1 buy', placed],
  ['order place buy 0.1 BTC', placed],
  ['order place BTC long 0.1', placed],
  ['order place BTC b 0.1', placed],
  ['order place ETH short 1', 'order place ETH sell 1'],
  ['buy BTC 0.1', placed],
  ['buy 0.1 BTC', placed],
  ['long BTC 0.1', placed],
  ['sell ETH 1', 'order place ETH sell 1'],
  ['market buy BTC 0.1', placed],
  ['limit buy BTC 0.1 60000', `${placed} --limit-price 60000`],
  ['bracket BTC buy 0.1', placed],
  ['order buy BTC 0.1', placed],
  ['order new BTC buy 0.1', placed],
  ['order market BTC buy 0.1', placed],
  ['orders place BTC buy 0.1', placed],
  ['perp order list', 'order list'],
  ['twap buy BTC 1 --duration 30m', 'twap place BTC buy 1 --duration 30m'],
  ['twap BTC buy 1 --for 30m', 'twap place BTC buy 1 --duration 30m'],
  ['scale BTC buy 0.5 --from 61000 --to 60000 --rungs 5', 'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5'],
  // Values without their options.
  [`${placed} 60000`, `${placed} --limit-price 60000`],
  [`${placed} @60000`, `${placed} --limit-price 60000`],
  [`${placed} at 60000`, `${placed} --limit-price 60000`],
  [`${placed} limit 60000`, `${placed} --limit-price 60000`],
  ['buy BTC 0.1 @ 60000', `${placed} --limit-price 60000`],
  ['twap place BTC buy 1 30m', 'twap place BTC buy 1 --duration 30m'],
  ['twap place BTC buy 1 over 30m', 'twap place BTC buy 1 --duration 30m'],
  ['scaled place BTC buy 0.5 61000 60000 5', 'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5'],
  ['positions close BTC 50%', 'positions close BTC --size 50%'],
  ['positions close BTC half', 'positions close BTC --size 50%'],
  ['positions close BTC --size half', 'positions close BTC --size 50%'],
  ['order amend OWN 60000', 'order amend OWN --price 60000'],
  ['order move OWN to 60000', 'order amend OWN --price 60000'],
  ['fills BTC', 'fills --market BTC'],
  ['config set output=json', 'config set output json'],
  ['cancel-all BTC', 'cancel-all --market BTC'],
  ['cancel-all buy', 'cancel-all --side buy'],
  // Options of other tools.
  [`${placed} --sl 1%`, `${placed} --stop-loss 1%`],
  [`${placed} -sl 1%`, `${placed} --stop-loss 1%`],
  [`${placed} --tp 2%`, `${placed} --take-profit 2%`],
  [`${placed} --stop_loss 1%`, `${placed} --stop-loss 1%`, '--stop-loss'],
  [`${placed} --StopLoss 1%`, `${placed} --stop-loss 1%`, '--stop-loss'],
  [`${placed} --stoploss 1%`, `${placed} --stop-loss 1%`, '--stop-loss'],
  [`${placed} --stop-loss 1 %`, `${placed} --stop-loss 1%`],
  [`${placed} --limit 60000`, `${placed} --limit-price 60000`, '--limit-price'],
  [`${placed} --price 60000`, `${placed} --limit-price 60000`, '--limit-price'],
  [`${placed} --stop 1%`, `${placed} --stop-loss 1%`, '--stop-loss'],
  [`${placed} --lev 2`, `${placed} --leverage 2`, '--leverage'],
  [`${placed} --isolated`, `${placed} --margin isolated`],
  [`${placed} --margin iso`, `${placed} --margin isolated`, 'isolated'],
  [`${placed} --margin cros`, `${placed} --margin cross`, 'cross'],
  [`${placed} --reduceonly`, `${placed} --reduce-only`, '--reduce-only'],
  [`${placed} --limit-price 60000 --post-only`, `${placed} --limit-price 60000`],
  [`${placed} --limit-price 60000 --ioc`, `${placed} --limit-price 60000 --tif ioc`],
  [`${placed} --acount acc_000000001`, `${placed} --account acc_000000001`, '--account'],
  [`${placed} --slippage 1%`, `${placed} --slippage 100`, 'Write 100.'],
  [`${placed} --leverage x2`, `${placed} --leverage 2`, 'Write 2.'],
  ['twap place BTC buy 1 --for 30m', 'twap place BTC buy 1 --duration 30m'],
  [
    'scaled place BTC buy 0.5 --from 61000 --to 60000 --orders 5',
    'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5',
    '--rungs',
  ],
  ['pnl --since today', 'pnl --from today', '--from'],
  ['fills --from today', 'fills --since today', '--since'],
  ['order list --open', 'order list'],
  ['order cancel --all', 'cancel-all'],
  ['positions close --all', 'close-all'],
  // Numbers.
  ['order place BTC buy 1,000', 'order place BTC buy 1', 'Write 1000 if the comma separates thousands, or 1 if'],
  ['order place BTC buy 0,5', 'order place BTC buy 0.5', 'or 0.5 if it is a decimal point'],
  ['order place BTC buy 10m', 'order place BTC buy 0.01', 'Write 10000000 for millions, or 0.01 for thousandths.'],
  ['order place BTC buy 1.234,5usd', 'order place BTC buy 1234.5usd', 'Write 1234.5usd.'],
  ['order place BTC buy 1_000usd', 'order place BTC buy 1000usd', 'Write 1000usd.'],
  ['order place BTC buy $100', 'order place BTC buy 1000usd', 'Write 100usd'],
  ['order place BTC buy 100usdt', 'order place BTC buy 1000usd', 'Write 100usd'],
  ['order place BTC buy 1000 usd', 'order place BTC buy 1000usd'],
  ['order place BTC buy 1000 USDT', 'order place BTC buy 1000usd'],
  ['twap place BTC buy 5000 usd --duration 30m', 'twap place BTC buy 5000usd --duration 30m'],
  ['order place BTC buy 0.1btc', placed],
  ['order place BTC buy 0.1 BTC', placed],
  ['order place BTC sell all', 'order place BTC sell 100% --reduce-only', 'Write 100% (of the position)'],
  ['order place BTC sell half', 'order place BTC sell 50% --reduce-only', 'Write 50%.'],
  ['order place ETH buy risk=0.1% --stop-loss 1%', 'order place ETH buy risk:0.1% --stop-loss 1%'],
  ['twap place BTC buy 1 --duration 30min', 'twap place BTC buy 1 --duration 30m'],
  ['twap place BTC buy 1 --duration 30', 'twap place BTC buy 1 --duration 30m', 'Write 30s, 30m or 30h.'],
  ['candles BTC --interval 7m', 'candles BTC --interval 5m', 'Did you mean 5m?'],
  ['candles BTC --interval 60m', 'candles BTC --interval 1h', 'Did you mean 1h?'],
  ['candles BTC --interval 1hour', 'candles BTC --interval 1h', 'Did you mean 1h?'],
  ['candles BTC --interval 5min', 'candles BTC --interval 5m'],
  ['candles BTC --interval 24h', 'candles BTC --interval 1d', 'Did you mean 1d?'],
  ['candles BTC --interval 5', 'candles BTC --interval 5m', 'Did you mean 5m?'],
  ['candles BTC 5m', 'candles BTC --interval 5m'],
  // Markets.
  ['order place XBT buy 0.1', placed, 'Did you mean BTC?'],
  ['order place bitcoin buy 0.1', placed, 'Did you mean BTC?'],
  ['order place BTC/USDT buy 0.1', placed, 'Did you mean BTC?'],
  ['order place BTC-PERP buy 0.1', placed, 'Did you mean BTC?'],
  ['order place BTCUSD buy 0.1', placed, 'Did you mean BTC?'],
  ['quote ethereum', 'quote ETH', 'Did you mean ETH?'],
  ['quote solana', 'quote SOL', 'Did you mean SOL?'],
  // Commands of other tools.
  ['cancel BTC', 'cancel-all --market BTC'],
  ['order cancel BTC', 'cancel-all --market BTC', 'perp cancel-all --market BTC cancels'],
  ['cancel all', 'cancel-all'],
  ['order cancel all', 'cancel-all', 'perp cancel-all cancels'],
  ['cancelall', 'cancel-all'],
  ['close BTC', 'positions close BTC'],
  ['close all', 'close-all'],
  ['positions close all', 'close-all', 'perp close-all closes'],
  ['position close BTC', 'positions close BTC'],
  ['close-all BTC', 'positions close BTC'],
  ['flatten BTC', 'positions close BTC'],
  ['flatten all', 'flatten'],
  ['flip BTC', 'reverse BTC'],
  ['stop BTC at 50000 --far-stop', 'stop BTC 50000 --far-stop'],
  ['stop BTC 1pct', 'stop BTC 1%', 'Write 1%.'],
  ['stop BTC 1 percent', 'stop BTC 1%'],
  ['stop BTC break-even', 'stop BTC entry-1%', 'Did you mean entry?'],
  ['stop BTC remove', 'stop BTC none', 'Write none to remove it.'],
  ['stop cancel BTC', 'stop BTC none'],
  ['stop-loss BTC 1%', 'stop BTC 1%'],
  ['stop loss BTC 1%', 'stop BTC 1%'],
  ['sl BTC 1%', 'stop BTC 1%'],
  ['take-profit BTC 2%', 'target BTC 2%'],
  ['tp BTC 2%', 'target BTC 2%'],
  ['target BTC 3 R', 'target BTC 3R'],
  ['portfolio', 'positions'],
  ['pos', 'positions'],
  ['position', 'positions'],
  ['account show', 'accounts show'],
  ['accounts acc_000000001', 'accounts show acc_000000001'],
  ['accounts switch acc_000000001', 'accounts use acc_000000001'],
  ['use acc_000000001', 'accounts use acc_000000001'],
  ['balance', 'accounts show'],
  ['market list', 'markets list'],
  ['markets BTC', 'markets show BTC'],
  ['order BTC', 'order list --market BTC'],
  ['price BTC', 'quote BTC'],
  ['book BTC', 'quote BTC --depth 8'],
  ['history', 'fills'],
  ['oder list', 'order list', 'perp order'],
  ['order lst', 'order list', 'perp order list'],
  ['pnl today', 'pnl --from today'],
  ['--env simulation accounts', '--env sim accounts', 'allowed: live, sandbox, sim'],
  ['--output jsn accounts', '--output json accounts', 'Did you mean json?'],
  // More of an entry without its options, or with those of other tools.
  [`${placed} sl 1%`, `${placed} --stop-loss 1%`],
  [`${placed} stop 1%`, `${placed} --stop-loss 1%`],
  [`${placed} tp 2%`, `${placed} --take-profit 2%`],
  [`${placed} stop 1% target 2%`, `${placed} --stop-loss 1% --take-profit 2%`],
  [`${placed} --sl=1%`, `${placed} --stop-loss 1%`],
  [`${placed} --tp=2%`, `${placed} --take-profit 2%`],
  [`${placed} market`, placed],
  [`${placed} --type limit 60000`, `${placed} --limit-price 60000`],
  [`${placed} --limit-price 60000 --tif GTC`, `${placed} --limit-price 60000`],
  [`${placed} --limit-price 60000 --gtc`, `${placed} --limit-price 60000`],
  [`${placed} --leverage 2 x`, `${placed} --leverage 2`],
  [`${placed} 2x`, `${placed} --leverage 2`],
  [`${placed} x2`, `${placed} --leverage 2`],
  [`${placed} --margin-mode cross`, `${placed} --margin cross`],
  ['order place --market BTC --side buy --size 0.1', placed],
  ['order place BTC --buy 0.1', placed],
  [`${placed} --size 0.1`, placed, 'Write it without --size.'],
  ['order place BTC buy 1k usd', 'order place BTC buy 1kusd'],
  ['order place BTC buy usd1000', 'order place BTC buy 1000usd'],
  ['order place BTC buy 1000 dollars', 'order place BTC buy 1000usd'],
  ['order place ETH buy risk 0.1% --stop-loss 1%', 'order place ETH buy risk:0.1% --stop-loss 1%'],
  ['order place ETH buy 0.1%risk --stop-loss 1%', 'order place ETH buy risk:0.1% --stop-loss 1%'],
  ['order place BTC buy 0.1@60000', `${placed} --limit-price 60000`],
  [`${placed} limit=60000`, `${placed} --limit-price 60000`],
  [`${placed} price=60000`, `${placed} --limit-price 60000`],
  [`${placed} BTC at 60000`, `${placed} --limit-price 60000`],
  [`${placed} --limit-price best-bid`, `${placed} --limit-price bid`, 'Did you mean bid?'],
  [`${placed} --limit-price mid`, `${placed} --limit-price mark`, 'Did you mean mark?'],
  [`${placed} --type stop-limit`, placed, 'Did you mean stop_limit?'],
  ['twap place BTC buy 1 --duration 1h30', 'twap place BTC buy 1 --duration 1h30m'],
  ['twap place BTC buy 1 --duration 30 minutes', 'twap place BTC buy 1 --duration 30m'],
  ['twap place BTC buy 1 --minutes 30', 'twap place BTC buy 1 --duration 30m'],
  ['twap list all', 'twap list --all'],
  ['scaled place BTC buy 0.5 61000-60000 5', 'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5'],
  [
    'scaled place BTC buy 0.5 --range 61000-60000 --rungs 5',
    'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5',
  ],
  [
    'scaled place BTC buy 0.5 --start 61000 --end 60000 --rungs 5',
    'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5',
  ],
  [
    'scaled place BTC buy 0.5 --from 61000 --to 60000 --count 5',
    'scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5',
    '--rungs',
  ],
  // More of orders and positions.
  ['order amend OWN --limit-price 60000', 'order amend OWN --price 60000'],
  ['order modify OWN --price 60000', 'order amend OWN --price 60000'],
  ['order edit OWN 60000', 'order amend OWN --price 60000'],
  ['order replace OWN --price 60000', 'order amend OWN --price 60000'],
  ['amend OWN --price 60000', 'order amend OWN --price 60000'],
  ['move OWN 60000', 'order amend OWN --price 60000'],
  ['cancel OWN', 'order cancel OWN'],
  ['stop 120000 BTC', 'stop BTC 120000'],
  ['stop BTC=120000', 'stop BTC 120000'],
  ['stop BTC --price 120000', 'stop BTC 120000', 'Write it without --price.'],
  ['stop BTC even', 'stop BTC entry-1%', 'Did you mean entry?'],
  ['stop BTC off', 'stop BTC none', 'Write none to remove it.'],
  ['stop BTC delete', 'stop BTC none'],
  ['stop set BTC 120000', 'stop BTC 120000'],
  ['stop move BTC 120000', 'stop BTC 120000'],
  ['set stop BTC 120000', 'stop BTC 120000'],
  ['move stop BTC 120000', 'stop BTC 120000'],
  ['target BTC at 900000', 'target BTC 900000'],
  ['positions close BTC 0.01', 'positions close BTC --size 0.01'],
  ['positions close BTC --half', 'positions close BTC --size 50%'],
  ['positions close BTC 1/2', 'positions close BTC --size 50%'],
  ['positions close BTC --percent 50', 'positions close BTC --size 50%'],
  ['positions close BTC market', 'positions close BTC'],
  ['positions close BTC full', 'positions close BTC'],
  ['close 50% BTC', 'positions close BTC --size 50%'],
  ['exit BTC', 'positions close BTC'],
  ['flatten everything', 'flatten'],
  ['closeall', 'close-all'],
  ['cancel-all orders', 'cancel-all'],
  ['cancel-all sell BTC', 'cancel-all --market BTC --side sell'],
  ['cancel-all BTC buy', 'cancel-all --market BTC --side buy'],
  ['cancel buys', 'cancel-all --side buy'],
  // More of what is read.
  ['fills --last 10', 'fills --limit 10'],
  ['fills 10', 'fills --limit 10'],
  ['fills today', 'fills --since today'],
  ['fills --today', 'fills --since today'],
  ['pnl week', 'pnl --from 7d'],
  ['pnl this week', 'pnl --from 7d'],
  ['pnl --today', 'pnl --from today'],
  ['orders', 'order list'],
  ['open orders', 'order list'],
  ['order open', 'order list'],
  ['order history', 'order list --ended'],
  ['order list --closed', 'order list --ended'],
  ['order list filled', 'order list --ended'],
  ['order list BTC', 'order list --market BTC'],
  ['positions BTC', 'positions show BTC'],
  ['positions list BTC', 'positions show BTC'],
  ['position BTC', 'positions show BTC'],
  ['candles BTC 1h 100', 'candles BTC --interval 1h --limit 100'],
  ['candles BTC --tf 1h', 'candles BTC --interval 1h'],
  ['candles BTC -i 1h', 'candles BTC --interval 1h'],
  ['candles BTC --interval 1y', 'candles BTC --interval 1M', 'allowed: 1s, 1m, 3m'],
  ['ticker BTC', 'quote BTC'],
  ['depth BTC', 'quote BTC --depth 8'],
  ['orderbook BTC', 'quote BTC --depth 8'],
  ['equity', 'accounts show'],
  ['acounts', 'accounts', 'perp accounts'],
  ['quote dogecoin', 'quote DOGE', 'Did you mean DOGE?'],
  ['quote BTCUSDT.P', 'quote BTCUSDT', 'Did you mean BTCUSDT?'],
  ['quote BTX', 'quote BTC', 'Did you mean BTC?'],
  ['order palce BTC buy 0.1', placed, 'perp order place'],
  ['place BTC buy 0.1', placed, 'perp order place'],
];

trial('each wrong line is refused with the one repair, and the repair works', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '2%');
  const { id } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '1000');
  const failures: string[] = [];
  const run = (line: string, ...more: string[]) => desk.perp([...splitWords(line.replace('OWN', id)), ...more]);
  assert.ok(mistakes.length >= 210);
  for (const [wrong, right, said = `perp ${right.replace('OWN', id)}`] of mistakes) {
    const refused = await run(wrong);
    const text = refused.err.replaceAll(/\s+/g, ' ');
    if (![2, 3].includes(refused.exit) || !text.includes(said)) failures.push(`${wrong}: ${refused.exit} ${text}`);
    const force = /^(order place|twap place|scaled place)/.test(right) ? ['--force'] : [];
    const repaired = await run(right, '--dry-run', ...force);
    if (repaired.exit !== 0) failures.push(`${right}: ${repaired.exit} ${repaired.err}`);
  }
  assert.deepEqual(failures, []);
});

test('a hint names only options that the command has', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { id } = await desk.json('order', 'place', 'ETH', 'buy', '1', '--limit-price', '1000');
  const crossing = await desk.perp(['order', 'amend', id, '--price', '90000', '--force']);
  assert.equal(crossing.exit, 5);
  assert.doesNotMatch(crossing.err, /--cross-ok/);
  assert.match(crossing.err, /Choose a price that rests/);
});

test('what perp would note about an order is not said of one that is refused', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const refused = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--leverage', '20x']);
  assert.equal(refused.exit, 5);
  assert.doesNotMatch(refused.err, /No --stop-loss/);
  const placedOrder = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--leverage', '2x']);
  assert.match(placedOrder.err, /No --stop-loss/);
});

test('an account that does not exist is said once', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { err } = await desk.perp(['--account', 'acc_9', 'positions']);
  assert.equal(err.match(/There is no account/g)?.length, 1, err);
});

test('a ladder without some of its rungs is incomplete', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const bid = Number((await desk.json('quote', 'BTC')).bid);
  const [from, to] = [String(Math.round(bid * 1.01)), String(Math.round(bid * 0.99))];
  const { exit } = await desk.perp([
    'scaled',
    'place',
    'BTC',
    'buy',
    '0.03',
    '--from',
    from,
    '--to',
    to,
    '--rungs',
    '2',
  ]);
  assert.equal(exit, 9);
});

test('cancel-all cancels one market or one side', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const rest = (market: string, side: string, price: string) =>
    desk.json('order', 'place', market, side, '0.01', '--limit-price', price, '--force');
  await rest('BTC', 'buy', '20000');
  await rest('BTC', 'sell', '900000');
  await rest('ETH', 'buy', '1500');
  await desk.json('cancel-all', '--market', 'BTC', '--side', 'sell', '--yes');
  const left = async () =>
    (await desk.json('order', 'list'))
      .map(({ symbol, side }: { symbol: string; side: string }) => `${symbol} ${side}`)
      .sort();
  assert.deepEqual(await left(), ['BTC buy', 'ETH buy']);
  await desk.json('cancel-all', '--market', 'BTC', '--yes');
  assert.deepEqual(await left(), ['ETH buy']);
  assert.deepEqual(await desk.json('cancel-all', '--side', 'sell', '--yes'), []);
});

test('only a market where one order belongs is offered to cancel-all', async () => {
  using desk = new Desk();
  for (const act of ['cancel', 'show'])
    for (const [word, isMarket] of [
      ['BTC', true],
      ['nope', false],
      ['binance|ETHUSDT', true],
    ] as const) {
      const { exit, err } = await desk.perp(['order', act, word]);
      assert.deepEqual([exit, err.includes('cancel-all --market')], [3, isMarket], `${act} ${word}`);
    }
});

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, trial } from '../../tiers.ts';

/** A desk whose market does not move, with a long position that breaches a floor before it is liquidated. */
async function longDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('order', 'place', 'BTC', 'buy', '1', '--leverage', '2', '--force');
  return desk;
}

/** The first line of `perp watch --json`, once every figure is known. */
async function firstWatched(desk: Desk) {
  const first = Promise.withResolvers<string>();
  const io = {
    ...{ stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false },
    ...{ stderrColumns: undefined, columns: Number.POSITIVE_INFINITY },
    out: (text: string) => first.resolve(text),
    err: () => {},
    input: () => Readable.from(['']),
  };
  const run = desk.perp(['watch', '--json'], { outside: { io } });
  const line = JSON.parse((await first.promise).split('\n')[0]!);
  process.listeners('SIGINT').at(-1)!('SIGINT');
  await run;
  return line;
}

describe('the breach price', () => {
  it('is in positions next to the API’s own fields, in JSON and CSV', async () => {
    using desk = await longDesk();
    const [position] = await desk.json('positions');
    const { mid, time } = await desk.json('quote', 'BTC');
    const { risk } = await desk.json('accounts', 'show');
    const { mark, unrealized_pnl, breach_price, as_of } = position.computed;
    assert.deepEqual([mark, unrealized_pnl, as_of], [mid, risk.unrealized_pnl, time]);
    // The first mark at or beyond the breach: half a tick is 0.05.
    const beyond = mid - risk.max_drawdown_room - breach_price;
    assert.ok(beyond > -1e-6 && beyond < 0.05, `${breach_price}: ${beyond}`);
    const { out } = await desk.perp(['positions', '-o', 'csv']);
    const [header, row] = out.split('\n');
    assert.match(
      header!,
      /,computed\.mark,computed\.unrealized_pnl,computed\.breach_price,computed\.as_of,computed\.stop_price,computed\.stop_limit_price,computed\.target_price,computed\.covered_size,computed\.uncovered_size,computed\.risk,computed\.r,computed\.one_r$/,
    );
    const { risk: lost } = position.computed;
    const figures = [
      mid,
      unrealized_pnl,
      breach_price,
      new Date(time).toISOString(),
      '',
      '',
      '',
      0,
      position.size,
      lost,
      '',
      '',
    ];
    assert.ok(row!.endsWith(`,${figures.join(',')}`), row);
    assert.deepEqual((await desk.json('positions', 'show', 'BTC')).computed, position.computed);
  });

  it('is the liquidation price if that comes first', async () => {
    using desk = await longDesk();
    const { breach_price: price } = (await desk.json('positions'))[0].computed;
    assert.match((await desk.perp(['positions'])).out, new RegExp(`ENDS[^]* ${price} floor`));
    const field = new RegExp(`^breach +${price} \\(-\\d\\.\\d%\\), maximum drawdown$`, 'm');
    const shown = await desk.perp(['positions', 'show', 'BTC']);
    assert.match(shown.out, field);
    assert.doesNotMatch(shown.out, /liquidation/);
    assert.match((await desk.perp(['accounts', 'show'])).out, /^breach BTC +[\d.]+ \(-\d\.\d%\), maximum drawdown$/m);
    const order = ['order', 'place', 'ETH', 'sell', '0.1', '--leverage', '5', '--margin', 'isolated', '--force'];
    assert.match((await desk.perp(order)).out, /^liquidation +\d/m, 'an isolated margin smaller than the room');
  });

  it('is the same in the note before an order without a stop and in its result', async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    const { json, err } = await desk.perp(['order', 'place', 'ETH', 'sell', '20', '--leverage', '4', '--json']);
    const said = Number(/would touch the maximum drawdown floor, 3,000.00 USD away, at ([\d.]+) /.exec(err)?.[1]);
    // The note knows only the best price, the result what the order filled at.
    const walk = Math.abs(json.fill_price - json.expected_price);
    assert.ok(Math.abs(said - json.computed.breach_price) <= walk, `${err}, then ${json.computed.breach_price}`);
  });

  it('is a move of all markets in accounts show, if there are several', async () => {
    using desk = await longDesk();
    await desk.json('order', 'place', 'ETH', 'buy', '5', '--leverage', '2');
    const { computed, risk } = await desk.json('accounts', 'show');
    const move = (-100 * risk.max_drawdown_room) / risk.gross_exposure;
    assert.ok(Math.abs(computed.breach_move_pct - move) < 0.001, `${computed.breach_move_pct}, not ${move}`);
    assert.deepEqual(Object.keys(computed.breach_prices).sort(), ['binance|BTCUSDT', 'binance|ETHUSDT']);
    assert.match((await desk.perp(['accounts', 'show'])).out, /^breach by all +-\d\.\d% in every market/m);
  });

  it('is in quotes of a size and in previews, with the value that the result then shows', async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    const size = ['--side', 'buy', '--size', '1'];
    const quoted = await desk.json('quote', 'BTC', ...size);
    assert.equal(quoted.computed.mark, quoted.mid);
    assert.match(
      (await desk.perp(['quote', 'BTC', ...size])).out,
      /^breach then +[\d.]+ \(-\d\.\d%\), maximum drawdown$/m,
    );
    assert.equal((await desk.json('quote', 'BTC')).computed, undefined, 'a plain quote reads nothing more');
    const order = ['order', 'place', 'BTC', 'buy', '1', '--leverage', '2', '--yes', '--force'];
    const { err, out } = await desk.perp(order, { terminal: true });
    const previewed = /^ *breach +(\S+)/m.exec(err)?.[1];
    assert.equal(Number(previewed), quoted.computed.breach_price, err);
    assert.match(out, new RegExp(`^breach +${previewed} `, 'm'));
  });

  it('counts what a TWAP has not sent yet in quotes, previews, results and positions alike', async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    await desk.json('order', 'place', 'BTC', 'buy', '0.4', '--leverage', '5');
    await desk.json('twap', 'place', 'BTC', 'buy', '1', '--duration', '1h', '--leverage', '5', '--force');
    const quoted = await desk.json('quote', 'BTC', '--side', 'buy', '--size', '0.1');
    const order = ['order', 'place', 'BTC', 'buy', '0.1', '--leverage', '5', '--yes', '--force'];
    const { err, out } = await desk.perp(order, { terminal: true });
    const [{ computed }] = await desk.json('positions');
    assert.match(err, new RegExp(`^ *breach +${computed.breach_price} `, 'm'));
    assert.match(out, new RegExp(`^breach +${computed.breach_price} `, 'm'));
    assert.equal(quoted.computed.breach_price, computed.breach_price);
  });

  trial(
    'is the same on the live screen, in the account and in a quote, with entries in other markets and TWAPs',
    async () => {
      using desk = new Desk();
      await desk.json('markets', '--clock', 'manual');
      const terms = ['--leverage', '5', '--force'];
      await desk.json('order', 'place', 'BTC', 'buy', '0.3', ...terms, '--stop-loss', '6%');
      await desk.json('order', 'place', 'ETH', 'sell', '4', ...terms);
      await desk.json('order', 'place', 'ETH', 'sell', '3', ...terms, '--limit-price', '+1%');
      await desk.json('order', 'place', 'SOL', 'buy', '40', ...terms, '--limit-price', '-1%');
      await desk.json('twap', 'place', 'BTC', 'buy', '0.5', '--duration', '1h', ...terms);
      const { positions: watched } = await firstWatched(desk);
      const { computed } = await desk.json('accounts', 'show');
      const listed = await desk.json('positions');
      assert.equal(watched.length, 2);
      for (const { market_id, ends_at, ends_by } of watched) {
        const { breach_price } = listed.find((one: { market_id: string }) => one.market_id === market_id).computed;
        assert.deepEqual([ends_by, ends_at], ['floor', breach_price]);
        assert.equal(computed.breach_prices[market_id], breach_price);
      }
    },
  );

  it('counts the fee of a resting entry that fills on the way', async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    await desk.json('order', 'place', 'ETH', 'buy', '10', '--leverage', '5');
    const dip = await desk.json(
      'order',
      'place',
      'ETH',
      'buy',
      '30',
      '--leverage',
      '5',
      '--limit-price',
      '-1%',
      '--force',
    );
    const [{ computed }] = await desk.json('positions');
    const { max_drawdown_room: room } = (await desk.json('accounts', 'show')).risk;
    const lostAt = (price: number) =>
      10 * (computed.mark - price) + 30 * (dip.limit_price - price) + 30 * dip.limit_price * 0.0003;
    assert.ok(lostAt(computed.breach_price) >= room, `${lostAt(computed.breach_price)} of ${room}`);
    assert.ok(lostAt(computed.breach_price + 0.01) < room, `${lostAt(computed.breach_price + 0.01)} of ${room}`);
  });

  it('counts orders of other markets that wait for the mark, and the leverage of own orders', async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    const wait = [
      '--type',
      'conditional',
      '--trigger-market',
      'ETH',
      '--trigger-price',
      '-1%',
      '--trigger-direction',
      'below',
    ];
    await desk.json('order', 'place', 'BTC', 'buy', '0.4', '--leverage', '5', ...wait, '--force');
    await desk.json('order', 'place', 'ETH', 'buy', '30', '--leverage', '5', '--limit-price', '-1%', '--force');
    const quoted = await desk.json('quote', 'ETH', '--side', 'buy', '--size', '10');
    const order = ['order', 'place', 'ETH', 'buy', '10', '--leverage', '5', '--yes', '--force'];
    const { err } = await desk.perp(order, { terminal: true });
    const [{ computed }] = await desk.json('positions');
    const previewed = Number(/^ *breach +(\S+)/m.exec(err)?.[1]);
    assert.deepEqual([quoted.computed.breach_price, previewed], [computed.breach_price, computed.breach_price]);
  });

  it('is missing without floors', async () => {
    using desk = new Desk();
    await desk.json('sim', 'reset', '--plan', 'none', '--yes');
    const placed = await desk.perp(['order', 'place', 'BTC', 'buy', '0.1']);
    assert.match(placed.out, /^liquidation +none within 100% of the mark$/m);
    const [{ computed }] = await desk.json('positions');
    assert.equal(computed.breach_price, null);
    assert.ok(computed.mark > 0);
  });

  it('that a stop prevents is none with its stop', async () => {
    using desk = new Desk();
    const stopped = await desk.perp(['order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '1%']);
    assert.match(stopped.out, /^liquidation +none within 100% of the mark, with its stop$/m);
  });

  it('is separate from the pass target: realized profit, with nothing open', async () => {
    using desk = await longDesk();
    const { out } = await desk.perp(['accounts', 'show']);
    assert.match(out, /USD of realized profit to go \(9%\), with nothing open/);
  });
});

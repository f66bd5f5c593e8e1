import assert from 'node:assert/strict';
import { trial } from '../../tiers.ts';
import { Desk } from '../cli/practice.ts';
import { Armory, rested } from './armory.ts';

trial('the ladder fills 80x24, 120x40 and 200x60, and its cursor stays at its price', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '1%', '--yes');
  await using trader = await Armory.opened(desk);
  const { screen } = trader;
  screen.press('f', 'g', 'g', 'g', 'down');
  for (const [columns, rows] of [
    [120, 40],
    [200, 60],
    [80, 24],
  ] as const) {
    screen.resize(columns, rows);
    const shown = await screen.shows(/10 ticks a row, free[\s\S]*\[\d+\.\d\][\s\S]*TRADING/);
    const lines = shown.split('\n');
    assert.equal(lines.length, rows);
    for (const line of lines) assert.ok(line.length <= columns, line);
    assert.match(shown, /BTC +long +0\.05/);
    assert.match(shown, /stop_market|@\d/);
    const prices = lines.map((line) => /(\d{4,}\.\d)/.exec(line.slice(0, columns * 0.45))?.[1]).filter(Boolean);
    assert.ok(prices.length >= rows / 2, `${prices.length} prices`);
  }
});

trial('unarmed, a key of the ladder types its order, and a template is previewed with its ticket', async () => {
  using desk = new Desk();
  await using trader = await Armory.opened(desk);
  const { screen } = trader;
  screen.press('f', 'down');
  const price = /\[(\d+\.\d)\]/.exec(await screen.shows(/\[\d+\.\d\]/))![1]!;
  screen.press('i', ...'0.01');
  const typed = await screen.shows(/Ticket, live: buy 0\.01 limit/);
  assert.ok(typed.replaceAll(/\s+/g, ' ').includes(`--limit-price ${price}`), typed);
  for (const row of [/cost +\d/, /worst case/, /room left/, /cover/, /carry/]) assert.match(typed, row);
  screen.press('escape', '1');
  // What is asked about is what the ticket shows, also of a size by risk.
  const preview = await screen.shows(/Place market buy[\s\S]*\(y\/N\)/);
  for (const row of [/fills at/, /stop +\d/, /target +\d/, /worst case/, /drawdown room/]) assert.match(preview, row);
  screen.resize(160, 60);
  const asked = (await screen.shows(/Place market buy[\s\S]*\(y\/N\)[\s\S]*Ticket, live/)).replaceAll(/\s+/g, ' ');
  screen.resize(100, 30);
  const [, size] = /Place market buy (\S+) /.exec(asked)!;
  assert.match(asked, new RegExp(`Ticket, live: buy ${size} market`));
  screen.press('y');
  await screen.shows(/Filled +buy[\s\S]*Any key/);
  const [order] = await desk.json('order', 'list');
  assert.ok(order.target_position_id, 'two keys: an entry with its exits');
  screen.press('escape', 'd');
  await screen.shows(/stop-loss[\s\S]*\(y\/N\)/);
  screen.press('n');
  await screen.shows(/Nothing was sent/);
  screen.press('escape', ':', ...'posi', 'tab', ...'cl', 'tab');
  await screen.shows(/> perp positions close _/);
  screen.press('escape', ':', 'up');
  await screen.shows(/> perp stop pos_\w+ \d/);
});

trial(
  'armed, one key is one order at the price on the screen; held keys, bursts and pastes send nothing more',
  async () => {
    using desk = new Desk();
    await using trader = await Armory.opened(desk);
    const { screen, clock } = trader;
    await trader.arm('arm 0.01 --stop 1% --target 2% --position 3000 --loss 100 --for 15m');
    await screen.shows(/ARMED SIM default, synthetic +1[45]m/);
    screen.press('g', 'g', 'g', 'g', 'g', 'down', ...Array.from({ length: 5 }, () => 'pagedown'));
    const price = Number(/\[(\d+\.\d)\]/.exec(await screen.shows(/free[\s\S]*\[\d+\.\d\]/))![1]);
    screen.press('i', 'i', 'i');
    await screen.shows(/Resting: buy 0\.01/);
    screen.send('ii');
    await screen.shows(/Several keys came at once/);
    screen.send('\u001b[200~i\u001b[201~');
    const [order, ...others] = await rested(desk);
    const { attached_stop_loss_price: stop, attached_take_profit_price: target } = order;
    assert.deepEqual([order.limit_price, stop < price, target > price, others], [price, true, true, []]);
    clock.uptime += 1_000;
    screen.press('m', 'up');
    await screen.shows(/m moves B0\.01/);
    const next = Number(/\{(\d+\.\d)\}/.exec(await screen.shows(/\{\d+\.\d\}/))![1]);
    screen.press('m');
    await screen.shows(new RegExp(`B0\\.01[^\\n]*\\[${next.toFixed(1)}`));
    assert.equal((await rested(desk))[0].limit_price, next);
    clock.uptime += 1_000;
    screen.press('K');
    await screen.shows(/Canceled/);
    assert.deepEqual(await rested(desk), []);
    screen.send('\u001b[I');
    await screen.shows(/ARMED(?![\s\S]*not reported)/);
    screen.send('\u001b[O');
    await screen.shows(/DISARMED: the terminal lost focus/);
    screen.press('i');
    await screen.shows(/order place BTC buy/);
    assert.deepEqual(await rested(desk), []);
  },
);

trial('an armed key whose order would breach a floor is told the largest size that fits', async () => {
  using desk = new Desk();
  await using trader = await Armory.opened(desk);
  const { screen } = trader;
  screen.resize(200, 60);
  await trader.arm('arm 3 --stop 5% --position 900000 --loss 100 --for 15m');
  await screen.shows(/ARMED SIM default, synthetic +1[45]m/);
  screen.press('g', 'g', 'g', 'g', 'g', 'down', ...Array.from({ length: 5 }, () => 'pagedown'));
  await screen.shows(/free[\s\S]*\[\d+\.\d\]/);
  screen.press('i');
  await screen.shows(/Not sent: In the worst case[\s\S]*The largest size\s+that fits is 0\.\d+ BTC\./);
  assert.deepEqual(await rested(desk), []);
});

trial('several accounts are on one screen, with the sum of what they may lose', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--accounts', '2', '--yes');
  const accounts: { id: string }[] = await desk.json('accounts');
  for (const { id } of accounts)
    await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '1%', '--yes', '--account', id);
  await using trader = await Armory.opened(desk);
  const shown = await trader.screen.shows(/All 2 accounts +equity 199,99\d\.\d\d +pnl [-+\d.]+ +risk \d/);
  const [, risk] = /All 2 accounts.*risk ([\d.,]+)/.exec(shown)!;
  const lost = await Promise.all(accounts.map(({ id }) => desk.json('positions', '--account', id)));
  const sum = lost.flat().reduce((total, { computed }) => total + computed.risk, 0);
  assert.ok(Math.abs(Number(risk!.replaceAll(',', '')) - sum) < sum * 0.5, `${risk} against ${sum}`);
});

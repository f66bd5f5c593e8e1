import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import type { Row } from '../../../src/terminal/console/charts/cells.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { Bell } from '../../../src/terminal/screen/around-screen.ts';
import { accountRows, shortAccountRows } from '../../../src/terminal/screen/header-rows.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { tell } from '../../desk/account/tell.ts';
import { Emulator } from './emulator.ts';

const btc = { market_id: 'bybit|BTC', provider: 'bybit', symbol: 'BTC', coin: 'BTCUSDT' } as unknown as Market;
const time = Date.UTC(2026, 5, 10, 14);
const setting = { place: () => 'SIM', isHost: false, localTime: () => '06:00' };
const textsOf = (rows: readonly Row[]) => rows.map((row) => row.map(textOf).join('').trimEnd());

/** A model whose account has this balance; the day began at 100,000. */
function modelOf(): LiveModel {
  return new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
}

function take(model: LiveModel, balance: number, status = 'active'): void {
  const account = {
    ...{ id: 'acc_1', name: 'One', status, starting_balance: 100_000, balance },
    risk: {
      ...{ daily_loss_floor: 97_000, max_drawdown_floor: 95_000 },
      requirements: { daily_loss_pct: 3, max_drawdown_pct: 5 },
    },
  };
  const snapshot = { type: 'snapshot', seq: 1, time, account_id: 'acc_1', account, positions: [], orders: [] };
  tell(model, snapshot as never);
  tell(model, { type: 'snapshot_end' } as never);
}

const rowsOf = (model: LiveModel, width = 100, variables = { LANG: 'C.UTF-8' }) =>
  accountRows(model, setting, width, glyphsFor(variables, true));

test('the steps of a floor differ in shape and color, at any width and in ASCII', () => {
  for (const [balance, sign, tone] of [
    [98_501, '', undefined],
    [98_500, '!', 'warn'],
    [97_600, '!!', 'bad'],
    [97_150, '!!!', 'alarm'],
  ] as const) {
    const model = modelOf();
    take(model, balance);
    for (const width of [50, 80, 200]) {
      const [, daily] = rowsOf(model, width);
      const room = daily!.find((cell) => /^\s*[\d,]+\.\d\d!*$/.test(textOf(cell)))!;
      assert.equal(textOf(room).replace(/[^!]/g, ''), sign, `${balance} at ${width}`);
      assert.equal(typeof room === 'object' ? room.tone : undefined, tone ?? 'strong');
    }
    assert.match(textsOf(rowsOf(model, 100, { LANG: 'C' }))[1]!, /^daily loss {2}#*\.* +\d+% used/);
    const [short] = textsOf(shortAccountRows(model));
    assert.equal(short!.replace(/[^!]/g, ''), sign);
  }
});

test('how an account ended is shown with the frame that says so, before anything else is read', () => {
  for (const status of ['failed', 'passed']) {
    const model = modelOf();
    take(model, 99_000);
    take(model, 96_900, status);
    const [first, second] = textsOf(rowsOf(model));
    assert.match(first!, new RegExp(`One {2}${status.toUpperCase()}`));
    assert.match(second!, new RegExp(status.toUpperCase()));
  }
});

test('the bell rings once for each step, and once for a lock', () => {
  const terminal = new Emulator(80, 24);
  const bell = new Bell(terminal);
  const model = modelOf();
  const rings = (balance: number) => {
    take(model, balance);
    terminal.written.length = 0;
    bell.look(model);
    bell.look(model);
    return terminal.written.length;
  };
  assert.deepEqual(
    [99_900, 98_400, 98_600, 98_400, 97_500, 97_000.5, 99_000, 97_000.5].map(rings),
    // Above half of the way again, the same step does not ring again.
    [0, 1, 0, 0, 1, 1, 0, 0],
  );
  model.locks = new Map([['acc_1', { account: 'acc_1', since: 1, until: 5, why: 'daily stop' }]]);
  assert.deepEqual([rings(97_000.5), rings(97_000.5)], [1, 0]);
  assert.match(textsOf(rowsOf(model)).at(-1)!, /^LOCKED by the guard until .*daily stop$/);
});

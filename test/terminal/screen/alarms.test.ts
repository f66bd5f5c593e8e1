import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PriceLadder } from '../../../src/desk/ladder/price-ladder.ts';
import { NewAlarms } from '../../../src/desk/watch/challenge.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { Bell } from '../../../src/terminal/screen/around-screen.ts';
import { screenFrame } from '../../../src/terminal/screen/layout.ts';
import { recordOf } from '../../../src/terminal/screen/plain-watch.ts';
import { type Dialog, firstView, type ScreenView } from '../../../src/terminal/screen/view.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { tell } from '../../desk/account/tell.ts';
import { Emulator } from './emulator.ts';

const btc = { market_id: 'bybit|BTC', provider: 'bybit', symbol: 'BTC', coin: 'BTCUSDT' } as unknown as Market;
const time = Date.UTC(2026, 5, 10, 14);

/** What nobody may miss: the frame or the lock that brings it, and how it is shown. */
const alarms: readonly (readonly [name: string, happens: (model: LiveModel, id: string) => void, shown: RegExp])[] = [
  ['an account that failed', (model, id) => take(model, id, 96_900, 'failed'), /FAILED/],
  ['an account that passed', (model, id) => take(model, id, 109_001, 'passed'), /PASSED/],
  ["the guard's lock", (model, id) => lock(model, id), /locked/i],
  ['half of a floor', (model, id) => take(model, id, 98_500), /!/],
  ['80% of a floor', (model, id) => take(model, id, 97_600), /!!/],
  ['95% of a floor', (model, id) => take(model, id, 97_100), /!!!/],
];

function take(model: LiveModel, id: string, balance: number, status = 'active'): void {
  const account = {
    ...{ id, name: id, status, starting_balance: 100_000, balance },
    risk: {
      ...{ daily_loss_floor: 97_000, max_drawdown_floor: 95_000 },
      requirements: { daily_loss_pct: 3, max_drawdown_pct: 5 },
    },
  };
  const snapshot = { type: 'snapshot', seq: 1, time, account_id: id, account, positions: [], orders: [] };
  tell(model, snapshot as never);
  tell(model, { type: 'snapshot_end' } as never);
}

function lock(model: LiveModel, account: string): void {
  model.locks = new Map([[account, { account, since: 1, until: time + 5, why: 'daily stop' }]]);
}

/** A model with this many accounts, the first of which is on the screen. */
function modelOf(accounts: number): LiveModel {
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
  for (let at = 1; at <= accounts; at++) take(model, `acc_${at}`, 100_000);
  return model;
}

test('a share of a floor that is crossed back and forth is told once, and the next one again', () => {
  const model = modelOf(1);
  const told = new NewAlarms();
  const steps = [98_501, 98_499, 98_501, 98_499, 97_599, 97_601, 97_599].map((balance) => {
    take(model, 'acc_1', balance);
    return told.tell([model.account!], model);
  });
  assert.deepEqual(steps, [false, true, false, false, true, false, false]);
});

const output = 'a\n'.repeat(40);
const dialogs: readonly (Dialog | undefined)[] = [
  undefined,
  { stage: 'typing', text: 'order place BTC buy 1', cursor: 3, offers: ['0.05'] },
  { stage: 'asking', text: 'flatten', output, question: 'Close all?', isShown: true },
];
const views: readonly ScreenView[] = (['watching', 'help'] as const).flatMap((mode) =>
  [true, false].flatMap((isTrading) =>
    (['off', 'pane', 'whole'] as const).flatMap((ladder) =>
      dialogs.map((dialog) => ({ ...firstView, mode, isTrading, ladder, dialog })),
    ),
  ),
);
const sizes = [
  [200, 60],
  [120, 40],
  [80, 24],
  [50, 14],
  [20, 6],
  [10, 3],
] as const;
const guide = { look: () => {}, admits: () => true, rows: () => Array.from({ length: 9 }, () => ['guided']) };

function textsOf(model: LiveModel, view: ScreenView, [columns, rows]: (typeof sizes)[number]): string {
  const setting = { place: () => 'SIM', isHost: false, localTime: () => '06:00' };
  const shown = { ladder: new PriceLadder(), market: undefined, ticket: undefined, said: [], ownKeys: new Map() };
  const armed = view.isTrading
    ? { place: 'SIM', terms: '1 BTC', leftMs: 1, idleLeftMs: 1, reportsFocus: true, lostUsd: 0 }
    : undefined;
  const cockpit = { ...shown, armed, uptime: 0, guide };
  const glyphs = glyphsFor({ LANG: 'C.UTF-8' }, true);
  const frame = screenFrame(model, view, setting, { columns, rows }, glyphs, cockpit);
  assert.equal(frame.rows.length, rows);
  return frame.rows.map((row) => row.map(textOf).join('')).join('\n');
}

for (const [name, happens, shown] of alarms)
  test(`${name} is in the next frame of every view, at every size, and rings once`, () => {
    const model = modelOf(1);
    const bell = new Bell(new Emulator(80, 24));
    assert.equal(bell.isDue(model), false);
    for (const size of sizes) assert.doesNotMatch(textsOf(model, firstView, size), shown);
    happens(model, 'acc_1');
    for (const view of views)
      for (const size of sizes) assert.match(textsOf(model, view, size), shown, JSON.stringify({ ...view, size }));
    assert.equal(bell.isDue(model), true);
    bell.look(model);
    assert.equal(bell.isDue(model), false);
  });

test('alarms of other accounts are counted in every view', () => {
  for (const [name, happens, shown] of alarms) {
    const model = modelOf(5);
    happens(model, 'acc_5');
    for (const view of views.filter(({ dialog }) => dialog === undefined))
      for (const size of sizes.slice(0, 3))
        assert.match(/^All 5 accounts .*$/m.exec(textsOf(model, view, size))?.[0] ?? '', shown, `${name} ${size}`);
  }
});

test('without a terminal, lines have them too', () => {
  const model = modelOf(1);
  model.areLocksKnown = true;
  model.streams.heard('account', 'stream');
  take(model, 'acc_1', 97_600);
  lock(model, 'acc_1');
  const record = recordOf(model)!;
  assert.deepEqual([record.daily_loss_used, record.max_drawdown_used, record.lock !== null], [0.8, 0.48, true]);
  take(model, 'acc_1', 96_900, 'failed');
  assert.deepEqual([recordOf(model)!.status, recordOf(model)!.ended], ['failed', null]);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { merge } from '../../../src/desk/account/account-state.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { panels } from '../../../src/terminal/screen/panels.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';

const btc = { market_id: 'bybit|BTC', provider: 'bybit', symbol: 'BTC', coin: 'BTCUSDT' } as unknown as Market;
const listed = { held: [], orders: [] };

test('before the first answer, every panel says that it knows nothing yet', () => {
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
  const space = { columns: 80, listed, selected: 0, glyphs: glyphsFor({ LANG: 'C.UTF-8' }, true) };
  for (const panel of panels) {
    const rows = panel.rows(model, space).map((row) => row.map(textOf).join(''));
    assert.deepEqual(rows, [`${panel.title}: not known yet`], `items of ${panel.title} must be undefined at first`);
  }
});

test('docs/watch.md has a row for each panel, from top to bottom', () => {
  const text = readFileSync(new URL('../../../docs/watch.md', import.meta.url), 'utf8');
  const table = /^\| panel \|.*\n.*\n((?:\|.*\n)+)/m.exec(text)?.[1] ?? '';
  const rows = [...table.matchAll(/^\| ([^|]+) \| (above|below) \|/gm)].map(([, title, place]) => `${title} ${place}`);
  assert.deepEqual(
    rows,
    panels.map(({ title, place }) => `${title} ${place}`),
  );
});

test('what was read of one account is not told of another', () => {
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
  const read = { askedAt: 1 };
  model.states = merge(model.states, 'acc_1', 'parents', [], read);
  assert.equal(model.unstreamedOf('acc_1'), undefined);
  model.takeExits('acc_1', new Map());
  assert.deepEqual(model.unstreamedOf('acc_1')?.twaps, []);
  assert.equal(model.unstreamedOf('acc_2'), undefined);
  model.startOver();
  assert.equal(model.unstreamedOf('acc_1'), undefined);
});

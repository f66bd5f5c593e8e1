import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { reportPage } from '../../../src/terminal/cli/history/report-page.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, test, trial } from '../../tiers.ts';

const hostile = '</script><img src=x onerror=alert(1)> "quoted" & \'so\'';

describe('perp report', () => {
  const desk = new Desk();
  const file = join(desk.folder, 'report.html');
  let html = '';
  after(() => desk[Symbol.dispose]());
  before(async () => {
    await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
    const lines = [
      'order place BTC buy 0.1 --yes',
      'sim advance 30h',
      'close-all --yes',
      'order place ETH sell 2 --yes',
    ];
    const trading = join(desk.folder, 'trading.txt');
    writeFileSync(trading, [...lines, 'sim advance 2h'].join('\n'));
    assert.equal((await desk.perp(['batch', trading])).exit, 0);
    const [{ id }] = await desk.json('positions', '--closed');
    await desk.json('journal', 'note', id, hostile);
    await desk.json('journal', 'tag', id, 'breakout');
    assert.equal((await desk.perp(['report', '-o', file])).exit, 0);
    html = readFileSync(file, 'utf8');
  });

  const dataOf = () => JSON.parse(html.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)![1]!);

  trial('is a private file; an existing file is replaced only with --force', async () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const again = await desk.perp(['report', '-o', file, '--json']);
    assert.deepEqual([again.exit, again.error.code], [2, 'usage']);
    assert.equal((await desk.perp(['report', '-o', file, '--force'])).exit, 0);
    const [link, target] = [join(desk.folder, 'link.html'), join(desk.folder, 'published.html')];
    symlinkSync(target, link);
    writeFileSync(target, 'before');
    assert.equal((await desk.perp(['report', '-o', link])).exit, 2);
    assert.equal((await desk.perp(['report', '-o', link, '--force'])).exit, 0);
    assert.ok(lstatSync(link).isSymbolicLink(), 'the link stays, and its target is replaced');
    assert.match(readFileSync(target, 'utf8'), /^<!doctype html>/i);
    const nowhere = await desk.perp(['report', '-o', join(file, 'x.html'), '--json']);
    assert.deepEqual([nowhere.exit, nowhere.error.code], [2, 'usage']);
  });

  it('needs no network: its policy allows only its own two scripts', () => {
    const policy = html.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)![1]!.replaceAll('&#39;', "'");
    assert.match(policy, /^default-src 'none'; script-src 'sha256-\S+' 'sha256-\S+'; style-src 'unsafe-inline'$/);
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text!);
    assert.equal(scripts.length, 2);
    for (const text of scripts)
      assert.ok(policy.includes(`'sha256-${createHash('sha256').update(text).digest('base64')}'`));
    const markup = html.replaceAll(/<script.*?<\/script>/gs, '');
    assert.doesNotMatch(
      markup,
      /<(?:link|img|iframe|script|object|embed|base|form)\b|<[^>]*\b(?:src|href)="(?!#)|url\(|@import/i,
    );
  });

  it('says where it is from, and what is open', () => {
    assert.match(html, /SIM default, synthetic, account acc_000000001/);
    assert.match(html, /<h2>Open positions<\/h2>.*?ETH.*?<h2>Room above the floors/s);
  });

  it('shows notes as text, whatever they contain', () => {
    assert.ok(html.includes('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &#39;so&#39;'));
    assert.ok(!html.includes('<img'));
  });

  it('has the figures of perp pnl, and equity, candles and fills for the charts', async () => {
    const pnl = await desk.json('pnl');
    const money = (value: number) =>
      value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    for (const { net, day } of pnl.days) {
      const row = html.match(new RegExp(`<tr[^>]*><td>${day}</td>.*?</tr>`, 's'))![0];
      assert.ok(row.includes(money(net)), row);
    }
    const { equity, markets } = dataOf();
    assert.deepEqual(equity.at(-1).slice(1, 3), [pnl.equity, pnl.equity_history.at(-1).daily_loss_floor]);
    assert.deepEqual(markets.map(({ fills }: { fills: unknown[] }) => fills.length).sort(), [1, 2]);
    for (const { candles, fills } of markets) {
      const times = new Set(candles.map(([time]: [number]) => time));
      for (const [time] of fills) assert.ok(times.has(time), 'every fill is on a candle');
    }
  });

  it('exists for an account that never traded', async () => {
    using idle = new Desk();
    const run = await idle.perp(['report', '-o', join(idle.folder, 'idle.html')]);
    assert.equal(run.exit, 0, run.err);
  });
});

test('whatever a host sends, a report has no raw control or invisible characters', () => {
  const controls = 'a\u001b[2J\u0007\u009b31m\u202e\u2066\u200bz';
  const html = reportPage({
    title: controls,
    verdict: controls,
    subject: controls,
    before: [],
    between: [],
    figures: [[controls, { text: controls, tone: 'bad' }]],
    equity: [[1, 2, null, null]],
    markets: [
      { marketId: controls, name: controls, interval: controls, decimals: 1, candles: [], fills: [[1, controls, 2]] },
    ],
    tables: [{ title: controls, columns: [{ header: controls, cell: () => controls }], rows: [{}] }],
    remarks: [controls],
    library: '',
  });
  assert.deepEqual(html.match(/[^\n\P{Cc}]|[\u202e\u2066\u200b]/gu), null);
  assert.match(html, /a\\u001b\[2J/);
});

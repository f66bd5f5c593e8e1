import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { serve } from '../../../src/service/serve.ts';
import { issueKey } from '../../service/serving.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { Emulator } from '../../terminal/screen/emulator.ts';
import { it, trial } from '../../tiers.ts';

const begin = Date.UTC(2026, 10, 20, 20);
const market = {
  market_id: 'binance|BTCUSDT',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  size_decimals: 3,
  tick: '0.1',
  max_leverage: 10,
  category: 'crypto',
};

/** A desk on a recording: one book per second, with these mids. */
async function recorded(...mids: number[]): Promise<Desk> {
  const desk = new Desk();
  const lines = mids.map((mid, at) => ({
    time: begin + (at + 1) * 1000,
    market_id: market.market_id,
    bids: [[(mid - 0.1).toFixed(1), '50']],
    asks: [[(mid + 0.1).toFixed(1), '50']],
  }));
  const file = join(desk.folder, 'tape.jsonl');
  const text = [{ time: begin, market }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(file, text);
  await desk.json('markets', '--books', file, '--clock', 'manual', '--state', 'default');
  await desk.json('sim', 'advance', '1s');
  return desk;
}

const failed =
  /^FAILED 2026-11-20 20:00:03Z, maximum drawdown: equity 96,871\.10 touched 97,000\.00, closed BTC at 92899\.9 \(Challenge 1, acc_000000001\)\nNext: perp sim reset starts over\.$/m;

describe('an account that fails', () => {
  trial('is announced once, by the command that advances time past the failure', async () => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    const before = await desk.perp(['sim', 'advance', '1s']);
    assert.doesNotMatch(before.err, /FAILED/);
    const through = await desk.perp(['sim', 'advance', '1s']);
    assert.match(through.err, failed);
    assert.match(through.out, /1 fill/);
    assert.doesNotMatch((await desk.perp(['quote', 'BTC'])).err, /FAILED/);
  });

  it('is announced by any command that prints notes; --quiet leaves it to the next command', async () => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    assert.equal((await desk.perp(['sim', 'advance', '2s', '--quiet'])).err, '');
    const run = await desk.perp(['quote', 'BTC', '--json']);
    assert.match(run.err, failed);
    assert.equal(run.json.status, 'ok');
  });

  trial('is marked wherever it appears', async () => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    await desk.perp(['sim', 'advance', '2s']);
    const line = /FAILED 2026-11-20 20:00:03Z, maximum drawdown: equity 96,871\.10 touched 97,000\.00/;
    assert.match((await desk.perp(['accounts', 'show'])).out, line);
    assert.match((await desk.perp(['sim', 'status'])).out, line);
    for (const words of ['positions', 'fills', 'order list', 'pnl', 'twap list', 'positions --closed']) {
      const { out, err } = await desk.perp(words.split(' '));
      assert.match(out + err, line, words);
      assert.match(out + err, /Next: perp sim reset starts over\./, words);
    }
    assert.match((await desk.perp(['accounts'])).out, /failed +2026-11-20 20:00:03Z, maximum drawdown/);
    const { computed } = await desk.json('accounts', 'show');
    const { at, rule_id, bound } = computed.ended;
    assert.deepEqual([at, rule_id, bound], [begin + 3000, 'maximum-drawdown', 97_000]);
    assert.deepEqual(
      [computed.ended.closes[0].price, (await desk.json('pnl')).ended.closes[0].price],
      [92_899.9, 92_899.9],
    );
    const { out } = await desk.perp(['accounts', 'show']);
    assert.doesNotMatch(out, /left \(floor|to go/, 'rooms and target are those of a living account');
    const file = join(desk.folder, 'report.html');
    await desk.perp(['report', '-o', file]);
    assert.match(readFileSync(file, 'utf8'), line);
    const refused = await desk.perp(['order', 'place', 'BTC', 'buy', '0.1', '--json']);
    assert.equal(refused.error.rule_id, 'account-not-active');
    assert.match(refused.err, line);
  });

  it('cancels its orders and ends its strategies, with the reason', async () => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    const { id: order } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '50000');
    const { id: twap } = await desk.json('twap', 'place', 'BTC', 'sell', '0.1', '--duration', '30m');
    await desk.perp(['sim', 'advance', '2s']);
    const { status, reject_reason } = await desk.json('order', 'show', order);
    assert.deepEqual([status, reject_reason], ['canceled', 'canceled_by_exchange']);
    const ended = await desk.json('twap', 'show', twap);
    assert.deepEqual([ended.status, ended.completion_reason], ['canceled', 'account_closed']);
  });

  it('is announced again in a state that was started over', async () => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900, 96_000, 92_000);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    await desk.perp(['sim', 'advance', '3s']);
    await desk.json('sim', 'reset', '--yes');
    assert.doesNotMatch((await desk.perp(['accounts', 'show'])).out, /FAILED/);
    await desk.perp(['sim', 'advance', '1s']);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    assert.match((await desk.perp(['sim', 'advance', '5s'])).err, /^FAILED/m);
  });

  it('is announced by a batch', async () => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    const file = join(desk.folder, 'lines.txt');
    writeFileSync(file, 'sim advance 2s\n');
    assert.match((await desk.perp(['batch', file])).err, failed);
  });

  it('is announced by a command that asks a served simulation', async (t) => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    const stateDir = desk.variables.PERP_STATE_DIR!;
    const serving = await serve({ stateDir, state: 'default', port: 0, sandboxPort: 0, drainMs: 50 });
    t.after(() => serving.stop());
    await fetch(`${serving.baseUrl}/sim/advance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${serving.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ duration_ms: 2000 }),
    });
    assert.match((await desk.perp(['quote', 'BTC'])).err, failed);
    assert.doesNotMatch((await desk.perp(['quote', 'BTC'])).err, /FAILED/);
    const variables = { PERP_ENV: 'live', PERP_BASE_URL: serving.baseUrl, PERP_API_KEY: issueKey(serving) };
    const host = await desk.perp(['accounts', 'show'], { variables });
    const inferred = /^FAILED 2026-11-20 20:00:03Z, maximum drawdown: balance 96,843\.13, closed BTC at 92899\.9$/m;
    assert.match(host.out, inferred, 'when and at what price, from the closing fill');
    assert.doesNotMatch(host.out, /daily loss|profit target/);
    const refused = await desk.perp(['order', 'place', 'BTC', 'buy', '0.1'], { variables });
    assert.notEqual(refused.exit, 0);
    assert.match(refused.err, /Next: this account no longer trades/);
    const day = await desk.perp(['day'], { variables });
    assert.match(day.out, inferred);
    assert.doesNotMatch(day.out, /What is left of it|next daily floor/, 'it lives no more');
  });

  it('has passed on a host when the closing order filled, not when it was placed', async (t) => {
    using desk = await recorded(96_000, 97_000, 105_100, 105_100);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    await desk.json('positions', 'close', 'BTC', '--limit-price', '105090');
    await desk.json('sim', 'advance', '2s');
    const stateDir = desk.variables.PERP_STATE_DIR!;
    const serving = await serve({ stateDir, state: 'default', port: 0, sandboxPort: 0, drainMs: 50 });
    t.after(() => serving.stop());
    const variables = { PERP_ENV: 'live', PERP_BASE_URL: serving.baseUrl, PERP_API_KEY: issueKey(serving) };
    assert.match((await desk.perp(['accounts', 'show'], { variables })).out, /^PASSED 2026-11-20 20:00:03Z/m);
  });
});

/** What the live screen wrote to its terminal, as one text. */
const bells = (screen: Emulator) => screen.written.join('').split('\u0007').length - 1;
const onScreen = { LANG: 'C.UTF-8' };

describe('the end of an account on the live screen', () => {
  trial('is shown with the next step when it happens, and rings the bell once', async (t) => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    const screen = new Emulator(120, 30);
    const run = desk.perp(['watch'], { terminal: true, screen, variables: onScreen });
    t.after(() => screen.press('escape', 'q'));
    await screen.shows(/daily loss .* [\d,.]+ left +floor 97,000\.00[\s\S]*BTC +long +1/);
    assert.equal(bells(screen), 0);
    await desk.perp(['sim', 'advance', '2s']);
    const shown = await screen.shows(
      /FAILED 2026-11-20 20:00:03Z, maximum drawdown: equity 96,871\.10 touched 97,000\.00, closed BTC at 92899\.9\nNext: perp sim reset starts over/,
    );
    assert.doesNotMatch(shown, /daily loss|to go/);
    screen.press('q');
    await run;
    assert.equal(bells(screen), 1);
  });

  it('is shown when it happened before, there and in a pipe', async (t) => {
    using desk = await recorded(96_000, 95_000, 92_900, 92_900);
    await desk.json('order', 'place', 'BTC', 'buy', '1');
    await desk.perp(['sim', 'advance', '2s']);
    const screen = new Emulator(80, 24);
    const run = desk.perp(['watch'], { terminal: true, screen, variables: onScreen });
    t.after(() => screen.press('escape', 'q'));
    const [plain, ndjson] = await Promise.all([
      desk.perp(['watch', '--for', '2s']),
      desk.perp(['watch', '--for', '2s', '-o', 'ndjson']),
    ]);
    assert.match(plain.out, /FAILED 2026-11-20 20:00:03Z, maximum drawdown: .*Next: perp sim reset starts over/);
    const { ended, daily_loss_room, remaining_profit } = JSON.parse(ndjson.out.split('\n')[0]!);
    assert.deepEqual([ended.rule_id, ended.closes[0].price], ['maximum-drawdown', 92_899.9]);
    assert.deepEqual([daily_loss_room, remaining_profit], [null, null]);
    const seen = await screen.shows(/FAILED 2026-11-20 20:00:03Z, maximum drawdown: equity 96,871\.10/);
    assert.match(seen, /touched\s+97,000\.00,\s+closed\s+BTC\s+at\s+92899\.9\nNext: /, 'nothing is cut off');
    screen.press('q');
    await run;
    assert.equal(bells(screen), 1);
  });
});

it('passing is announced with the balance and the target', async () => {
  using desk = await recorded(96_000, 97_000, 105_100, 105_100);
  await desk.json('order', 'place', 'BTC', 'buy', '1');
  await desk.json('sim', 'advance', '2s');
  const { err } = await desk.perp(['positions', 'close', 'BTC']);
  assert.match(
    err,
    /^PASSED 2026-11-20 20:00:03Z: balance 109,0\d\d\.\d\d reached 109,000\.00, closed BTC at 105099\.9 \(Challenge 1, .*\)\nNext: perp sim fund acc_000000001 opens the funded account\.$/m,
  );
  assert.match((await desk.perp(['accounts', 'show'])).out, /^PASSED/m);
});

it('an account that passed gets one funded successor, with the same plan and no target', async () => {
  using desk = await recorded(90_000, 95_000, 99_999, 99_999);
  await desk.json('order', 'place', 'BTC', 'buy', '1');
  const early = await desk.perp(['sim', 'fund', 'acc_000000001', '--json']);
  assert.deepEqual([early.exit, early.error.code], [6, 'conflict']);
  await desk.perp(['sim', 'advance', '2s']);
  await desk.json('positions', 'close', 'BTC');
  const funded = await desk.json('sim', 'fund', 'acc_000000001');
  assert.deepEqual([funded.stage, funded.status, funded.balance], ['funded', 'active', 100_000]);
  assert.equal((await desk.json('accounts')).length, 2);
  const names = (await desk.perp(['accounts'])).out.match(/Challenge 1(?: \(funded\))?/g);
  assert.deepEqual(names?.sort(), ['Challenge 1', 'Challenge 1 (funded)']);
  assert.equal((await desk.perp(['sim', 'fund', 'acc_000000001'])).exit, 6);
});

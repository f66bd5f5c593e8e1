import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MandateFiles } from '../../../src/bots/gate/mandate-files.ts';
import { mandateText, type NamedMandate, suggestedMandate } from '../../../src/desk/mandate/mandate-file.ts';
import { readSigned, signMandate } from '../../../src/desk/mandate/signed.ts';

const signed = suggestedMandate(
  { name: 'bot', account: 'acc_1', markets: ['binance|BTCUSDT'] },
  { equity: 100_000, room: 3_000, leverage: 3 },
  0,
);

/** A folder with the signed mandate of `bot`, and its file. */
function desk(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'perp-mandates-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const variables = { HOME: folder, PERP_CONFIG_DIR: join(folder, 'config'), PERP_STATE_DIR: join(folder, 'state') };
  signMandate(variables, signed, 0);
  const file = join(folder, 'bot.toml');
  const write = (mandate: NamedMandate) => writeFileSync(file, mandateText(mandate));
  write(signed);
  const notes: string[] = [];
  return {
    folder,
    variables,
    file,
    write,
    notes,
    open: () => new MandateFiles([file], variables, notes.push.bind(notes)),
  };
}

test('a file that says what was signed is in force without a word; a looser one only as it was signed, with a note', (t) => {
  const { write, notes, open } = desk(t);
  {
    using files = open();
    assert.deepEqual(files.inForce.get('bot'), signed);
    assert.deepEqual(notes, []);
  }
  write({ ...signed, largestOrderUsd: signed.largestOrderUsd + 1, ordersPerMinute: 1 });
  using files = open();
  assert.deepEqual(files.inForce.get('bot'), { ...signed, ordersPerMinute: 1 });
  assert.deepEqual(notes, ['The mandate file of bot loosens largest-order; the signed values apply.']);
});

test('what changes in a file counts within a second; while it is broken, its bot may do nothing', (t) => {
  using timers = t.mock.timers;
  timers.enable({ apis: ['setInterval'] });
  const { file, write, notes, open } = desk(t);
  using files = open();
  const after = (change: () => void) => {
    change();
    notes.length = 0;
    timers.tick(1_000);
    return [files.inForce.get('bot')?.ordersPerMinute, ...notes];
  };
  const same = signed.ordersPerMinute;
  assert.deepEqual(
    after(() => {}),
    [same],
  );
  assert.deepEqual(
    after(() => write({ ...signed, ordersPerMinute: 1 })),
    [1, 'The mandate of bot has changed.'],
  );
  assert.deepEqual(
    after(() => write({ ...signed, ordersPerMinute: 1 })),
    [1],
  );
  const [count, problem, ...others] = after(() => writeFileSync(file, 'name = true\n'));
  assert.deepEqual([count, others], [undefined, []]);
  assert.match(String(problem), /bot\.toml, line 1.* Its bot can't do anything until you fix the file\.$/);
  assert.deepEqual(
    after(() => {}),
    [undefined],
    'said once',
  );
  assert.deepEqual(
    after(() => write(signed)),
    [same, 'The mandate of bot has changed.'],
  );
});

test('a signed copy counts only under the name that was signed', (t) => {
  const { variables } = desk(t);
  assert.deepEqual(readSigned(variables, 'bot')?.mandate, signed);
  const folder = join(variables.PERP_STATE_DIR, 'owner', 'mandates');
  renameSync(join(folder, 'bot.json'), join(folder, 'other.json'));
  assert.equal(readSigned(variables, 'bot'), undefined);
  assert.throws(() => readSigned(variables, 'other'), /is not valid: it is the mandate of bot/);
});

import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, installed, noFullDevice, perp, sh } from './installed.ts';

installed();

test('a pipe that no longer waits for its reader gets the whole output too', () => {
  // Node makes a pipe non-blocking for all of its writers; if killed, it does not restore it.
  const unwaiting = `'${process.execPath}' -e 'process.stdout.write(" "); process.kill(process.pid, "SIGKILL")'`;
  const run = sh(`{ ${unwaiting} || perp candles BTC --limit 1000 --json; } | cat`);
  assert.equal((JSON.parse(run.out) as unknown[]).length, 1000);
});

test('a full disk under stdout prints one clear message, no stack trace, and never exits 0', {
  skip: noFullDevice,
}, () => {
  const table = sh('perp markets >/dev/full && echo done || echo "exit $?" >&2');
  assert.equal(table.out, '');
  assert.match(
    table.err,
    /^SIM default, synthetic\nError: The output can't be written: ENOSPC.*\n.*try again\.\nexit 7\n$/,
  );
  const order = sh('perp order place BTC buy 0.001 --json >/dev/full || [ $? = 8 ]');
  assert.equal(order.exit, 0);
  const { code, hint } = JSON.parse(order.err.trim().split('\n').at(-1)!).error;
  assert.deepEqual([code, /before repeating it/.test(hint)], ['output_lost', true]);
});

test('a compile cache that other users could write to is not used', () => {
  const homes = mkdtempSync(join(folder, 'caches-'));
  const cases: [name: string, isUsed: boolean, spoil: (home: string) => void][] = [
    ['new', true, () => {}],
    ['own', true, (home) => mkdirSync(join(home, 'perp'), { mode: 0o700 })],
    ['everybody’s', false, (home) => chmodSync(made(home), 0o777)],
    ['the group’s', false, (home) => chmodSync(made(home), 0o770)],
    ['below everybody’s', false, (home) => chmodSync(join(made(home), '..'), 0o777)],
    ['below a sticky one', true, (home) => chmodSync(join(made(home), '..'), 0o1777)],
    ['a link to everybody’s', false, (home) => symlinkSync(chmodded(join(home, 'other'), 0o777), join(home, 'perp'))],
  ];
  // Only root can change a folder's owner.
  if (process.getuid?.() === 0) {
    cases.push(['somebody else’s', false, (home) => chownSync(made(home), 12_345, 12_345)]);
    cases.push(['below another user’s', false, (home) => chownSync(join(made(home), '..'), 12_345, 12_345)]);
  }
  for (const [name, isUsed, spoil] of cases) {
    const home = join(homes, name);
    mkdirSync(home);
    spoil(home);
    const { exit, err } = perp(['--version'], { XDG_CACHE_HOME: home, TMPDIR: home });
    assert.equal(exit, 0, err);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    assert.equal(files.length > 0, isUsed, name);
  }
});

/** The files of compiled code below this home, by name. */
function compiledIn(home: string): Map<string, Buffer> {
  const folder = join(home, 'perp');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

test('what a run compiled is used by the next run of the command, unless somebody has changed it', () => {
  const home = mkdtempSync(join(folder, 'compiled-'));
  const markets = () => assert.equal(perp(['markets', '--json'], { XDG_CACHE_HOME: home }).exit, 0);
  markets();
  const [[name, code]] = [...compiledIn(home)] as [[string, Buffer]];
  assert.match(name, /^markets-perp-\w+-js-v\d+/);
  markets();
  assert.deepEqual(compiledIn(home).get(name), code, 'not written again');

  const damaged = Buffer.from(code);
  damaged.fill(0x5a, damaged.length >> 1, (damaged.length >> 1) + 1_000);
  for (const bytes of [damaged, code.subarray(0, code.length >> 1), Buffer.alloc(100), Buffer.from('null\n')]) {
    writeFileSync(join(home, 'perp', name), bytes);
    markets();
    const renewed = compiledIn(home).get(name)!;
    assert.ok(renewed.length > 100_000 && !renewed.equals(bytes), 'written again');
  }
});

test('a failed run keeps nothing, and what another build left unused for a week goes, and nothing else', () => {
  const home = mkdtempSync(join(folder, 'old-'));
  const cache = chmodded(join(home, 'perp'), 0o700);
  const other = 'quote-perp-OLD-js-v24.15.0-x64';
  const kept = ['default.db', 'intents', 'quote-perp-NEW-js-v24.15.0-x64'];
  for (const name of [other, `${other}.17`, ...kept]) writeFileSync(join(cache, name), '');
  const eightDaysAgo = Date.now() / 1_000 - 8 * 86_400;
  for (const name of [other, `${other}.17`, 'default.db', 'intents'])
    utimesSync(join(cache, name), eightDaysAgo, eightDaysAgo);
  assert.equal(perp(['quote', 'NOPE'], { XDG_CACHE_HOME: home }).exit, 3);
  assert.equal(compiledIn(home).size, 5);
  assert.equal(perp(['markets'], { XDG_CACHE_HOME: home }).exit, 0);
  const [own] = [...compiledIn(home).keys()].filter((name) => name.startsWith('markets-'));
  assert.deepEqual([...compiledIn(home).keys()].sort(), [...kept, own].sort());
});

function chmodded(path: string, mode: number): string {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

function made(home: string): string {
  return chmodded(join(home, 'perp'), 0o700);
}

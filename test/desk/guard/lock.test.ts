import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** A day whose number of trades reaches the limit of one, so that a guard locks the account. */
let desk: Desk;
const manual = ['--clock', 'manual'];
const cross = ['--leverage', '2', '--margin', 'cross'];
const buy = ['order', 'place', 'BTC', 'buy', '0.05', ...cross];
let limit = '';
let order = '';

beforeEach(async () => {
  desk = new Desk();
  await desk.json('sim', 'reset', '--plan', 'none', '--yes', ...manual);
  await desk.json(...buy);
  const { bid } = await desk.json('quote', 'BTC');
  limit = String(Math.round(bid * 0.9));
  order = (await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', limit, ...cross)).id;
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, '[max-trades]\ntrades = 1\n');
  const { exit, out } = await desk.perp(['guard', '--once', '--rules', rules]);
  assert.equal(exit, 0, out);
  assert.match(out, /1 trade today \(limit 1\); now: lock\n.*Locked until/);
});
afterEach(() => desk[Symbol.dispose]());

const locks = () => {
  const guards = join(desk.folder, 'state', 'guard');
  const [place] = readdirSync(guards);
  return join(guards, place!, 'locks');
};

trial('every command that adds exposure is refused with exit 5', async () => {
  const commands = [
    buy,
    ['order', 'place', 'BTC', 'sell', '0.05', ...cross],
    ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', limit, ...cross],
    ['order', 'amend', order, '--price', limit],
    ['twap', 'place', 'BTC', 'buy', '0.05', '--duration', '10m', ...cross],
    [
      'scaled',
      'place',
      'BTC',
      'buy',
      '0.05',
      '--from',
      limit,
      '--to',
      String(Number(limit) - 100),
      '--rungs',
      '2',
      ...cross,
    ],
  ];
  for (const words of commands) {
    const { exit, error } = await desk.perp([...words, '--json']);
    assert.deepEqual([exit, error.code], [5, 'guard_lock'], words.join(' '));
    assert.match(error.message, /is locked until .*: 1 trade today \(limit 1\)\. Nothing was sent\./);
  }
  assert.equal((await desk.json('order', 'list', '--status', 'working')).length, 1);
});

test("a table says the lock until the exchange's time is past its end, whatever the machine's clock says", async () => {
  const said = async () => /Locked by the guard until/.test((await desk.perp(['positions'])).err);
  assert.equal(await said(), true);
  await desk.json('sim', 'advance', '1d');
  assert.equal(await said(), false);
});

test('a batch is refused line by line, and on a terminal nothing is prompted for', async () => {
  const file = join(desk.folder, 'batch.txt');
  writeFileSync(file, `${buy.join(' ')}\npositions list\n`);
  const batch = await desk.perp(['batch', file]);
  const lines = batch.out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  assert.deepEqual(
    lines.map(({ exit, error }) => [exit, error?.code]),
    [
      [5, 'guard_lock'],
      [0, undefined],
    ],
  );
  const asked = await desk.perp(buy, { terminal: true });
  assert.deepEqual([asked.exit, desk.questions], [5, []]);
});

test('reductions are allowed, and nothing is left in the intent files', async () => {
  await desk.json('order', 'place', 'BTC', 'sell', '0.01', '--reduce-only');
  await desk.json('positions', 'close', 'BTC', '--size', '0.01');
  await desk.json('order', 'cancel', order);
  assert.deepEqual(await desk.json('pending', 'list'), []);
});

test('another simulation is not locked', async () => {
  await desk.json(...buy, '--state', 'other');
});

test('the lock ends with the day, by the clock of the exchange', async () => {
  const { lock } = await desk.json('guard', 'status');
  await desk.json('sim', 'advance', '--to', new Date(lock.until - 1000).toISOString());
  assert.equal((await desk.perp(buy)).exit, 5);
  await desk.json('sim', 'advance', '1s');
  await desk.json(...buy);
  assert.equal((await desk.json('guard', 'status')).lock, null);
});

test('unlocking needs confirmation, and a damaged lock holds until then', async () => {
  const rules = join(desk.folder, 'rules.toml');
  const [file] = readdirSync(locks());
  writeFileSync(join(locks(), file!), 'damaged');
  const refused = await desk.perp([...buy, '--json']);
  assert.deepEqual([refused.exit, refused.error.code], [5, 'guard_lock']);
  assert.equal((await desk.perp(['guard', 'unlock'])).exit, 2);
  assert.equal((await desk.perp(['guard', 'unlock'], { terminal: true, answer: false })).exit, 130);
  assert.deepEqual(await desk.json('guard', 'unlock', '--yes'), { account_id: 'acc_000000001', unlocked: true });
  await desk.json(...buy);
  // The rule has fired today, so it does not lock again.
  await desk.perp(['guard', '--once', '--rules', rules]);
  assert.equal((await desk.json('guard', 'status')).lock, null);
});

test('a reset simulation is unlocked', async () => {
  writeFileSync(join(desk.folder, 'rules.toml'), '[no-trade]\nhours = "00:00-24:00"\n');
  await desk.perp(['guard', '--once', '--rules', join(desk.folder, 'rules.toml')]);
  assert.notEqual((await desk.json('guard', 'status')).lock, null);
  await desk.json('sim', 'reset', '--plan', 'none', '--yes', ...manual);
  assert.equal((await desk.json('guard', 'status')).lock, null);
});

trial('the lock is shown wherever the account is, with readable times', async () => {
  const until = /until \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ: 1 trade today/;
  const shown = async (words: string) => {
    const { out, err } = await desk.perp(words.split(' '));
    return out + err;
  };
  for (const words of ['accounts show', 'whoami', 'positions']) assert.match(await shown(words), until, words);
  // However slow the machine is.
  let watched = '';
  for (let ms = 500; !until.test(watched) && ms < 60_000; ms *= 3) watched = await shown(`watch --for ${ms}ms`);
  assert.match(watched, until);
  assert.match((await desk.perp(['accounts'], { columns: 160, terminal: true })).out, /LOCKED[\s\S]*until \d{4}-/);
  assert.ok((await desk.json('accounts', 'show')).computed.lock.until > 0);
  assert.equal((await desk.json('whoami')).locks.length, 1);
  const { err } = await desk.perp(buy);
  assert.match(err, / {2}since: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n {2}until: \d{4}-/);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Desk } from '../../terminal/cli/practice.ts';

const cross = ['--leverage', '2', '--margin', 'cross'];
const locked = 'acc_000000001';
const lead = 'acc_000000002';

type Random = () => number;
type Tried = { refused: number; done: number };

/**
 * Draws commands for an account under a lock, which holds a long and a short position and resting orders, and for the
 * lead that it copies with `copies`. Draws `count`, and more until one was refused. Returns how many were refused by
 * the lock, after checking that none made a position larger.
 */
export async function tryLockedCommands(count: number, random: Random, copies: boolean): Promise<Tried> {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--plan', 'none', '--yes', '--clock', 'manual', '--accounts', '2');
  await desk.json('order', 'place', 'BTC', 'buy', '0.5', ...cross, '--account', locked);
  await desk.json('order', 'place', 'ETH', 'sell', '5', ...cross, '--account', locked);
  const { bid } = await desk.json('quote', 'BTC');
  const resting: string[] = [];
  for (const far of [0.9, 0.8]) {
    const price = ['--limit-price', String(Math.round(bid * far))];
    resting.push((await desk.json('order', 'place', 'BTC', 'buy', '0.1', ...price, ...cross, '--account', locked)).id);
  }
  if (copies) await desk.json('copy', 'save', '--lead', lead, '--follower', locked, '--enable', '--yes');
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, '[no-trade]\nhours = "00:00-24:00"\n');
  assert.equal((await desk.perp(['guard', '--once', '--rules', rules, '--account', locked])).exit, 0);
  const done = { refused: 0, done: 0 };
  let before = await sizes(desk);
  for (let nth = 0; nth < count || done.refused === 0; nth++) {
    const words = drawCommand(random, resting, bid);
    const { exit, err } = await desk.perp([...words, '--yes', '--json']);
    if (err.includes('"guard_lock"')) done.refused += 1;
    else if (exit === 0) done.done += 1;
    const after = await sizes(desk);
    for (const [market, size] of after)
      assert.ok(Math.abs(size) <= Math.abs(before.get(market) ?? 0), `${words.join(' ')}: ${market} ${size}`);
    for (const [market, size] of after)
      assert.ok(size * before.get(market)! > 0, `${words.join(' ')}: ${market} flipped`);
    before = after;
  }
  return done;
}

/** The signed size of each position of the locked account, by market. */
async function sizes(desk: Desk): Promise<Map<string, number>> {
  const rows: { market_id: string; side: string; size: number }[] = await desk.json('positions', '--account', locked);
  return new Map(rows.map(({ market_id, side, size }) => [market_id, side === 'long' ? size : -size]));
}

function drawCommand(random: Random, resting: readonly string[], bid: number): string[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const account = ['--account', pick([locked, locked, lead])];
  const market = pick(['BTC', 'ETH', 'SOL']);
  const side = pick(['buy', 'sell']);
  const size = String(Number((0.001 + random() * 0.05).toFixed(3)));
  const price = String(Math.round(bid * (0.8 + random() * 0.4)));
  const reduce = random() < 0.4 ? ['--reduce-only'] : [];
  const own = [...cross, ...account];
  return pick([
    () => ['order', 'place', market, side, size, ...reduce, ...own],
    () => ['order', 'place', 'BTC', side, size, '--limit-price', price, ...reduce, ...own],
    () => ['order', 'place', 'BTC', side, size, '--type', 'stop_market', '--trigger-price', price, ...reduce, ...own],
    () => ['order', 'amend', pick(resting), '--price', price, ...account],
    () => ['order', 'amend', pick(resting), '--size', size, ...account],
    () => ['order', 'cancel', pick(resting), ...account],
    () => ['twap', 'place', market, side, size, '--duration', '10m', ...reduce, ...own],
    () => [
      'scaled',
      'place',
      'BTC',
      side,
      size,
      '--from',
      price,
      '--to',
      String(Math.round(bid)),
      '--rungs',
      '2',
      ...own,
    ],
    () => ['positions', 'close', market, '--size', '1%', ...account],
    () => ['reverse', market, ...account],
    () => ['stop', market, pick(['1%', '5%', 'entry']), ...account],
    () => ['target', market, '3%', ...account],
    () => ['copy', 'save', '--lead', lead, '--follower', locked, '--enable'],
    () => ['copy', 'save', '--lead', locked, '--follower', lead, '--enable'],
    () => ['copy', 'enable', 'copy_000000001'],
    () => ['cancel-all', ...account],
  ])();
}

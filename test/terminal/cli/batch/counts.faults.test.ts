import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cannotFail, FaultyDisk } from '../../../faulty-disk/faulty-disk.ts';
import { BuiltRun, buildPerp, machine, type Served, servedWorld } from '../built-perp.ts';

const here = machine();
let served: Served;

before(async () => {
  buildPerp();
  served = await servedWorld(here.variables);
});
after(async () => {
  await served.stop();
  here.remove();
});

/** What a batch of market orders costs: requests by method, and calls on files of the state folder. */
async function costOf(orders: number, disk: FaultyDisk, onlySyncs: boolean) {
  disk.arm({ at: 0, onlySyncs });
  const variables = { ...here.variables, ...disk.variables(here.variables.PERP_STATE_DIR!) };
  const startedAt = performance.now();
  const run = new BuiltRun(['batch', '--debug'], variables);
  run.process.stdin.end(
    Array.from({ length: orders }, (_, line) => `order place BTC ${line % 2 === 0 ? 'buy' : 'sell'} 0.001`).join('\n'),
  );
  const { exit, out, err } = await run.ended;
  assert.equal(exit, 0, err);
  assert.equal(out.match(/"status":"filled"/g)?.length, orders, out.slice(-400));
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  const made = (method: string) => err.match(new RegExp(`^debug: ${method} `, 'gm'))?.length ?? 0;
  return { posts: made('POST'), reads: made('GET'), calls: disk.calls, seconds };
}

test('of many waiting orders without a stop, each costs one request, at most a tenth of a sync, and no other file', {
  skip: cannotFail,
}, async (t) => {
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const orders = 240;
  const synced = await costOf(orders, disk, true);
  assert.equal(synced.posts, orders);
  // Prices, the account, its orders and its positions are read again each second; markets and accounts once.
  assert.ok(synced.reads <= 2 + 4 * (synced.seconds + 1), `${synced.reads} reads in ${synced.seconds} s`);
  // Fewer than one for sixteen lines; each second, the lines that read again in their turn have syncs of their own.
  const syncs = orders / 16 + 3 * (synced.seconds + 1);
  assert.ok(synced.calls <= syncs, `${synced.calls} syncs in ${synced.seconds} s`);
  const [few, many] = [await costOf(40, disk, false), await costOf(40 + orders, disk, false)];
  // One write of lines to the intent file, and a look at the folders of intents and locks.
  const calls = many.calls - few.calls;
  assert.ok(calls <= 3.2 * orders + 8 * (many.seconds + 1), `${calls} calls on files in ${many.seconds} s`);
});

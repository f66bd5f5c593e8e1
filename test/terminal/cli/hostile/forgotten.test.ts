import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { lineOf, type Note } from '../../../../src/desk/intents/note.ts';
import type { Behavior, HostAnswer } from './fake-host.ts';
import { Lane } from './lane.ts';

const place = 'order place BTC buy 0.5 --limit-price 60000 --leverage 2 --margin cross --force --timeout 20 --json';
const close = 'positions close pos_1 --timeout 20 --json';

/** A host that keeps no key at all: every delivery makes an order. */
class ForgetfulHost {
  readonly orders: object[] = [];
  /** Fates of the next writes. */
  fates: ('answered' | 'delivered' | 'dropped')[] = [];
  isReadable = true;

  readonly behave: Behavior = (id, honest) => {
    if (id === 'listOrders') return this.#listed();
    if (id !== 'createOrder' && id !== 'closePosition') return honest;
    const fate = this.fates.shift() ?? 'answered';
    const { data } = honest.body as { data: object };
    if (fate !== 'dropped') this.orders.push({ ...data, id: `ord_${this.orders.length + 1}` });
    return fate === 'answered' ? honest : 'cut';
  };

  #listed(): HostAnswer {
    if (!this.isReadable) return { status: 401, body: { error: { code: 'unauthorized', message: 'no' } } };
    return { status: 200, body: { data: this.orders.slice(0, 1), has_more: false } };
  }
}

let lane: Lane;
let host: ForgetfulHost;
before(async () => {
  lane = await Lane.open(0.05);
});
beforeEach(() => {
  host = new ForgetfulHost();
});
after(() => lane.close());

const run = (command: string) => lane.run(command, host.behave);

for (const [what, command] of [
  ['an order', place],
  ['a close', close],
] as const) {
  test(`${what} that got no answer is looked up by its client order id, and repeated only if it is absent`, async () => {
    host.fates = ['delivered'];
    const arrived = await run(command);
    assert.equal(arrived.exit, 0, arrived.err);
    assert.match(arrived.err, /The write got no answer, but it arrived: order ord_1 is \w+\./);
    assert.deepEqual([host.orders.length, arrived.json.id], [1, 'ord_1']);

    host.orders.length = 0;
    host.fates = ['dropped'];
    const repeated = await run(command);
    assert.equal(repeated.exit, 0, repeated.err);
    assert.match(repeated.err, /was not done, so perp sent it again\. It is done now\./);
    assert.equal(host.orders.length, 1);
  });

  test(`${what} that can’t be looked up is not repeated: exit 8, also when it is resumed`, async () => {
    host.fates = ['delivered'];
    host.isReadable = false;
    const { exit, error } = await run(command);
    assert.deepEqual([exit, error.code], [8, 'outcome_unknown']);
    assert.equal((await run('pending resume --json')).exit, 8);
    assert.equal(host.orders.length, 1);
    host.isReadable = true;
    const resumed = await run('pending resume --json');
    assert.deepEqual([resumed.exit, resumed.json[0].outcome, host.orders.length], [0, 'done', 1]);
  });
}

test('the same command under the key of a write that got no answer looks first, too', async () => {
  const keyed = `${place} --idempotency-key daily`;
  host.fates = ['delivered'];
  host.isReadable = false;
  assert.equal((await run(keyed)).exit, 8);
  assert.equal((await run(keyed)).exit, 8);
  host.isReadable = true;
  const again = await run(keyed);
  assert.deepEqual([again.exit, again.json.id, host.orders.length], [0, 'ord_1', 1]);
  assert.deepEqual(await lane.pending(), []);
});

test('an old write in parts that nothing shows is resumed only with --yes, because it would cover what is newer', async () => {
  const canceling = 'cancel-all --yes --timeout 20 --json';
  assert.equal((await lane.run(canceling, (id, honest) => (id.startsWith('cancelAll') ? 'cut' : honest))).exit, 8);
  makeOlder(10 * 60_000);
  const refused = await run('pending resume --json');
  assert.deepEqual([refused.exit, refused.json[0].outcome], [8, 'unknown']);
  assert.match(refused.json[0].reason, /would also cancel orders placed since\. Add --yes to send it again/);
  const resumed = await run('pending resume --yes --json');
  assert.deepEqual([resumed.exit, resumed.json[0].outcome], [0, 'done']);
});

/** Lets time pass since the one pending write. */
function makeOlder(byMs: number): void {
  const folder = join(lane.desk.folder, 'state', 'intents');
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((text) => text.includes('cancelAll'));
    if (line === undefined) continue;
    const { opened } = JSON.parse(line.slice(17)) as { opened: Note };
    const note = { ...opened, time: opened.time - byMs, until: opened.until - byMs };
    writeFileSync(file, lineOf({ kind: 'opened', note }));
  }
}

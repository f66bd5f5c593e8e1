import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unsettledWrites } from '../../../src/desk/intents/intent-files.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';
import { abandon, deadPid, noteOf } from './writes.ts';

const sim = { environment: 'sim', state: 'default', baseUrl: undefined } as const;
const limit = [
  'order',
  'place',
  'BTC',
  'buy',
  '0.01',
  '--limit-price',
  '20000',
  '--leverage',
  '2',
  '--margin',
  'cross',
];

class Scene extends Desk {
  get intentFolder(): string {
    return join(this.folder, 'state', 'intents');
  }

  get open(): string[] {
    return unsettledWrites(this.intentFolder).writes.map(({ note }) => note.intent.idempotencyKey ?? note.id);
  }

  /** Leaves a command's write behind as if its process was killed: before it was sent or, with `sent`, after. */
  async kill(
    argv: readonly string[],
    { key = 'key-1', sent = false, before }: { key?: string; sent?: boolean; before?: unknown } = {},
  ): Promise<string> {
    const [first] = [await this.json(...argv, '--dry-run', '--idempotency-key', key)].flat();
    const note = noteOf(await this.intent(first), { ...sim, ...(before === undefined ? {} : { before }) });
    if (sent) await this.json(...argv, '--idempotency-key', key);
    abandon(this.intentFolder, note);
    return note.intent.idempotencyKey ?? note.id;
  }

  async intent(shown: {
    method: Intent['method'];
    path: string;
    body?: unknown;
    idempotency_key?: string;
  }): Promise<Intent> {
    const { operations } = await import('../../../src/wire/contract/operations.ts');
    const { intentOf } = await import('../../../src/wire/client/intent.ts');
    const parts = shown.path.split('/');
    const operation = Object.values(operations).find(({ method, path }) => {
      const own = path.split('/');
      return (
        method === shown.method &&
        own.length === parts.length &&
        own.every((part, at) => part.startsWith('{') || part === parts[at])
      );
    })!;
    const path = Object.fromEntries(
      operation.path
        .split('/')
        .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(parts[at]!)]] : [])),
    );
    const body = shown.body === undefined ? undefined : JSON.stringify(shown.body);
    return intentOf(operation, { target: shown.path, path, body }, shown.idempotency_key);
  }

  async orders(): Promise<{ id: string; client_order_id: string; status: string; limit_price: number }[]> {
    return this.json('order', 'list', '--all');
  }
}

test('nothing pending is reported and is not an error', async () => {
  using desk = new Scene();
  assert.equal((await desk.perp(['pending'])).out, 'Every write is settled.\n');
  assert.deepEqual(await desk.json('pending', 'list'), []);
  assert.deepEqual(await desk.json('pending', 'resume'), []);
  const unknown = await desk.perp(['pending', 'resume', 'no-such-key', '--json']);
  assert.deepEqual([unknown.exit, unknown.error.code], [3, 'not_found']);
});

test('an order that never arrived is placed by resuming, exactly once', async () => {
  using desk = new Scene();
  const key = await desk.kill(limit);
  const [pending] = await desk.json('pending');
  assert.deepEqual(
    [pending.key, pending.status, pending.environment, pending.state, pending.operation],
    [key, 'unknown', 'sim', 'default', 'createOrder'],
  );
  assert.equal(pending.what, 'place limit buy 0.01 binance:BTCUSDT at 20000');
  const settled = await desk.json('pending', 'resume', key);
  assert.deepEqual([settled.outcome, settled.resource.limit_price], ['done', 20_000]);
  assert.deepEqual(desk.open, []);
  assert.equal((await desk.orders()).length, 1);
});

test('an order that arrived is found, and nothing is sent', async () => {
  using desk = new Scene();
  await desk.kill(limit, { sent: true });
  const { out } = await desk.perp(['pending', 'resume', 'key-1', '--debug']);
  assert.match(out, /^Happened: place limit buy[\s\S]*why {2}order ord_\w+ is resting/);
  assert.equal((await desk.orders()).length, 1);
});

trial('an order rejected by a rule did not happen, whether the rejection was received then or now', async () => {
  for (const sent of [false, true]) {
    using desk = new Scene();
    const tooLarge = limit.with(4, '500');
    if (sent) {
      assert.equal((await desk.perp([...tooLarge, '--idempotency-key', 'key-1'])).exit, 5);
      abandon(
        desk.intentFolder,
        noteOf(await desk.intent(await desk.json(...tooLarge, '--dry-run', '--idempotency-key', 'key-1')), sim),
      );
    } else await desk.kill(tooLarge);
    const [settled] = await desk.json('pending', 'resume');
    assert.equal(settled.outcome, 'not_done');
    assert.match(settled.reason, /worth more than/);
    assert.deepEqual(desk.open, []);
  }
});

test('a command that would repeat an unsettled write is refused; --new sends it anyway; the same key resumes it', async () => {
  using desk = new Scene();
  const key = await desk.kill(limit, { sent: true });
  const refused = await desk.perp([...limit, '--json']);
  assert.deepEqual([refused.exit, refused.error.code, refused.error.idempotency_key], [6, 'unsettled_write', key]);
  assert.match(refused.error.message, /The same write was sent at .* and its outcome is unknown\. Nothing was sent\./);
  assert.equal((await desk.orders()).length, 1);
  assert.equal((await desk.perp([...limit.with(4, '0.02')])).exit, 0, 'another size is another request');
  assert.equal((await desk.perp([...limit, '--new'])).exit, 0);
  assert.equal((await desk.orders()).length, 3);
  assert.deepEqual(desk.open, [key]);
  assert.equal((await desk.perp([...limit, '--idempotency-key', key])).exit, 0);
  assert.deepEqual([(await desk.orders()).length, desk.open], [3, []]);
});

test('on a terminal, perp offers to settle the earlier write instead', async () => {
  using desk = new Scene();
  await desk.kill(limit, { sent: true });
  const declined = await desk.perp(limit, { terminal: true, answer: false });
  assert.deepEqual([declined.exit, desk.open.length], [130, 1]);
  assert.match(desk.questions.at(-1)!, /its outcome is unknown\. Settle it instead of sending a new one\?/);
  const settled = await desk.perp(limit, { terminal: true, answer: true });
  assert.match(settled.out, /^Happened/);
  assert.deepEqual([(await desk.orders()).length, desk.open], [1, []]);
});

test('on a terminal, a write that was not found is sent only after confirmation', async () => {
  using desk = new Scene();
  await desk.kill(limit);
  const declined = await desk.perp(['pending', 'resume'], { terminal: true, answer: false });
  assert.deepEqual([declined.exit, (await desk.orders()).length, desk.open.length], [130, 0, 1]);
  assert.match(
    desk.questions[0]!,
    /Not found on SIM default: place limit buy 0\.01 .*\. Send it again under the same key\?/,
  );
  assert.equal((await desk.perp(['pending', 'resume'], { terminal: true, answer: true })).exit, 0);
  assert.equal((await desk.orders()).length, 1);
});

trial('writes without a key are read back', async (t) => {
  using desk = new Scene();
  const order = await desk.json(...limit);
  const cases: [name: string, argv: string[], before?: unknown][] = [
    ['an amendment', ['order', 'amend', order.id, '--price', '20100'], order],
    ['attached exits', ['order', 'exits', order.id, '--stop-loss', '19000'], order],
    ['a new copy group', ['copy', 'save', '--lead', order.account_id, '--follower', 'acc_x'], []],
    ['a cancellation', ['order', 'cancel', order.id]],
  ];
  for (const [name, argv, before] of cases) {
    for (const sent of [false, true]) {
      if (name === 'a new copy group' && sent) continue;
      await t.test(`${name} that was ${sent ? '' : 'not '}done`, async () => {
        const key = await desk.kill(argv, { sent, before });
        const settled = await desk.json('pending', 'resume', key);
        assert.equal(settled.outcome, sent ? 'done' : 'not_done', settled.reason);
        assert.deepEqual(desk.open, []);
      });
    }
  }
});

test("a write that can't happen twice is not refused: canceling again settles the earlier cancellation", async () => {
  using desk = new Scene();
  const order = await desk.json(...limit);
  await desk.kill(['order', 'cancel', order.id]);
  const again = await desk.perp(['order', 'cancel', order.id, '--json']);
  assert.equal(again.exit, 0, again.err);
  assert.match(again.err, /It will be sent again\./);
  assert.deepEqual(desk.open, []);
});

test('a write whose process is still working on it is left alone', async () => {
  using desk = new Scene();
  const shown = await desk.json(...limit, '--dry-run', '--idempotency-key', 'key-1');
  const note = noteOf(await desk.intent(shown), { ...sim, pid: process.ppid, until: Date.now() + 60_000 });
  abandon(desk.intentFolder, note);
  assert.equal((await desk.json('pending'))[0].status, 'under_way');
  const { exit, json } = await desk.perp(['pending', 'resume', '--json']);
  assert.deepEqual([exit, json[0].outcome], [8, 'under_way']);
  assert.equal((await desk.orders()).length, 0);
});

test('two processes do not settle a write at the same time; the claim of one that has ended is void', async () => {
  using desk = new Scene();
  const shown = await desk.json(...limit, '--dry-run', '--idempotency-key', 'key-1');
  const note = noteOf(await desk.intent(shown), sim);
  abandon(desk.intentFolder, note);
  const claimed = join(desk.intentFolder, `${note.id}.claim`);
  writeFileSync(claimed, String(process.ppid));
  const other = await desk.perp(['pending', 'resume', '--json']);
  assert.deepEqual([other.exit, other.json[0].outcome], [8, 'under_way']);
  assert.match(other.json[0].reason, /is settling it/);
  writeFileSync(claimed, '999999999');
  const { exit, json } = await desk.perp(['pending', 'resume', '--json']);
  assert.deepEqual([exit, json[0].outcome, existsSync(claimed)], [0, 'done', false]);
});

test("a write that can't be settled now exits 8 with its reason, and does not block others", async () => {
  using desk = new Scene();
  abandon(
    desk.intentFolder,
    noteOf(await desk.intent(await desk.json(...limit, '--dry-run')), {
      environment: 'live',
      baseUrl: 'https://gone.example.com',
    }),
  );
  await desk.kill(limit);
  const { exit, json } = await desk.perp(['pending', 'resume', '--json']);
  assert.equal(exit, 8);
  assert.deepEqual(new Set(json.map(({ outcome }: { outcome: string }) => outcome)), new Set(['unknown', 'done']));
  const stuck = json.find(({ environment }: { environment: string }) => environment === 'live');
  assert.match(stuck.reason, /sent to https:\/\/gone\.example\.com.* PERP_BASE_URL=https:\/\/gone\.example\.com/);
  assert.equal(desk.open.length, 1);
});

test('a write can be forgotten without settling it', async () => {
  using desk = new Scene();
  const key = await desk.kill(limit);
  assert.equal((await desk.perp(['pending', 'resume', '--forget'])).exit, 2);
  const forgotten = await desk.json('pending', 'resume', key, '--forget');
  assert.equal(forgotten.outcome, 'forgotten');
  assert.deepEqual([desk.open, (await desk.orders()).length], [[], 0]);
});

test('--dry-run shows what would be sent, and sends nothing', async () => {
  using desk = new Scene();
  const key = await desk.kill(limit);
  const request = await desk.json('pending', 'resume', '--dry-run');
  assert.deepEqual([request.method, request.path, request.idempotency_key], ['POST', '/v1/orders', key]);
  assert.deepEqual([desk.open, (await desk.orders()).length], [[key], 0]);
});

test('damaged entries are listed with the others, hide none, and can be removed', async () => {
  using desk = new Scene();
  const key = await desk.kill(limit);
  const file = join(desk.intentFolder, `m-${deadPid}-0.journal`);
  writeFileSync(file, `${readFileSync(unsettledWrites(desk.intentFolder).writes[0]!.file, 'utf8').slice(0, 90)}`);
  const rows = await desk.json('pending');
  assert.deepEqual(
    rows.map(({ status }: { status: string }) => status),
    ['unknown', 'damaged'],
  );
  const resumed = await desk.perp(['pending', 'resume', '--json']);
  assert.deepEqual([resumed.exit, resumed.json[0].outcome, resumed.json[0].key], [8, 'done', key]);
  assert.equal((await desk.json('pending', 'resume', file, '--forget')).outcome, 'forgotten');
  assert.deepEqual(await desk.json('pending'), []);
});

test('a pipe or device among the intent files is reported as damage without waiting', {
  timeout: 120_000,
}, async () => {
  using desk = new Scene();
  await desk.kill(limit);
  assert.equal(spawnSync('mkfifo', [join(desk.intentFolder, 'm-1-0.journal')]).status, 0);
  symlinkSync('/dev/zero', join(desk.intentFolder, 'm-2-0.journal'));
  const rows = await desk.json('pending');
  assert.deepEqual(rows.map(({ status }: { status: string }) => status).sort(), ['damaged', 'damaged', 'unknown']);
  const placed = await desk.perp([...limit.with(4, '0.03')]);
  assert.equal(placed.exit, 0, placed.err);
  const [, file] = rows.map(({ key }: { key: string }) => key);
  assert.equal((await desk.json('pending', 'resume', file, '--forget')).outcome, 'forgotten');
});

test('a reset simulation has nothing left to settle', async () => {
  using desk = new Scene();
  await desk.kill(limit);
  assert.equal((await desk.perp(['sim', 'reset', '--yes'])).exit, 0);
  assert.deepEqual(desk.open, []);
});

test('no entry contains a credential', async () => {
  using desk = new Scene();
  const secret = 'x_live_planted-secret-0123456789';
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: 'http://127.0.0.1:1', PERP_API_KEY: secret };
  const place = [...limit, '--account', 'acc_1', '--json'];
  assert.equal((await desk.perp(place, { variables })).exit, 7);
  abandon(desk.intentFolder, noteOf(await desk.intent(await desk.json(...limit, '--dry-run'))));
  for (const { file } of unsettledWrites(desk.intentFolder).writes)
    assert.doesNotMatch(readFileSync(file, 'utf8'), /planted|Bearer/i);
});

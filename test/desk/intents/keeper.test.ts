import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { Failure } from '../../../src/base/failure/failure.ts';
import { unsettledWrites } from '../../../src/desk/intents/intent-files.ts';
import { WriteKeeper } from '../../../src/desk/intents/keeper.ts';
import type { Note } from '../../../src/desk/intents/note.ts';
import { isAwaited } from '../../../src/desk/writes/settlement.ts';
import { abandon, cancelIntent, ladderIntent, noteOf, orderIntent } from './writes.ts';

let root: string;
let folder: string;
let notes: string[];
beforeEach((t) => {
  root = mkdtempSync(join(tmpdir(), 'perp-keeper-'));
  folder = join(root, 'intents');
  notes = [];
  (t as unknown as { after(fn: () => void): void }).after(() => {
    for (const kept of keepers.splice(0)) kept.end();
    rmSync(root, { recursive: true, force: true });
  });
});

const keepers: WriteKeeper[] = [];

function keeper(changes: Partial<ConstructorParameters<typeof WriteKeeper>[0]> = {}): WriteKeeper {
  const destination = { environment: 'live', baseUrl: 'https://api.example.com' } as const;
  const options = { folder, destination, timeoutMs: 1_000, note: (text: string) => notes.push(text), now: Date.now };
  const made = new WriteKeeper({ ...options, ...changes });
  keepers.push(made);
  return made;
}

const done = { kind: 'done', status: 201, body: { data: {} } } as const;
const refused = { kind: 'not_done', error: new Error('refused') } as const;
const open = () => unsettledWrites(folder).writes.length;

async function refusal(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => assert.fail('expected a refusal'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Failure, String(error));
  return error;
}

test('a write is on disk before sending, and removed when it is answered and the process ends', async () => {
  for (const outcome of [done, refused]) {
    const kept = keeper();
    const intent = orderIntent('a');
    await kept.beforeSend(intent);
    const { note } = unsettledWrites(folder).writes[0]!;
    assert.deepEqual(note.intent, intent);
    assert.equal(note.account, 'acc_1');
    kept.afterAnswer(intent, outcome);
    kept.end();
    assert.deepEqual(readdirSync(folder), []);
  }
});

test('a write may get its answer in its process for as long as it waits, however long that is', async () => {
  for (const timeoutMs of [1_000, 3_600_000]) {
    const kept = keeper({ timeoutMs });
    await kept.beforeSend(orderIntent('a'));
    const note = { ...unsettledWrites(folder).writes[0]!.note, pid: process.ppid };
    assert.equal(isAwaited(note, note.time + timeoutMs), true);
    assert.equal(isAwaited(note, note.time + timeoutMs + 3_600_000), false);
    kept.end();
    rmSync(folder, { recursive: true });
  }
});

test('a write without an answer stays, and a repetition is refused with its key until it is settled', async () => {
  const first = keeper();
  await first.beforeSend(orderIntent('a'));
  first.end();
  const failure = await refusal(keeper({ now: () => Date.now() + 10_000 }).beforeSend(orderIntent('b')));
  assert.deepEqual([failure.facts.exit, failure.facts.code, failure.facts.idempotencyKey], [6, 'unsettled_write', 'a']);
  assert.match(failure.facts.hint!, /perp pending resume a settles it; --new/);
  assert.equal(open(), 1);
});

test('a strategy that answered one write is not what an equal write without an answer made', async () => {
  abandon(folder, noteOf(ladderIntent('a')), noteOf(ladderIntent('other', 30_000)));
  const deliberate = keeper();
  deliberate.isDeliberate = true;
  const intent = ladderIntent('b');
  await deliberate.beforeSend(intent);
  deliberate.afterAnswer(intent, { kind: 'done', status: 201, body: { data: { id: 'scl_1' } } });
  deliberate.end();
  const befores = unsettledWrites(folder).writes.map(({ note }) => [note.intent.idempotencyKey, note.before]);
  assert.deepEqual(befores, [
    ['a', { ids: ['scl_1'] }],
    ['other', undefined],
  ]);
});

test('a repetition is the same request to the same destination, whatever its client order id', async (t) => {
  const elsewhere: [string, Partial<Note>][] = [
    ['another host', { baseUrl: 'https://other.example.com' }],
    ['another environment', { environment: 'sandbox' }],
    ['a simulation', { environment: 'sim', state: 'default', baseUrl: undefined }],
  ];
  for (const [name, changes] of elsewhere) {
    await t.test(`${name} is another destination`, async () => {
      abandon(folder, noteOf(orderIntent('a'), changes));
      await keeper().beforeSend(orderIntent('b'));
    });
  }
  await t.test('another price is another request', async () => {
    abandon(folder, noteOf(orderIntent('a', 20_001)));
    await keeper().beforeSend(orderIntent('b'));
  });
  await t.test('destinations are compared independently of their spelling', async () => {
    abandon(folder, noteOf(orderIntent('a')));
    await refusal(keeper().beforeSend(orderIntent('c')));
  });
});

test('the same command is a repetition even if prices and positions change its request', async () => {
  const given = { path: 'order place', input: { market: 'BTC', side: 'buy', size: '500usd' } };
  const first = keeper();
  first.given = given;
  await first.beforeSend(orderIntent('a', 20_000));
  first.end();
  const later = () => keeper({ now: () => Date.now() + 10_000 });
  const again = later();
  again.given = { path: 'order place', input: { side: 'buy', market: 'BTC', size: '500usd', limitPrice: undefined } };
  assert.equal((await refusal(again.beforeSend(orderIntent('b', 20_001)))).facts.idempotencyKey, 'a');
  const another = later();
  another.given = { ...given, input: { ...given.input, size: '600usd' } };
  await another.beforeSend(orderIntent('c', 20_001));
});

test('a repetition is always found, even between the writes of a process that was alone so far', async () => {
  const own = keeper({ now: () => Date.now() + 10_000 });
  for (const key of ['a', 'b']) {
    const intent = orderIntent(key, 20_001);
    await own.beforeSend(intent);
    own.afterAnswer(intent, done);
    // From now on the folder's time is one tick old, so it is not read again until that changes.
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  abandon(folder, noteOf(orderIntent('c')));
  const failure = await refusal(own.beforeSend(orderIntent('d')));
  assert.equal(failure.facts.idempotencyKey, 'c');
});

test('a deliberate repetition, and one with the same key, are sent', async () => {
  abandon(folder, noteOf(orderIntent('a')));
  const deliberate = keeper();
  deliberate.isDeliberate = true;
  await deliberate.beforeSend(orderIntent('b'));
  deliberate.afterAnswer(orderIntent('b'), done);
  assert.ok(unsettledWrites(folder).writes.some(({ note }) => note.intent.idempotencyKey === 'a'));
  deliberate.end();
});

test('an answer settles every write that was sent with its key', async () => {
  for (const outcome of [done, refused]) {
    abandon(folder, noteOf(orderIntent('a')));
    const again = keeper();
    const intent = orderIntent('a');
    await again.beforeSend(intent);
    again.afterAnswer(intent, outcome);
    again.end();
    assert.equal(open(), 0);
  }
});

test('another profile may not repeat an unanswered write, and its own answers do not settle it', async () => {
  const destination = { environment: 'live', baseUrl: 'https://api.example.com', profile: 'prop' } as const;
  abandon(folder, noteOf(orderIntent('a')));
  for (const key of ['a', 'b']) {
    const failure = await refusal(keeper({ destination }).beforeSend(orderIntent(key)));
    assert.equal(failure.facts.idempotencyKey, 'a');
  }
  abandon(folder, noteOf(cancelIntent('ord_1')));
  const other = keeper({ destination });
  const cancel = cancelIntent('ord_1');
  assert.equal((await other.beforeSend(cancel)).isRepetition, false);
  other.afterAnswer(cancel, done);
  other.end();
  assert.equal(open(), 2);
});

test("a write that can't happen twice is sent again with a note; once done, it settles the earlier one", async () => {
  for (const [outcome, left] of [
    [refused, 1],
    [done, 0],
  ] as const) {
    abandon(folder, noteOf(cancelIntent('ord_1')));
    const again = keeper();
    const intent = cancelIntent('ord_1');
    await again.beforeSend(intent);
    assert.match(notes.at(-1)!, /its outcome is unknown\. It will be sent again\./);
    again.afterAnswer(intent, outcome);
    again.end();
    assert.equal(open() > 0, left > 0);
  }
});

test('two identical requests at the same time are two requests, unless the other process has ended or has been running for long', async () => {
  const time = Date.now();
  abandon(folder, noteOf(orderIntent('a'), { pid: process.ppid, time, until: time + 65_000 }));
  await keeper().beforeSend(orderIntent('b'));
  const later = keeper({ now: () => time + 5_000 });
  await refusal(later.beforeSend(orderIntent('c')));
});

test('a write without an answer blocks its repetition within the same process once its caller has given up', async () => {
  const kept = keeper();
  const first = orderIntent('a');
  await kept.beforeSend(first);
  const beside = orderIntent('beside');
  assert.deepEqual(await kept.beforeSend(beside), { isRepetition: false }, 'two callers want two orders');
  kept.afterAnswer(beside, done);
  kept.waits(first, false);
  await refusal(kept.beforeSend(orderIntent('b')));
  const settledElsewhere = unsettledWrites(folder).writes[0]!;
  kept.adopt(settledElsewhere);
  kept.afterAnswer(settledElsewhere.note.intent, done);
  await kept.beforeSend(orderIntent('c'));
});

test('a write kept in advance blocks nothing, is taken over when sent, and withdrawn when not', async () => {
  const kept = keeper();
  const [first, second, third] = [orderIntent('a'), orderIntent('b'), orderIntent('c')];
  await kept.beforeSend(first);
  kept.keepAhead(second);
  assert.equal(open(), 1, 'it is not sent yet');
  kept.afterAnswer(first, done);
  await kept.beforeSend(second);
  assert.equal(open(), 1);
  kept.keepAhead(third);
  kept.afterAnswer(second, done);
  kept.withdraw(third);
  kept.end();
  assert.deepEqual(readdirSync(folder), []);
});

test('if nothing can be kept, nothing is sent, and the error suggests a fix', async () => {
  mkdirSync(root, { recursive: true });
  writeFileSync(folder, 'a file where the folder should be');
  const { facts } = await refusal(keeper().beforeSend(orderIntent('a')));
  assert.deepEqual([facts.exit, facts.code], [7, 'not_kept']);
  assert.match(facts.hint!, /PERP_STATE_DIR/);
});

test('damaged entries are reported once and block nothing', async () => {
  const file = abandon(folder, noteOf(orderIntent('a')));
  writeFileSync(file, readFileSync(file, 'utf8').replace('0.01', '0.02'));
  const kept = keeper();
  await kept.beforeSend(orderIntent('b', 1));
  await kept.beforeSend(orderIntent('c', 2));
  assert.deepEqual(notes, ['The record of earlier writes is damaged; see perp pending list.']);
});

import assert from 'node:assert/strict';
import { createClient } from '../../../src/wire/client/client.ts';
import { ProtocolError } from '../../../src/wire/client/client-errors.ts';
import { test, trial } from '../../tiers.ts';
import { answer, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';

const page = (numbers: number[], more: Record<string, unknown> = { has_more: false }) =>
  answer(200, { data: numbers.map((number) => ({ number, size: 1 })), ...more });

async function read(
  steps: ScriptedAnswer[],
): Promise<{ items: unknown[]; error: Error | undefined; targets: string[] }> {
  const transport = scriptedTransport(...steps);
  const client = createClient({ transport, retry: stepClock().retry });
  const items: unknown[] = [];
  const error = await (async () => {
    for await (const item of client.pages('listFills', { query: { account_id: 'acc_1', limit: 2 } }))
      items.push((item as unknown as { number: number }).number);
  })().then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { items, error, targets: transport.requests.map((request) => request.target) };
}

test('all items of all pages are returned in order, and each cursor is sent encoded', async () => {
  const { items, error, targets } = await read([
    page([1, 2], { has_more: true, next_cursor: 'a+/=&b' }),
    page([], { has_more: true, next_cursor: 'c' }),
    page([3]),
  ]);
  assert.equal(error, undefined);
  assert.deepEqual(items, [1, 2, 3]);
  assert.deepEqual(targets, [
    '/v1/fills?account_id=acc_1&limit=2',
    '/v1/fills?account_id=acc_1&limit=2&cursor=a%2B%2F%3D%26b',
    '/v1/fills?account_id=acc_1&limit=2&cursor=c',
  ]);
});

test('a list that never ends is an error, after the items received so far', async () => {
  const table: [name: string, ScriptedAnswer[], items: number[], why: RegExp][] = [
    ['always the same cursor', [page([1], { has_more: true, next_cursor: 'x' })], [1, 1], /returns to a page/],
    ['more, but no cursor', [page([1], { has_more: true })], [1], /next_cursor is missing/],
    ['more, but an empty cursor', [page([1], { has_more: true, next_cursor: '' })], [1], /next_cursor is missing/],
    ['more, with an endless cursor', [page([1], { has_more: true, next_cursor: 'x'.repeat(1025) })], [1], /too long/],
    ['not a list', [answer(200, { data: {}, has_more: false })], [], /not a list/],
  ];
  for (const [name, steps, expected, why] of table) {
    const { items, error } = await read(steps);
    assert.ok(error instanceof ProtocolError, name);
    assert.match(error.message, why);
    assert.deepEqual(items, expected, name);
  }
});

test('an endless list of empty pages with new cursors is an error', async () => {
  let count = 0;
  const { error, targets } = await read([() => page([], { has_more: true, next_cursor: String(count++) })]);
  assert.match(error!.message, /100 pages were empty/);
  assert.equal(targets.length, 100);
});

trial('an endless list of pages with rows and new cursors is an error', async () => {
  let count = 0;
  const { error, items, targets } = await read([() => page([count], { has_more: true, next_cursor: String(count++) })]);
  assert.match(error!.message, /continues after 10000 pages/);
  assert.deepEqual([items.length, targets.length], [10_000, 10_000]);
});

test('a cursor that repeats later is an error', async () => {
  const { error, items } = await read(
    ['x', 'y', 'z', 'x'].map((next_cursor, at) => page([at], { has_more: true, next_cursor })),
  );
  assert.match(error!.message, /returns to a page/);
  assert.equal(items.length, 4);
});

test('a complete list without has_more is one page', async () => {
  assert.deepEqual((await read([page([1, 2], {})])).items, [1, 2]);
});

test('stopping early fetches no further page', async () => {
  const transport = scriptedTransport(page([1, 2], { has_more: true, next_cursor: 'x' }));
  const client = createClient({ transport });
  for await (const item of client.pages('listFills', { query: { account_id: 'a' } })) {
    assert.deepEqual(item, { number: 1, size: 1 });
    break;
  }
  assert.equal(transport.requests.length, 1);
});

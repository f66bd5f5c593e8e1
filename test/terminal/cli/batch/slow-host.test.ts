import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeHost } from '../hostile/fake-host.ts';
import { Desk } from '../practice.ts';

const skip = process.platform === 'win32' && 'Windows has no named pipes among its files';

test('a line never waits for a read that a later line has asked for', { skip }, async (t) => {
  using desk = new Desk();
  const host = await FakeHost.open();
  t.after(() => host.close());
  const wanted = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  host.behave = async (id, honest) => {
    if (id === 'listMarkets') wanted.resolve();
    if (id === 'listMarkets') await released.promise;
    return honest;
  };
  const fifo = join(desk.folder, 'commands');
  assert.equal(spawnSync('mkfifo', [fifo]).status, 0);
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: 'x_live_k', PERP_FLOOR_CHECK: 'warn' };
  const batch = desk.perp(['batch', fifo], { variables });
  const line = (price: number) => `order place BTC buy 0.01 --limit-price ${price} --leverage 2 --margin isolated\n`;
  const input = createWriteStream(fifo);
  input.write(line(50_000));
  await wanted.promise;
  // The first line's account data is now too old, so the second line fetches it again.
  const clock = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => clock() + 2_000);
  input.end(line(50_001));
  await delay(50);
  released.resolve();
  const { exit, out, err } = await batch;
  assert.doesNotMatch(err, /without a floor check/);
  const answers = out.split('\n').filter((text) => text !== '');
  assert.deepEqual([exit, answers.map((answer) => JSON.parse(answer).ok)], [0, [true, true]]);
});

test('the request of the next line leaves before the result of the last one is printed', async (t) => {
  using desk = new Desk();
  const host = await FakeHost.open();
  t.after(() => host.close());
  const prices = [50_000, 50_001, 50_002, 50_003];
  const events: string[] = [];
  const sent = new Set<object>();
  // undici tells this process, at once, that it was handed a request; it writes one turn after the answer before.
  const sending = (message: unknown) => {
    const { request } = message as { request: { path: string; method: string } };
    if (request.path !== '/v1/orders' || request.method !== 'POST' || sent.has(request)) return;
    events.push(`sent ${sent.add(request).size}`);
  };
  subscribe('undici:request:create', sending);
  t.after(() => unsubscribe('undici:request:create', sending));
  const intents = join(desk.folder, 'state', 'intents');
  const isKept = (price: number) =>
    readdirSync(intents).some((file) => readFileSync(join(intents, file), 'utf8').includes(`${price}`));
  host.behave = async (id, honest) => {
    // No order is answered before all of them are prepared.
    while (id === 'createOrder' && !isKept(prices.at(-1)!)) await delay(1);
    return honest;
  };
  const file = join(desk.folder, 'commands');
  const place = (price: number) => `order place BTC buy 0.01 --limit-price ${price} --leverage 2 --margin isolated`;
  writeFileSync(file, prices.map(place).join('\n'));
  const { exit, err } = await desk.perp(['batch', file], {
    variables: { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: 'x_live_k', PERP_FLOOR_CHECK: 'off' },
    printed: (text) => {
      if (text !== '') events.push(`printed ${JSON.parse(text).line}`);
    },
  });
  assert.equal(exit, 0, err);
  assert.deepEqual(events, [
    'sent 1',
    'sent 2',
    'printed 1',
    'sent 3',
    'printed 2',
    'sent 4',
    'printed 3',
    'printed 4',
  ]);
});

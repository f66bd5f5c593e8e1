import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Destination } from '../../../../src/desk/intents/note.ts';
import { lockAccount, lockFolders } from '../../../../src/desk/lock/trading-lock.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { Desk } from '../practice.ts';

const market = 'binance|BTCUSDT';
const order = { market_id: market, type: 'limit', side: 'buy', size: 0.01, limit_price: 20000 };
const terms = { leverage: 1, margin_mode: 'cross' };

describe('perp api', () => {
  it('prints the body of an answer as the API sent it', async () => {
    using desk = new Desk();
    const { data } = await desk.json('api', '/v1/accounts');
    assert.deepEqual(data[0].risk.requirements, (await desk.json('accounts'))[0].risk.requirements);
    const one = await desk.json('api', 'get', `/v1/accounts/${data[0].id}`);
    assert.equal(one.data.id, data[0].id);
    const page = await desk.json('api', 'GET', `/v1/markets/${market}/quote?side=buy&size=0.5`);
    assert.equal(page.data.requested_size, 0.5);
  });

  it('names the endpoint that is meant, or where all of them are', async () => {
    using desk = new Desk();
    assert.match((await desk.perp(['api', '/v1/acounts'])).err, /"\/v1\/acounts"\.\nDid you mean \/v1\/accounts\?/);
    assert.match((await desk.perp(['api', '/zzzzzzzzzzzz'])).err, /"\.\nperp api lists the endpoints\./);
  });

  it('sends a write once per key, whichever way its body is given', async () => {
    using desk = new Desk();
    const [{ id }] = await desk.json('accounts');
    const body = JSON.stringify({ account_id: id, ...order, ...terms });
    const file = join(desk.folder, 'order.json');
    writeFileSync(file, body);
    const post = ['api', 'POST', '/v1/orders', '--idempotency-key', 'k1', '--json', '--body'];
    const runs = [await desk.perp([...post, body]), await desk.perp([...post, `@${file}`])];
    runs.push(await desk.perp([...post, '-'], { input: body }));
    assert.deepEqual(
      runs.map(({ exit }) => exit),
      [0, 0, 0],
      runs.map(({ err }) => err).join(),
    );
    assert.equal(new Set(runs.map(({ json }) => json.data.id)).size, 1);
    assert.equal((await desk.json('order', 'list')).length, 1);
    const [{ id: working }] = await desk.json('order', 'list');
    await desk.json('api', 'DELETE', `/v1/orders/${working}`);
    assert.equal((await desk.json('order', 'list')).length, 0);
  });

  it('runs a bulk operation to its end', async () => {
    using desk = new Desk();
    const [{ id }] = await desk.json('accounts');
    for (const price of [20000, 20001, 20002])
      await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', String(price));
    const { data } = await desk.json('api', 'POST', `/v1/accounts/${id}/cancel-all-orders`);
    assert.equal(data.succeeded_count, 3);
  });

  it('shows the exact request with --dry-run, and sends nothing', async () => {
    using desk = new Desk();
    const [{ id }] = await desk.json('accounts');
    const dry = await desk.json(
      'api',
      'POST',
      '/v1/orders',
      '--dry-run',
      '--body',
      JSON.stringify({ account_id: id, ...order, ...terms }),
    );
    assert.equal(dry.path, '/v1/orders');
    assert.equal(dry.body.limit_price, 20000);
    assert.equal((await desk.json('order', 'list')).length, 0);
  });

  it('keeps the lock of an account', async () => {
    using desk = new Desk();
    const [{ id }] = await desk.json('accounts');
    const variables = { PERP_STATE_DIR: join(desk.folder, 'state') };
    const [folder] = lockFolders(variables, { environment: 'sim', state: 'default' } as Destination);
    lockAccount(folder!, { account: id, since: 0, until: Number.MAX_SAFE_INTEGER, why: 'a test' });
    const refused = await desk.perp([
      'api',
      'POST',
      '/v1/orders',
      '--json',
      '--body',
      JSON.stringify({ account_id: id, ...order, ...terms }),
    ]);
    assert.deepEqual([refused.exit, refused.error.code], [5, 'guard_lock']);
    assert.equal((await desk.json('order', 'list')).length, 0);
  });

  it('refuses what is no request of the API, before anything is sent', async () => {
    using desk = new Desk();
    const refusals: [argv: string[], says: RegExp][] = [
      [['FETCH', '/v1/orders'], /method is "FETCH"; it must be one of GET/],
      [['GET'], /path is missing/],
      [['/v1/order'], /no endpoint "\/v1\/order".*|Did you mean \/v1\/orders/],
      [['POST', '/v1/accounts'], /takes GET, not POST/],
      [['/v1/fills?account_id=a&limt=5'], /Unknown query parameter "limt"\.\nIt takes .*limit/],
      [['/v1/markets/x?limit=5'], /Unknown query parameter "limit"\.\nThis endpoint takes no query\./],
      [['/v1/fills?account_id=a&limit=x'], /limit/],
      [['POST', '/v1/orders'], /--body is missing/],
      [
        ['POST', '/v1/orders', '--body', '{"size":"x"}'],
        /account_id is required\n.*\n.*\n +leverage is required\n +margin_mode is required\n +size must be/,
      ],
      [['POST', '/v1/orders', '--body', '{'], /not valid JSON|invalid/],
      [['POST', '/v1/orders', '--body', '{"size":1,"size":2}'], /more than once/],
      [['POST', '/v1/orders', '--body', '@/no/such/file'], /can't read "\/no\/such\/file"/],
      [['GET', '/v1/accounts', '--body', '{}'], /takes no body/],
      [['POST', '/v1/auth/cli/revoke'], /no endpoint/],
    ];
    for (const [argv, says] of refusals) {
      const run = await desk.perp(['api', ...argv]);
      assert.equal(run.exit, 2, `${argv.join(' ')}: ${run.out}`);
      assert.match(run.err, says);
    }
  });

  it('lists the endpoints: those of the API, and in a simulation its own', async () => {
    using desk = new Desk();
    const listed = (await desk.json('api')).map(({ id }: { id: string }) => id);
    for (const { id, path } of Object.values(operations))
      assert.equal(listed.includes(id), !path.startsWith('/v1/auth/'), id);
    assert.ok(listed.includes('simStatus'));
    const live = await desk.perp(['api', '--json', '--env', 'live']);
    assert.ok(!live.out.includes('simStatus'));
  });
});

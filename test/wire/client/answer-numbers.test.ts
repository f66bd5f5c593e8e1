import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { decodeBody } from '../../../src/wire/client/http-transport.ts';
import { readNumbers } from '../../../src/wire/client/send.ts';
import { operations } from '../../../src/wire/contract/operations.ts';

const order = { id: 'o', size: 0.5, limit_price: 60_000, requested_at: 5, client_order_id: null };

test('a numeral in a string is read as its number; null in place of a number is its absence', () => {
  const { body, flaw } = readNumbers(operations.getOrder, {
    data: { ...order, size: ' 0.50', limit_price: null, fee: '-1e-3', expected_price: null, brand_new: '7' },
  });
  assert.equal(flaw, undefined);
  assert.deepEqual(body, {
    data: { id: 'o', size: 0.5, requested_at: 5, client_order_id: null, fee: -0.001, brand_new: '7' },
  });
  const risk = { equity: null, daily_loss_room: '3000.5', requirements: { daily_loss_pct: '0' } };
  const account = readNumbers(operations.getAccount, { data: { id: 'a', balance: '1e5', risk } });
  const read = { equity: null, daily_loss_room: 3000.5, requirements: { daily_loss_pct: 0 } };
  assert.deepEqual(account.body, { data: { id: 'a', balance: 100_000, risk: read } });
  const unjudged = readNumbers(operations.listAccounts, { data: [{ id: 'a', balance: 1, risk: null }] });
  assert.deepEqual(unjudged, { body: { data: [{ id: 'a', balance: 1 }] }, flaw: undefined }, 'no risk is known');
});

test('what can’t be read is refused with its field; a list is searched to its end', () => {
  const flawOf = (id: keyof typeof operations, data: unknown) => readNumbers(operations[id], { data }).flaw;
  assert.equal(flawOf('getOrder', { ...order, size: null }), 'data.size must be a number, not null');
  assert.equal(flawOf('listOrders', [order, { ...order, fee: 'n/a' }]), 'data[1].fee must be a number, not "n/a"');
  assert.equal(
    flawOf('listOpenPositions', [{ size: 1, entry_price: '' }]),
    'data[0].entry_price must be a number, not ""',
  );
  assert.equal(flawOf('getMarketQuote', { mid: '0x10' }), 'data.mid must be a number, not "0x10"');
  assert.equal(flawOf('getMarketQuote', { mid: null }), undefined, 'a quote may have none');
  assert.equal(
    flawOf('listMarkets', [{ max_leverage: 'many' }]),
    undefined,
    'a market that nobody trades stops nothing',
  );
});

test('a long value is shown by its beginning', () => {
  const { flaw } = readNumbers(operations.getOrder, { data: { ...order, size: 'x'.repeat(100) } });
  assert.equal(flaw, `data.size must be a number, not "${'x'.repeat(39)}...`);
});

test('an answer that needs nothing else is the same object', () => {
  const body = { data: [order] };
  assert.equal(readNumbers(operations.listOrders, body).body, body);
});

test('a byte order mark and a packed body that nobody asked for are read, within the size limit', () => {
  const json = { 'content-type': 'application/json' };
  const text = JSON.stringify({ data: { id: 'ö' } });
  const packed: [name: string, headers: Record<string, string>, bytes: Buffer][] = [
    ['plain', json, Buffer.from(text)],
    ['with a byte order mark', json, Buffer.from(`\ufeff${text}`)],
    ['gzip', { ...json, 'content-encoding': 'gzip' }, gzipSync(text)],
    ['gzip, unsaid', json, gzipSync(`\ufeff${text}`)],
    ['gzip, unpacked by somebody else', { ...json, 'content-encoding': 'identity' }, Buffer.from(text)],
    ['deflate', { ...json, 'content-encoding': 'deflate' }, deflateSync(text)],
    ['brotli', { ...json, 'content-encoding': 'br' }, brotliCompressSync(text)],
  ];
  for (const [name, headers, bytes] of packed)
    assert.deepEqual(
      decodeBody(headers, [bytes.subarray(0, 3), bytes.subarray(3)], 1_000),
      { data: { id: 'ö' } },
      name,
    );
  const bomb = gzipSync(JSON.stringify({ data: 'x'.repeat(100_000) }));
  assert.equal(decodeBody(json, [bomb], 10_000), undefined, 'larger than the limit once it is unpacked');
  assert.equal(decodeBody({ ...json, 'content-encoding': 'zstd' }, [Buffer.from('{}')], 1_000), undefined);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { AnswerReader, decodeBody, headersOf } from '../../../src/wire/client/http-transport.ts';
import type { WireRequest } from '../../../src/wire/contract/wire.ts';

describe('an answer with the request id of an earlier one', () => {
  const get = (target: string, method = 'GET') => ({ method, target }) as WireRequest;
  const objection = (reader: AnswerReader, request: WireRequest, id?: string) =>
    reader.objection(request, id === undefined ? {} : { 'x-request-id': id });

  it('is refused, because everything after it would be one answer late', () => {
    const reader = new AnswerReader(1_000);
    assert.equal(objection(reader, get('/v1/orders'), 'req_1'), undefined);
    assert.equal(objection(reader, get('/v1/fills'), 'req_1'), 'an earlier answer was repeated (req_1)');
    assert.equal(objection(reader, get('/v1/fills'), 'req_2'), undefined);
    assert.equal(objection(reader, get('/v1/orders', 'POST'), 'req_3'), undefined);
    assert.match(objection(reader, get('/v1/orders', 'POST'), 'req_3')!, /repeated/, 'a write is never from a cache');
  });

  it('is accepted for a GET of the same address, which a cache may answer; and without an id', () => {
    const reader = new AnswerReader(1_000);
    for (let times = 0; times < 3; times += 1) assert.equal(objection(reader, get('/v1/markets'), 'req_1'), undefined);
    for (let times = 0; times < 3; times += 1) assert.equal(objection(reader, get('/v1/orders', 'POST')), undefined);
  });

  it('is recognized among the latest 64', () => {
    const reader = new AnswerReader(1_000);
    for (let at = 0; at < 65; at += 1) objection(reader, get(`/${at}`), `req_${at}`);
    assert.match(objection(reader, get('/x'), 'req_1')!, /repeated/);
    assert.equal(objection(reader, get('/x'), 'req_0'), undefined, 'forgotten');
  });
});

describe('a body', () => {
  const text = Buffer.from('{"data":[1]}');
  const value = { data: [1] };
  const decoded = (headers: Record<string, string>, ...chunks: Buffer[]) => decodeBody(headers, chunks, 1_000);

  it('is read as JSON if its content type is one of JSON or absent, in one piece or several', () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', ' application/problem+json'])
      assert.deepEqual(decoded({ 'content-type': type }, text), value, type);
    for (const type of ['text/html', 'text/json', 'application/jsonp'])
      assert.equal(decoded({ 'content-type': type }, text), undefined, type);
    assert.deepEqual(decoded({}, text.subarray(0, 5), text.subarray(5)), value);
    assert.deepEqual(decoded({}, Buffer.from([0xef, 0xbb, 0xbf]), text), value, 'a byte order mark');
    for (const other of ['', '{"data":', 'ok']) assert.equal(decoded({}, Buffer.from(other)), undefined, other);
  });

  it('is unpacked as its header or its first bytes say, up to the limit', () => {
    assert.deepEqual(decoded({ 'content-encoding': 'br' }, brotliCompressSync(text)), value);
    assert.deepEqual(decoded({ 'content-encoding': 'deflate' }, deflateSync(text)), value);
    assert.deepEqual(decoded({ 'content-encoding': 'gzip' }, gzipSync(text)), value);
    assert.deepEqual(decoded({}, gzipSync(text)), value, 'gzip without a header');
    assert.deepEqual(decoded({ 'content-encoding': ' Identity ' }, text), value);
    assert.equal(decoded({ 'content-encoding': 'gzip' }, text), undefined, 'not packed at all');
    const long = Buffer.from(`[${'0,'.repeat(600)}0]`);
    for (const packed of [gzipSync(long), brotliCompressSync(long)])
      assert.equal(decoded({ 'content-encoding': packed[0] === 0x1f ? 'gzip' : 'br' }, packed), undefined, 'too long');
  });
});

it('names of headers are lower case, and the values of repeated ones are joined', () => {
  const received = ['Date', 'today', 'x-a', '1', 'X-A', '2', 'Constructor', 'x'];
  assert.deepEqual(headersOf(received), { date: 'today', 'x-a': '1, 2', constructor: 'x' });
});

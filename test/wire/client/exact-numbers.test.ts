import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBody } from '../../../src/wire/client/http-answer.ts';

test('integers that a number can’t hold are kept digit for digit', () => {
  const text =
    '{"data":{"id":12345678901234567890,"size":0.1,"list":[-9007199254740993,1],"text":"12345678901234567890"}}';
  const body = decodeBody({ 'content-type': 'application/json' }, [Buffer.from(text)], 1e6);
  assert.equal(JSON.stringify(body), text);
});

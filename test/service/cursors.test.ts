import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../src/service/handlers/pages.ts';

const binding = ['listOrders', 'live', 'local', 'acc_1'];
const position = { time: 1_733_011_200_691, sequence: 4711 };

test('a cursor contains its position, for the list that it was issued for', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (time, sequence) => {
      const cursor = encodeCursor('secret', binding, { time, sequence });
      assert.match(cursor, /^[A-Za-z0-9_-]{1,128}$/);
      assert.deepEqual(decodeCursor('secret', binding, cursor), { time, sequence });
    }),
  );
});

test('a cursor is not valid for another list', () => {
  const cursor = encodeCursor('secret', binding, position);
  const elsewhere = [
    ['listFills', 'live', 'local', 'acc_1'],
    ['listOrders', 'test', 'local', 'acc_1'],
    ['listOrders', 'live', 'other', 'acc_1'],
    ['listOrders', 'live', 'local', 'acc_2'],
    ['listOrders', 'live', 'local', null],
    ['listOrders', 'live', 'local', 'acc_1', 'closed'],
    ['listOrders', 'live', 'local,acc_1'],
  ];
  for (const other of elsewhere) assert.equal(decodeCursor('secret', other, cursor), null, JSON.stringify(other));
  assert.equal(decodeCursor('another secret', binding, cursor), null);
});

test('an altered or invented cursor is not valid', () => {
  const cursor = encodeCursor('secret', binding, position);
  for (let index = 0; index < cursor.length; index++) {
    const altered = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
    assert.equal(decodeCursor('secret', binding, altered), null);
  }
  for (const invented of ['', 'x', `${cursor}=`, `${cursor}A`, ` ${cursor}`, 'A'.repeat(1024), '\u0000', "' OR 1=1 --"])
    assert.equal(decodeCursor('secret', binding, invented), null, JSON.stringify(invented));
  fc.assert(fc.property(fc.string(), (text) => decodeCursor('secret', binding, text) === null));
});

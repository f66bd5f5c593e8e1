import { after, before, test } from 'node:test';
import { hostileBodies } from '../../../wire/client/write-answers.ts';
import { hostileFields, wrongBodies, wrongWriteAnswers } from './answer-trials.ts';
import { Lanes } from './lane.ts';

const isLong = process.env.PERP_LONG === '1';

let lanes: Lanes;
before(async () => {
  lanes = await Lanes.open(8);
});
after(() => lanes.close());

test('a write whose answer does not match it exits 8 and is kept, whatever the answer', () =>
  wrongWriteAnswers(lanes, () => (isLong ? [...hostileBodies, ...wrongBodies] : wrongBodies)));

test('no field of any answer crashes a command, whether missing, null, new or absurd', () =>
  hostileFields(lanes, isLong ? 1 : 12));

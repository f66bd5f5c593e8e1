import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeSizes } from './typed-sizes.ts';

test('every size that perp names is accepted when it is typed, one more lot is not, and every refusal names one', {
  timeout: 7_200_000,
}, async () => {
  const { sizes, refused, more, accepted, unnamed, by } = await typeSizes(process.env.PERP_LONG ? 5_000 : 100);
  console.log(
    `${sizes} sizes typed back, ${refused.length} refused; ${more} of one more lot, ${accepted.length} accepted`,
  );
  console.log(JSON.stringify(by));
  assert.deepEqual([refused, accepted, unnamed], [[], [], []]);
});

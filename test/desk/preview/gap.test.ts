import assert from 'node:assert/strict';
import { it } from 'node:test';
import { largestOf } from '../../../src/desk/preview/prospect.ts';

const bar = (low: number, high: number, close: number) => ({ low: `${low}`, high: `${high}`, close: `${close}` });

it('the largest move of a second counts moves within a bar and from one bar to the next', () => {
  assert.equal(largestOf([bar(1_000, 1_002, 1_001), bar(1_000, 1_001, 1_000)]), 20);
  assert.equal(largestOf([bar(1_000, 1_001, 1_000), bar(1_004, 1_005, 1_005)]), 50);
  assert.equal(largestOf([bar(1_000, 1_000, 1_000), bar(995, 996, 995)]).toFixed(2), '50.25');
  assert.equal(largestOf([bar(1_000, 1_000, 1_000), bar(Number.NaN, 1_001, 1_000)]), 0);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { grid, parseRange, sample } from '../../../src/programs/lab/space.ts';

const defaults = { fast: 5, slow: 20, share: 0.5, mode: 'cross', isOn: true };
const rangesOf = (...texts: string[]) => texts.map((text) => parseRange(text, defaults));

describe('the values of a parameter', () => {
  const read: [text: string, values: unknown[]][] = [
    ['fast=5..20:5', [5, 10, 15, 20]],
    ['fast=5..19:5', [5, 10, 15]],
    ['share=0.1..0.5:0.1', [0.1, 0.2, 0.3, 0.4, 0.5]],
    ['share=-1..1:1', [-1, 0, 1]],
    ['slow=20,50,20', [20, 50]],
    ['mode=cross,a=b', ['cross', 'a=b']],
    ['isOn=true,false', [true, false]],
    ['fast=7', [7]],
  ];
  for (const [text, values] of read) {
    it(`${text} are ${values.join(', ')}`, () =>
      assert.deepEqual(rangesOf(text)[0], { name: text.split('=')[0], values }));
  }

  const wrong: [text: string, message: RegExp][] = [
    ['fats=5', /no parameter fats. It has fast, slow, share, mode, isOn/],
    ['fast', /NAME=VALUES/],
    ['fast=a', /fast is a number, not "a"/],
    ['fast=9..5:1', /backwards/],
    ['fast=5..9:0', /above zero/],
    ['fast=0..1000000000:1', /more than 1,000,000 values/],
    ['isOn=yes', /true or false/],
    ['fast=', /fast is a number/],
  ];
  for (const [text, message] of wrong) {
    it(`${text} is refused`, () => assert.throws(() => parseRange(text, defaults), { name: 'Failure', message }));
  }
});

describe('the points of a sweep', () => {
  it('are every combination, the last parameter changing fastest', () => {
    assert.deepEqual(grid(rangesOf('fast=1,2', 'isOn=true,false')), [
      { fast: 1, isOn: true },
      { fast: 1, isOn: false },
      { fast: 2, isOn: true },
      { fast: 2, isOn: false },
    ]);
    assert.deepEqual(grid([]), [{}]);
  });

  it('need steps, and are at most a million', () => {
    assert.throws(() => grid(rangesOf('fast=5..50')), /needs the step of fast/);
    assert.throws(() => grid(rangesOf('fast=1..2000:1', 'slow=1..2000:1')), /more than 1,000,000 points/);
  });

  it('that are drawn are different, within bounds, and the same for the same seed', () => {
    const ranges = rangesOf('fast=5..50', 'share=0..1', 'mode=a,b');
    const points = sample(ranges, 100, 7);
    assert.equal(new Set(points.map((point) => JSON.stringify(point))).size, 100);
    for (const { fast, share } of points as { fast?: number; share?: number }[])
      assert.ok(Number.isInteger(fast) && fast! >= 5 && fast! <= 50 && share! >= 0 && share! <= 1);
    assert.deepEqual(sample(ranges, 100, 7), points);
    assert.notDeepEqual(sample(ranges, 100, 8), points);
    assert.equal(sample(rangesOf('isOn=true,false'), 1_000_000, 1).length, 2);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../seed.ts';
import { quickVenues } from './conformance.ts';
import { strangeFrames } from './strange-frames.ts';

for (const venue of quickVenues) {
  test(`${venue}: drawn frames crash nothing; each that can't be read renews the connection`, async () => {
    assert.ok((await strangeFrames(venue, seed, 40)) > 0);
  });
}

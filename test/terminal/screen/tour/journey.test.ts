import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journey } from '../../../../src/terminal/screen/tour/steps.ts';

test('a step that can not be kept is taken all the same, and told', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-journey-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tour.json');
  const journey = new Journey(file, true);
  journey.pass();
  assert.equal(journey.problem, undefined);
  const kept = journey.step.name;
  // As on a full disk: nothing can be made beside it.
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  journey.pass();
  assert.match(journey.problem!, /ENOTDIR|EEXIST/);
  assert.match(journey.place, /^3 of /);
  rmSync(folder);
  journey.pass();
  assert.equal(journey.problem, undefined);
  assert.notEqual(new Journey(file, true).step.name, kept);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { venueFacts, venueNames } from '../../src/terms/venues.ts';

test('docs/live.md has a row for every venue', () => {
  const text = readFileSync(new URL('../../docs/live.md', import.meta.url), 'utf8');
  for (const name of venueNames) {
    const row = venueFacts[name].wsUrl === null ? `\\| .*--venue ${name}` : `\\| ${venueFacts[name].title}\\b`;
    assert.match(text, new RegExp(`^${row}.*\\|.*\\|.*\\|$`, 'm'), name);
  }
});

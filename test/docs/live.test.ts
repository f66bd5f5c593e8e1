import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { venueFacts, venueNames } from '../../src/base/terms/venues.ts';

test('docs/live.md has every venue in both of its tables: how its book is kept, and its own prices', () => {
  const text = readFileSync(new URL('../../docs/live.md', import.meta.url), 'utf8');
  for (const table of ['| venue | how a book is kept complete |', '| venue | mark and index |']) {
    const from = text.indexOf(table);
    assert.ok(from >= 0, table);
    const rows = text.slice(from, text.indexOf('\n\n', from)).split('\n').slice(2);
    for (const name of venueNames) {
      const title = venueFacts[name].wsUrl === null ? `the ${name} itself` : venueFacts[name].title;
      assert.ok(
        rows.some((row) => new RegExp(`^\\| ${title}\\b`).test(row)),
        `${title}, below ${table}`,
      );
    }
  }
});

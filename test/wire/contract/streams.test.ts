import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  clientSilenceMs,
  maxHistoryInFlight,
  maxHistoryPage,
  maxSymbols,
  resumeWindowMs,
} from '../../../src/wire/contract/streams.ts';

const text = readFileSync(new URL('../../../docs/streams.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

test('the limits of the streams are those that docs/streams.md names', () => {
  for (const limit of [
    `At most ${maxSymbols} symbols.`,
    `at most ${maxHistoryPage.toLocaleString('en-US')})`,
    `${maxHistoryInFlight} histories in flight`,
    `A client that sends nothing for ${clientSilenceMs / 1_000} s is disconnected`,
    `Within ${resumeWindowMs / 1_000} s, the stream continues where it stopped`,
  ])
    assert.ok(text.includes(limit), limit);
});

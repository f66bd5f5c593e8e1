import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('what is said reaches standard error; only a terminal leaves it to the live screen on it', async () => {
  const program = join(import.meta.dirname, 'programs/say.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  assert.equal(stderr, 'said\nsaid to a live screen\nsaid after it\n');
  assert.equal(stdout, '');
});

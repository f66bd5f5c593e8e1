import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test, trial } from '../../../tiers.ts';

test('what is said reaches standard error; only a terminal leaves it to the live screen on it', async () => {
  const program = join(import.meta.dirname, 'programs/say.ts');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  assert.equal(stderr, 'said\nsaid to a live screen\nsaid after it\n');
  assert.equal(stdout, '');
});

trial('a process ends with what is true of its command', () => {
  const program = join(import.meta.dirname, 'programs/end.ts');
  const end = (...words: string[]) => {
    const { status, signal, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
    return { end: status ?? signal, err: stderr };
  };
  assert.deepEqual(end('done'), { end: 0, err: '' });
  const unfinished = end();
  assert.equal(unfinished.end, 130);
  assert.match(unfinished.err, /^Error: The command ended before it was done/);
  const open = end('write', '--json');
  assert.equal(open.end, 8);
  assert.equal(JSON.parse(open.err).error.code, 'outcome_unknown');
  assert.equal(end('SIGINT').end, 'SIGINT');
  assert.equal(end('done', 'SIGINT').end, 'SIGINT');
  assert.equal(end('write', 'SIGINT').end, 8);
});

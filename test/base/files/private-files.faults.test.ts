import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { cannotFail, FaultyDisk } from '../../faulty-disk/faulty-disk.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';

const source = resolve(import.meta.dirname, '../../../src/base/files/private-files.ts');
const program = `import { writePrivateFile } from ${JSON.stringify(source)}; writePrivateFile(process.argv[1], 'new');`;

test('what replaces a private file is on disk with its name: a power failure does not bring the old one back', {
  skip: cannotFail,
}, (t) => {
  const folder = temporaryDirectory(t);
  const file = join(folder, 'owner', 'bots.json');
  mkdirSync(join(folder, 'owner'));
  writeFileSync(file, 'old');
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const replaced = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', program, file], {
      env: { ...process.env, ...disk.variables(folder) },
    }).status === 0;
  disk.arm({ at: 1, onlySyncs: true });
  assert.equal(replaced(), false);
  assert.equal(readFileSync(file, 'utf8'), 'old');
  disk.arm({ at: 2, onlySyncs: true });
  replaced();
  assert.equal(disk.failed.first, 'fsync /owner');
  assert.equal(readFileSync(file, 'utf8'), 'new');
});

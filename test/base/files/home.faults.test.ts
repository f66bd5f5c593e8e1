import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const folders = join(import.meta.dirname, '../../../src/base/files/folders.ts');
const program = `
import(${JSON.stringify(folders)}).then(({ configFolder, homeFolder, stateFolder }) => {
  const codes = [configFolder, stateFolder].map((folder) => {
    try { return folder({}); } catch (error) { return error.facts.code; }
  });
  console.log(JSON.stringify([homeFolder({}) ?? null, ...codes, stateFolder({ HOME: '/h' }), stateFolder({ PERP_STATE_DIR: '/s' })]));
});`;

test('a user without HOME and without an entry in the system has no home, and is told so', {
  skip: process.getuid?.() !== 0 && 'only root can be somebody else',
}, () => {
  const nobody = { uid: 54_321, gid: 54_321, cwd: '/', env: {}, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], nobody);
  assert.equal(stderr, '');
  assert.deepEqual(JSON.parse(stdout), [null, 'no_home', 'no_home', '/h/.local/state/perp', '/s']);
});

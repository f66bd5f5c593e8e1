import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { configFolder, stateFolder } from '../../../src/base/files/folders.ts';
import { createPrivateFolder, isOpenToOthers, moveFile, type System } from '../../../src/base/system/system.ts';
import { hasBrowser } from '../../../src/terminal/cli/login/browser.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'perp-system-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A system that refuses the first renames, as while a reader has the file open, and keeps what it is asked to run. */
function systemOf(platform: NodeJS.Platform, refusals = 0, code = 'EPERM') {
  const asked: string[][] = [];
  let left = refusals;
  const system: System = {
    platform,
    run: (...words) => void asked.push(words),
    rename(from, to) {
      left -= 1;
      if (left >= 0) throw Object.assign(new Error(code), { code });
      renameSync(from, to);
    },
  };
  return { system, asked };
}

describe('on Windows', () => {
  const { system } = systemOf('win32');

  it('settings are in the roaming profile, states in the local one', () => {
    const variables = { APPDATA: '/roaming', LOCALAPPDATA: '/local', XDG_CONFIG_HOME: '/xdg', HOME: '/home/ada' };
    const places = () => [configFolder(variables, system), stateFolder(variables, system)];
    assert.deepEqual(places(), [join('/roaming', 'perp'), join('/local', 'perp')]);
    assert.equal(configFolder(variables, { platform: 'linux' }), join('/xdg', 'perp'));
  });

  it('a new folder is closed to others with all that will be in it, and no mode of a file says that it is open', (t) => {
    const { system, asked } = systemOf('win32');
    const [folder, other] = ['one', 'other'].map((name) => join(folderOf(t), name));
    createPrivateFolder(folder!, { USERNAME: 'Ada', USERDOMAIN: 'DESK' }, system);
    assert.deepEqual(asked, [['icacls', folder, '/inheritance:r', '/grant:r', 'DESK\\Ada:(OI)(CI)F']]);
    assert.deepEqual([isOpenToOthers(0o666, undefined, system), isOpenToOthers(0o640, 0o022)], [false, false]);
    assert.equal(isOpenToOthers(0o604, undefined, { platform: 'linux' }), true);
    // A file system without permissions.
    const run = () => assert.fail('refused');
    createPrivateFolder(other!, { USERNAME: 'Ada' }, { ...system, run });
    assert.ok(existsSync(other!));
  });

  it('a file gets its name when the reader of the one before has closed it, and soon after that not at all', (t) => {
    const folder = folderOf(t);
    const [from, to] = [join(folder, 'draft'), join(folder, 'file')];
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      writeFileSync(from, code);
      moveFile(from, to, systemOf('win32', 3, code).system);
      assert.equal(readFileSync(to, 'utf8'), code);
    }
    writeFileSync(from, 'new');
    for (const [platform, refusals, code] of [
      ['win32', 1_000, 'EPERM'],
      ['win32', 1, 'ENOSPC'],
      ['linux', 1, 'EPERM'],
    ] as const)
      assert.throws(() => moveFile(from, to, systemOf(platform, refusals, code).system), { code });
    assert.deepEqual([readFileSync(from, 'utf8'), readFileSync(to, 'utf8')], ['new', 'EBUSY']);
  });

  it('a browser is there', () => assert.equal(hasBrowser({}, 'win32'), true));
});

it('elsewhere, a new folder has a mode, and nothing is run for it', {
  skip: process.platform === 'win32' && 'no modes',
}, (t) => {
  const { system, asked } = systemOf('linux');
  const folder = join(folderOf(t), 'one');
  createPrivateFolder(folder, { USERNAME: 'Ada' }, system);
  assert.deepEqual([statSync(folder).mode & 0o077, asked], [0, []]);
});

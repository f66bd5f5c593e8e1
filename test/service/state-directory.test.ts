import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isStateName } from '../../src/base/terms/state-names.ts';
import { defaultStateDirectory, stateFiles } from '../../src/service/state/state-directory.ts';

test('states are stored in the platform’s folder for them by default', () => {
  const cases: [Record<string, string>, NodeJS.Platform, string][] = [
    [{ PERP_STATE_DIR: '/s', XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/s'],
    [{ PERP_STATE_DIR: '', XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', join('/x', 'perp')],
    [{ HOME: '/h' }, 'linux', join('/h', '.local', 'state', 'perp')],
    [{ HOME: '/h' }, 'darwin', join('/h', '.local', 'state', 'perp')],
    [{ LOCALAPPDATA: 'C:/l', HOME: '/h' }, 'win32', join('C:/l', 'perp', 'state')],
  ];
  for (const [environment, platform, expected] of cases)
    assert.equal(defaultStateDirectory(environment, platform), expected);
});

test('a name that could leave the folder is not valid', () => {
  for (const name of ['default', 'a', 'My-state_2.1', 'x'.repeat(64)]) assert.ok(isStateName(name), name);
  for (const name of ['', '.', '..', '.a', '../a', 'a/b', 'a\\b', 'a b', 'a\u0000', 'ä', 'x'.repeat(65)]) {
    assert.equal(isStateName(name), false, name);
    assert.throws(() => stateFiles('/s', name), RangeError);
  }
});

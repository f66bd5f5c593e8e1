import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { configFolder, stateFolder } from '../../../../src/base/files/folders.ts';
import { surroundings } from '../../../../src/terminal/cli/run-command.ts';
import { isColored } from '../../../../src/terminal/console/terminal/io.ts';
import { temporaryDirectory } from '../../../service/temporary-directory.ts';

test('a state folder that others can write to is told by every command', (t) => {
  const folder = temporaryDirectory(t);
  assert.deepEqual(surroundings({ PERP_STATE_DIR: folder }), []);
  chmodSync(folder, 0o777);
  assert.match(surroundings({ PERP_STATE_DIR: folder })[0]!, /Other users can write to .*: chmod 700/);
});

test('a time zone that is not known is told, one that is known is not', (t) => {
  const PERP_STATE_DIR = temporaryDirectory(t);
  for (const TZ of ['CET-1CEST,M3.5.0,M10.5.0/3', '<+03>-3', 'UTC-3'])
    assert.match(surroundings({ PERP_STATE_DIR, TZ })[0] ?? TZ, /times are in UTC/);
  for (const TZ of ['UTC', 'Europe/Berlin', 'Etc/GMT+3', ':Europe/Berlin', 'EST5EDT'])
    assert.deepEqual(surroundings({ PERP_STATE_DIR, TZ }), [], TZ);
});

test('relative folders in HOME and XDG variables are ignored', () => {
  const home = resolve('/home/user');
  assert.equal(stateFolder({ HOME: home, XDG_STATE_HOME: 'state' }), join(home, '.local/state/perp'));
  assert.equal(configFolder({ HOME: home, XDG_CONFIG_HOME: './config' }), join(home, '.config/perp'));
  assert.ok(!stateFolder({ HOME: 'here' }).startsWith('here'));
});

test('terminals without colors get none', () => {
  for (const TERM of ['dumb', 'vt100', 'vt220', 'xterm-mono', 'linux-m', 'ansi-m'])
    assert.equal(isColored({ TERM }, true), false, TERM);
  for (const TERM of [
    'xterm',
    'xterm-256color',
    'screen',
    'tmux-256color',
    'linux',
    'vt220-color',
    'alacritty',
    undefined,
  ])
    assert.equal(isColored({ TERM }, true), true, TERM);
});

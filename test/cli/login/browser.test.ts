import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasBrowser } from '../../../src/cli/login/browser.ts';

describe('a browser that would appear before the person', () => {
  const cases: [where: string, platform: NodeJS.Platform, variables: Record<string, string>, expected: boolean][] = [
    ['on a Linux desktop with X', 'linux', { DISPLAY: ':0' }, true],
    ['on a Linux desktop with Wayland', 'linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['on Linux under Windows', 'linux', { WSL_DISTRO_NAME: 'Debian' }, true],
    ['on Linux without a display', 'linux', {}, false],
    ['on Linux with an empty display', 'linux', { DISPLAY: '' }, false],
    [
      'over SSH, the display forwarded or not',
      'linux',
      { DISPLAY: 'localhost:10.0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' },
      false,
    ],
    ['over SSH with a terminal', 'linux', { DISPLAY: ':0', SSH_TTY: '/dev/pts/1' }, false],
    ['on a Mac', 'darwin', {}, true],
    ['over SSH on a Mac', 'darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, false],
    ['on Windows', 'win32', {}, true],
  ];
  for (const [where, platform, variables, expected] of cases) {
    it(`is ${expected ? 'there' : 'not there'} ${where}`, () =>
      assert.equal(hasBrowser(variables, platform), expected));
  }
});

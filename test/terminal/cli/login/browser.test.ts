import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hasBrowser, openBrowser } from '../../../../src/terminal/cli/login/browser.ts';
import { setVariables } from '../../../variables.ts';

describe('a browser that the user can see', () => {
  const cases: [where: string, platform: NodeJS.Platform, variables: Record<string, string>, expected: boolean][] = [
    ['on a Linux desktop with X', 'linux', { DISPLAY: ':0' }, true],
    ['on a Linux desktop with Wayland', 'linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['on Linux under Windows', 'linux', { WSL_DISTRO_NAME: 'Debian' }, true],
    ['on Linux without a display', 'linux', {}, false],
    ['on Linux with an empty display', 'linux', { DISPLAY: '' }, false],
    [
      'over SSH, with or without display forwarding',
      'linux',
      { DISPLAY: 'localhost:10.0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' },
      false,
    ],
    ['over SSH with a terminal', 'linux', { DISPLAY: ':0', SSH_TTY: '/dev/pts/1' }, false],
    ['on a Mac', 'darwin', {}, true],
    ['over SSH on a Mac', 'darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, false],
    ['on Windows', 'win32', {}, true],
    ['over SSH with $BROWSER', 'linux', { SSH_TTY: '/dev/pts/1', BROWSER: 'helper' }, true],
    ['on a Mac with $BROWSER none', 'darwin', { BROWSER: 'none' }, false],
  ];
  for (const [where, platform, variables, expected] of cases) {
    it(`is ${expected ? 'there' : 'not there'} ${where}`, () =>
      assert.equal(hasBrowser(variables, platform), expected));
  }
});

it('starts the browser without the credentials of this process', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-browser-'));
  const [browser, seen] = [join(folder, 'browser'), join(folder, 'seen')];
  writeFileSync(browser, `#!/bin/sh\nenv > '${seen}.part' && mv '${seen}.part' '${seen}'\n`);
  chmodSync(browser, 0o755);
  const restore = setVariables({ BROWSER: browser, PERP_API_KEY: 'sim_live_0123456789abcdef', PERP_ENV: 'live' });
  try {
    assert.equal(await openBrowser('http://127.0.0.1:9/', process.env), true);
    assert.equal(process.env.PERP_API_KEY, 'sim_live_0123456789abcdef');
    for (let waited = 0; !existsSync(seen) && waited < 60_000; waited += 20) await delay(20);
    assert.doesNotMatch(readFileSync(seen, 'utf8'), /PERP_/);
  } finally {
    restore();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('tries the programs of $BROWSER in order, with the address in place of %s', {
  skip: process.platform === 'win32' && 'needs a POSIX shell',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-browser-'));
  const [browser, seen] = [join(folder, 'browser'), join(folder, 'seen')];
  writeFileSync(browser, `#!/bin/sh\necho "$@" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`);
  chmodSync(browser, 0o755);
  try {
    const variables = { BROWSER: `${folder}/absent:${browser} --new %s --end` };
    assert.equal(await openBrowser('http://x.example/?a=1&b=$(id)', variables), true);
    for (let waited = 0; !existsSync(seen) && waited < 60_000; waited += 20) await delay(20);
    assert.equal(readFileSync(seen, 'utf8'), '--new http://x.example/?a=1&b=$(id) --end\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

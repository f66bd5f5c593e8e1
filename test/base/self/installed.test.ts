import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wayIn } from '../../../src/base/self/self.ts';

const cases: [way: string, place: string, isExecutable: boolean, there?: string][] = [
  ['checkout', '/home/ada/perp', false, '/home/ada/perp/src'],
  ['npm', '/usr/lib/node_modules/perp', false],
  ['archive', '/opt/für alle/perp-0.1.0-linux-x64/perp', true],
  ['archive', 'D:\\tools\\perp.exe', true],
  ['install.sh', '/home/ada/.local/lib/perp/perp-0.1.0-linux-x64/perp', true],
  ['deb', '/usr/lib/perp/perp', true, '/var/lib/dpkg/info/perp.list'],
  ['rpm', '/usr/lib/perp/perp', true],
  ['homebrew', '/opt/homebrew/Cellar/perp/0.1.0/libexec/perp', true],
  ['scoop', 'C:\\Users\\Ada\\scoop\\apps\\perp\\0.1.0\\perp.exe', true],
];

test('where a copy of perp is tells how it was installed', () => {
  for (const [way, place, isExecutable, there] of cases)
    assert.equal(
      wayIn(place, isExecutable, (file) => file === there),
      way,
      place,
    );
});

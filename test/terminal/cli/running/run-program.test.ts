import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

const skip = process.platform === 'win32' && 'the system looks for programs itself';

test('a program is a file that may be run: a folder of its name is none', { skip }, async () => {
  using desk = new Desk();
  const folders = ['one', 'other'].map((name) => join(desk.folder, name));
  mkdirSync(join(folders[0]!, 'bot'), { recursive: true });
  mkdirSync(folders[1]!);
  const variables = { PATH: folders.join(delimiter) };
  const none = await desk.perp(['sim', 'run', '--', 'bot'], { variables });
  assert.match(none.err, /There is no program bot\./);
  writeFileSync(join(folders[1]!, 'bot'), '', { mode: 0o600 });
  const idle = await desk.perp(['sim', 'run', '--', 'bot'], { variables });
  assert.match(idle.err, /bot can't be run: it is not executable\./);
  assert.deepEqual([none.exit, idle.exit], [2, 2]);
});

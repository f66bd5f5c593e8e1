import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { bin, buildPerp } from '../cli/built-perp.ts';

const script = resolve(import.meta.dirname, '../../scripts/build.ts');
const folder = mkdtempSync(join(tmpdir(), 'perp-build-'));
const dist = join(folder, 'dist');
after(() => rmSync(folder, { recursive: true, force: true }));

/** Files of the bundle that are named in it and not there. */
function missing(): string[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  return files.flatMap((file) => {
    const text = readFileSync(join(dist, file), 'utf8');
    return [...text.matchAll(/(?:from|import\()\s*["'](\.[^"']+\.js)["']/g)]
      .map(([, name]) => join(dirname(join(dist, file)), name!))
      .filter((name) => !existsSync(name));
  });
}

/** The file that perp.js loads. */
function named(): string {
  return /["'](\.\/work-\w+\.js)["']/.exec(readFileSync(join(dist, 'perp.js'), 'utf8'))![1]!;
}

test('a build in place of another leaves no moment without a whole one, and nothing of the old one behind', async () => {
  buildPerp();
  cpSync(join(dirname(bin), '../dist'), dist, { recursive: true });
  assert.deepEqual(missing(), []);
  writeFileSync(join(dist, 'work-OLD.js'), '');
  writeFileSync(join(dist, 'perp.js'), "import('./work-OLD.js');\n");

  const second = spawn(process.execPath, [script, dist], { stdio: 'inherit' });
  const ended = once(second, 'exit');
  let looks = 0;
  while (second.exitCode === null) {
    assert.ok(existsSync(join(dist, 'perp.js')));
    // What perp.js names is there, whichever of the two it is, unless the other takes its place at this moment.
    const work = named();
    assert.ok(existsSync(join(dist, work)) || named() !== work, work);
    looks++;
    await delay(1);
  }
  assert.deepEqual(await ended, [0, null]);
  assert.ok(looks > 0);
  assert.deepEqual(missing(), []);
  assert.equal(existsSync(join(dist, 'work-OLD.js')), false);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { modulesOf } from '../../../../src/programs/lab/workers/modules.ts';

test('a package is imported as Node would import it: by conditions, lists, patterns and exact names', async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'perp-modules-')));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const name of ['one', 'other', 'required', 'lib/sums', 'exact']) write(`node_modules/kit/${name}.mjs`, '');
  const linked = async (exports: unknown, specifier: string) => {
    write('node_modules/kit/package.json', JSON.stringify({ name: 'kit', exports }));
    write('bot.ts', specifier);
    const [first] = await modulesOf(join(folder, 'bot.ts'), async ({ text }) => ({
      text,
      imports: text === '' ? [] : [text],
    }));
    return first!.links[specifier];
  };
  const both = { require: './required.mjs', import: './one.mjs' };
  const patterns = { './exact': './exact.mjs', './*': './lib/*.mjs', '.': both };
  for (const [exports, specifier, file] of [
    ['./one.mjs', 'kit', 'one.mjs'],
    [['./one.mjs', './other.mjs'], 'kit', 'one.mjs'],
    [both, 'kit', 'one.mjs'],
    [patterns, 'kit', 'one.mjs'],
    [patterns, 'kit/exact', 'exact.mjs'],
    [patterns, 'kit/sums', 'lib/sums.mjs'],
  ] as const)
    assert.equal(await linked(exports, specifier), `node_modules/kit/${file}`, JSON.stringify([exports, specifier]));
  await assert.rejects(linked({ './exact': './exact.mjs' }, 'kit/sums'), /kit\/sums, which can't be found/);
});

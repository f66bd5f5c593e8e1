import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const declaration =
  /^export (?:default )?(?:abstract |async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/;

/** Every exported declaration of a file, and whether a doc comment stands right before it. */
function exportsOf(file: string): { name: string; isDocumented: boolean }[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    const name = declaration.exec(line)?.[1];
    if (name === undefined) return [];
    // The linter's comments may stand between.
    const before = lines.slice(0, at).findLast((one) => !one.startsWith('//')) ?? '';
    return [{ name, isDocumented: before.endsWith('*/') }];
  });
}

test('every export has a sentence that says what it is', () => {
  const bare = globSync('src/**/*.ts')
    // What a command is, its help says; that its file exports the spec and `run`, docs/architecture.md says.
    .filter((file) => !file.startsWith('src/cli/commands/'))
    .flatMap((file) => {
      const all = exportsOf(file);
      // A schema and the type of its values have one name, and one sentence.
      const documented = new Set(all.filter(({ isDocumented }) => isDocumented).map(({ name }) => name));
      return all.filter(({ name }) => !documented.has(name)).map(({ name }) => `${file}: ${name}`);
    });
  assert.deepEqual(bare, []);
});

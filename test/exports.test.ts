import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { test, trial } from './tiers.ts';

/**
 * The names that a text exports and that have no sentence, wherever it exports them: at their declaration or in a list.
 * What comes from another of our files has its sentence there.
 */
function bareExports(text: string): string[] {
  const { staticExports, staticImports } = parseSync('file.ts', text).module;
  const isOurs = (from: string | undefined) => from?.startsWith('.') === true;
  const imported = new Map(
    staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ localName }) => [localName.value, isOurs(moduleRequest.value)] as const),
    ),
  );
  const documented = documentedNames(text);
  return staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName, localName, importName, moduleRequest }) => {
      const name = exportName.name ?? importName.name ?? '*';
      const known = localName.name ?? name;
      const hasOne = documented.has(known) || imported.get(known) === true || isOurs(moduleRequest?.value);
      return hasOne ? [] : [name];
    });
}

/** What a text declares with a doc comment right before it. A schema and the type of its values have one sentence. */
function documentedNames(text: string): Set<string> {
  const declaration =
    /^(?:export )?(?:default )?(?:abstract |async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/;
  const lines = text.split('\n');
  const names = lines.flatMap((line, at) => {
    const name = declaration.exec(line)?.[1];
    // The linter's comments may stand between.
    const before = lines.slice(0, at).findLast((one) => !one.startsWith('//')) ?? '';
    return name !== undefined && before.endsWith('*/') ? [name] : [];
  });
  return new Set(names);
}

trial('every export has a sentence that says what it is', () => {
  const bare = globSync('src/**/*.ts')
    // What a command is, its help says; what its file exports, CONTRIBUTING.md says.
    .filter((file) => !file.startsWith('src/terminal/cli/commands/'))
    .flatMap((file) => bareExports(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`));
  assert.deepEqual(bare, []);
});

test('an export in a list needs its sentence, too', () => {
  const text = (sentence: string) => `
    import { ours } from './ours.ts';
    import { theirs } from 'theirs';
    ${sentence}
const own = 1;
type Own = number;
export { own, ours, theirs as other, type Own };
export { more } from './more.ts';
export { most } from 'most';
export * from 'all';
`;
  assert.deepEqual(bareExports(text('')).sort(), ['*', 'Own', 'most', 'other', 'own']);
  assert.deepEqual(bareExports(text('/** A number. */')).sort(), ['*', 'Own', 'most', 'other']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupSummaries, sections } from '../../src/cli/groups.ts';
import { parse } from '../../src/cli/parse.ts';
import { childrenOf } from '../../src/cli/registry.ts';
import { route } from '../../src/cli/route.ts';
import { operations } from '../../src/contract/operations.ts';
import { commands } from './practice.ts';

const registry = await commands();
const specs = [...registry.commands];

test('every operation of the API has a command', () => {
  const used = new Set(specs.flatMap(([, spec]) => spec.operations));
  assert.deepEqual(
    Object.keys(operations).filter((id) => !used.has(id as keyof typeof operations)),
    [],
  );
});

test('every command has a summary without full stop and an example that parses', () => {
  for (const [path, spec] of specs) {
    assert.match(spec.summary, /^[A-Z].*[^.]$/, path);
    assert.ok(spec.examples.length > 0, path);
    for (const [example] of spec.examples) {
      if (!example.startsWith('perp ')) continue;
      const chosen = route(
        example
          .replace(/ [>|].*$/, '')
          .split(' ')
          .slice(1),
        registry,
      );
      assert.ok(chosen.kind === 'run', example);
      parse(chosen.path, registry.commands.get(chosen.path)!, chosen.tokens);
    }
  }
});

test('every noun has a section in the overview, and every noun with verbs a summary', () => {
  const listed = sections.flatMap(([, words]) => words);
  for (const word of childrenOf(registry, '')) assert.ok(listed.includes(word), word);
  for (const [path] of specs) {
    const group = path.split(' ').slice(0, -1).join(' ');
    if (group !== '') assert.ok(groupSummaries[group], group);
  }
});

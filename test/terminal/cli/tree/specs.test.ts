import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { optionOfField } from '../../../../src/base/failure/report.ts';
import { requestFields } from '../../../../src/base/terms/order-fields.ts';
import { splitWords } from '../../../../src/desk/values/split.ts';
import { nounSummaries, sections } from '../../../../src/terminal/cli/tree/nouns.ts';
import { readerOf } from '../../../../src/terminal/cli/whole-line.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { commands } from '../practice.ts';

const source = resolve(import.meta.dirname, '../../../../src');
const registry = await commands();
const readLine = readerOf(registry).read;
const specs = [...registry.specs];

test('every operation of the API is called by a command; perp api calls the one that no trade needs', () => {
  // perp doctor --contract reads everything, so it says nothing about commands.
  const doctor = join('terminal', 'cli', 'doctor', 'contract.ts');
  const sources = globSync('{terminal/cli,desk}/**/*.ts', { cwd: source }).filter((file) => file !== doctor);
  const text = sources.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
  assert.deepEqual(
    Object.keys(operations).filter((id) => !text.includes(`'${id}'`)),
    ['listRestrictedCountries'],
  );
});

test('every summary is an imperative of at most 60 characters, without a period', () => {
  const summaries = [...specs.map(([path, { summary }]) => [path, summary] as const), ...Object.entries(nounSummaries)];
  for (const [path, summary] of summaries) {
    assert.match(summary, /^[A-Z].*[^.]$/, path);
    assert.doesNotMatch(summary, /^(The|A|An|Your|What|Several|\w+s)\b/, path);
    assert.ok(summary.length <= 60, `${path}: ${summary}`);
  }
});

test('every command has an example that parses', () => {
  for (const [path, spec] of specs) {
    assert.ok(spec.examples.length > 0, path);
    for (const [example] of spec.examples) {
      if (!example.startsWith('perp ')) continue;
      const words = splitWords(example.replace(/ [>|] .*$/, '')).slice(1);
      assert.ok(readLine(words).path, example);
    }
  }
});

test('every noun has a section in the overview, and every noun with verbs has a summary', () => {
  const listed = sections.flatMap(([, words]) => words);
  for (const [path] of specs)
    assert.ok(listed.includes(path.split(' ')[0]!), `${path}: give it a section in terminal/cli/tree/nouns.ts`);
  for (const [path] of specs) {
    const group = path.split(' ').slice(0, -1).join(' ');
    if (group !== '') assert.ok(nounSummaries[group], `${group}: give it a summary in terminal/cli/tree/nouns.ts`);
  }
});

test('every field of an order is an argument or an option of perp order place', () => {
  const { args, options } = registry.specs.get('order place')!;
  const known = [...args!.map(({ name }) => name.toUpperCase()), ...Object.keys(options!).map((name) => `--${name}`)];
  const missing = requestFields.filter(({ asked }) => !known.includes(optionOfField(asked)));
  assert.deepEqual(
    missing.map(({ asked }) => asked),
    // The market is said as it is known, and the account by an option of every command.
    ['account_id', 'market_id'],
  );
});

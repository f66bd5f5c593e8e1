import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitWords } from '../../../../src/desk/values/split.ts';
import { commandTree } from '../../../../src/terminal/cli/tree/command-tree.ts';
import { plainLine } from '../../../../src/terminal/cli/tree/plain-line.ts';
import type { Chosen } from '../../../../src/terminal/console/grammar/command-line.ts';
import { globalOptions } from '../../../../src/terminal/console/grammar/global-options.ts';
import type { OptionSpec } from '../../../../src/terminal/console/grammar/spec.ts';
import { plainPalette } from '../../../../src/terminal/console/output/themes.ts';
import { commands } from '../practice.ts';

const registry = await commands();

/** As the tree reads it; undefined if it refuses the line, or prints help. */
function byTree(words: readonly string[]): Chosen | undefined {
  let chosen: Chosen | undefined;
  const act = (one: Chosen) => {
    chosen = one;
  };
  try {
    const tree = commandTree({ catalog: registry, write: () => {}, columns: 80, palette: plainPalette, act });
    tree.parse([...words], { from: 'user' });
  } catch {
    return undefined;
  }
  return chosen;
}

/** Times that count from now. */
const withoutTimes = (chosen: Chosen | undefined) =>
  JSON.stringify(chosen, (_, value) => (typeof value === 'number' && value > 1e12 ? 'a time' : value));

test('every example is read as by the tree, most of them without it', () => {
  let plain = 0;
  const examples = [...registry.specs.values()].flatMap((spec) => spec.examples);
  for (const [example] of examples) {
    const words = splitWords(example.replace(/ [>|] .*$/, '')).slice(1);
    const read = plainLine(words, registry);
    if (read === undefined) continue;
    plain++;
    assert.equal(withoutTimes(read), withoutTimes(byTree(words)), example);
  }
  assert.ok(plain > examples.length / 2, `${plain} of ${examples.length}`);
});

const words = [
  'BTC',
  'buy',
  '0.05',
  '1%',
  '61000',
  '3',
  '30m',
  'none',
  '',
  '-',
  '--',
  '-1',
  'a b',
  '__proto__',
  'a=b=c',
];

const line = fc.constantFrom(...registry.specs.keys()).chain((path) => {
  const { args = [], options = {} } = registry.spec(path);
  const all: Readonly<Record<string, OptionSpec>> = { ...globalOptions, ...options };
  const value = fc.constantFrom(...words, 'market', 'csv', 'json', 'manual', 'sim');
  const option = fc
    .tuple(fc.constantFrom(...Object.entries(all)), value, fc.constantFrom('--', '=', '-', 'switch'))
    .map(([[name, { short, value: takes, choices }], text, form]) => {
      const given = choices?.[text.length % choices.length] ?? text;
      if (form === '-' && short !== undefined) return takes === undefined ? [`-${short}`] : [`-${short}`, given];
      if (takes === undefined && form !== '=') return [`--${name}`];
      return form === '=' ? [`--${name}=${given}`] : form === 'switch' ? [`--${name}`] : [`--${name}`, given];
    });
  const word = fc.oneof({ weight: 3, arbitrary: option }, { weight: 1, arbitrary: value.map((text) => [text]) });
  const given = fc.tuple(...args.map(({ choices }) => (choices === undefined ? value : fc.constantFrom(...choices))));
  return fc
    .tuple(fc.constantFrom([], ['--json']), given, fc.array(word, { maxLength: 4 }))
    .map(([before, texts, more]) => [...before, ...path.split(' '), ...texts, ...more.flat()]);
});

test('whatever is read without the tree, the tree reads in the same way', () => {
  let plain = 0;
  fc.assert(
    fc.property(line, (argv) => {
      const read = plainLine(argv, registry);
      if (read === undefined) return;
      plain++;
      assert.equal(withoutTimes(read), withoutTimes(byTree(argv)));
    }),
    { numRuns: process.env.PERP_LONG === undefined ? 300 : 20_000 },
  );
  assert.ok(plain > 30, `${plain} plain lines`);
});

test('what only the tree knows is left to it', () => {
  const others = [
    'help',
    'order',
    'order place',
    'order place BTC buy',
    '--json order list',
    'order list -o csv',
    'order list -h',
  ];
  for (const other of [...others, 'order place BTC buy 1 2', 'order place BTC hold 1', 'nothing', 'order list --no'])
    assert.equal(plainLine(other.split(' '), registry), undefined, other);
  assert.equal(plainLine(['order place', 'BTC', 'buy', '1'], registry), undefined);
  assert.equal(plainLine([], registry), undefined);
});

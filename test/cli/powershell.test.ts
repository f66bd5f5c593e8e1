import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FlagGrammar, grammarOf, type Values } from '../../src/cli/completion/grammar.ts';
import { completionScript } from '../../src/cli/completion/script.ts';
import { PowerShellData, unclosed } from './powershell-data.ts';
import { commands } from './practice.ts';

const registry = await commands();
const script = completionScript('powershell', registry);
const { places, shared } = grammarOf(registry);

function table(name: string): unknown {
  const opening = `${name} = `;
  return new PowerShellData(script, script.indexOf(opening) + opening.length).read();
}

/** What the script should hold of the grammar, in its own shape. */
const flag = ({ names, about, values }: FlagGrammar) => ({ N: names, D: about, V: values ? valuesOf(values) : null });

function valuesOf(values: Values): object {
  if (values.kind === 'words') return { K: 'words', W: values.words };
  return values.kind === 'memory' ? { K: 'memory', M: values.name } : { K: values.kind };
}

test('PowerShell has every command, word, argument and flag of the grammar', () => {
  const expected = places.map(({ path, words, args, repeats, flags }) => {
    return [path, { R: repeats, W: words, A: args.map(valuesOf), F: flags.map(flag) }];
  });
  assert.deepEqual(table('$perpPlaces'), Object.fromEntries(expected));
  assert.deepEqual(table('$perpShared'), shared.map(flag));
});

test('every bracket of its script is closed', () => {
  assert.equal(unclosed(script), undefined);
  assert.equal(unclosed('if ($a) { @(1) '), '}');
});

test('it is ASCII: Windows PowerShell reads files in the code page of the machine', () => {
  assert.doesNotMatch(script, /[^\n\x20-\x7e]/);
});

test('it uses nothing newer than PowerShell 5.1, and no name that PowerShell has taken', () => {
  const code = script.replace(/'(?:[^']|'')*'/g, "''").replace(/#.*/g, '');
  assert.doesNotMatch(code, /&&|\|\||\?\?|\?\.| \? .* : /);
  assert.doesNotMatch(code, /\$(args|input|matches|error|home|host|pid|switch|this|event|foreach)\b/i);
});

test('it registers for perp, asks perp for what is remembered, and offers nothing where nothing is known', () => {
  assert.match(script, /^Register-ArgumentCompleter -Native -CommandName perp -ScriptBlock \{$/m);
  assert.match(script, /perp __complete \$values\.M \$environment 2>\$null/);
  assert.match(script, /if \(-not \$values\) \{ return \}/);
  for (const name of ['wordToComplete', 'commandAst', 'cursorPosition']) assert.ok(script.includes(`$${name}`));
});

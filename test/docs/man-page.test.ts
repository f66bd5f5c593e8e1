import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globalOptions } from '../../src/terminal/console/grammar/global-options.ts';
import { manPage } from '../../tools/man-page.ts';
import { commands, practiceTree } from '../terminal/cli/practice.ts';
import { test, trial } from '../tiers.ts';

const registry = await commands();
const program = await practiceTree();

/** The page as man shows it, without line breaks in paragraphs. */
function shown(width: number): string {
  const run = spawnSync('groff', ['-man', '-Tascii', '-ww', `-rLL=${width}n`, '-P-cbou'], {
    input: manPage(program),
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.error?.message);
  assert.equal(run.stderr, '', 'no warnings from groff');
  return run.stdout;
}

test('the man page is ASCII, and no line of text is read as a roff request', () => {
  for (const text of manPage(program).split('\n')) {
    assert.match(text, /^[\x20-\x7e]*$/);
    if (/^[.']/.test(text)) assert.match(text, /^\.(\\"|TH|SH|SS|PP|TP|RS|RE|PD|B|I|br|nh|ad)( |$)/);
  }
});

const groff = spawnSync('groff', ['--version']).status === 0 ? false : 'groff is not installed';

trial('the man page contains every command with its options, and fits 80 columns', { skip: groff }, () => {
  const wide = shown(400);
  for (const [path, spec] of registry.specs) {
    const node = path.split(' ').reduce((noun, word) => noun.below(word)!, program);
    assert.ok(wide.includes(program.createHelp().commandUsage(node)), path);
    assert.ok(wide.includes(spec.summary), path);
    for (const name of Object.keys(spec.options ?? {})) assert.ok(wide.includes(`--${name}`), `${path} --${name}`);
  }
  for (const name of Object.keys(globalOptions)) assert.ok(wide.includes(`--${name}`), name);
  for (const text of shown(80).split('\n')) {
    assert.ok(text.length <= 80, text);
  }
});

test('the man page explains each exit status and lists the files', () => {
  const page = manPage(program);
  for (const status of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130]) assert.match(page, new RegExp(`^\\.B ${status}$`, 'm'));
  assert.match(page, /^\.B \\\(ti\/\.config\/perp\/config\.json$/m);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { env, folder, furnish, inBash, remove, root, table } from './completion-world.ts';

before(furnish);
after(remove);

const has = (program: string) => spawnSync(program, ['-c', ':']).status === 0;

function inFish(line: string): string[] {
  const script = `source '${join(root, 'completions/perp.fish')}'; complete -C '${line}'`;
  const run = spawnSync('fish', ['--no-config', '-c', script], { env, encoding: 'utf8' });
  assert.equal(run.stderr, '', line);
  return run.stdout
    .trim()
    .split('\n')
    .map((row) => row.split('\t')[0]!)
    .filter((word) => word !== '');
}

/**
 * A real zsh on a pseudo-terminal: types the line, requests the list, and reads the offered words after some seconds.
 */
function inZsh(line: string, seconds: number): string[] {
  const driver = `zmodload zsh/zpty; zpty shell zsh -f -i
zpty -w shell "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u -d '${join(folder, 'zcompdump')}'; source '${join(root, 'completions/_perp')}'"
zpty -w shell "zstyle ':completion:*' list-separator '|'; LISTMAX=1000; setopt no_list_beep no_always_last_prompt"
zpty -w shell "_show() { compstate[insert]=; compstate[list]='list force'; }; compprefuncs=(); comppostfuncs=(_show); bindkey '^I' list-choices; print READY"
zpty -r shell out '*READY*READY*'
zpty -n -w shell $'${line}\\t'
sleep ${seconds}
zpty -n -w shell $'\\C-u'
zpty -w shell 'print DO''NE'
zpty -r shell out '*DONE*'
print -r -- "$out"; zpty -d shell`;
  const run = spawnSync('zsh', ['-f', '-c', driver], { env, encoding: 'utf8', timeout: 60_000 });
  const rows = run.stdout
    .replaceAll('\r', '')
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .split('\n');
  return rows.flatMap((row) => row.split(/\s*\|\s?.*$|\s{2,}/)).map((word) => word.trim());
}

test('bash completes commands, options, values and stored names', () => {
  for (const [line, offers, not] of table) {
    const words = inBash(line);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
    for (const word of not) assert.ok(!words.includes(word), `${line}: ${words}`);
  }
});

test('fish completes commands, options, values and remembered names', {
  skip: has('fish') ? false : 'fish is not installed',
}, () => {
  for (const [line, offers, not] of table) {
    const words = inFish(line);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
    for (const word of not) assert.ok(!words.includes(word), `${line}: ${words}`);
  }
  assert.deepEqual(inFish('perp --env live order cancel '), []);
  assert.deepEqual(inFish('perp order place BTC buy 1 --tif=i'), ['--tif=ioc']);
  assert.deepEqual(inFish('perp --books /et').slice(0, 1), ['/etc/']);
  assert.deepEqual(inFish('perp --books=/et').slice(0, 1), ['--books=/etc/']);
});

test('zsh completes commands, options, values and remembered names', {
  skip: has('zsh') ? false : 'zsh is not installed',
}, () => {
  for (const [line, offers] of table) {
    let words: string[] = [];
    // On a busy machine this takes a while.
    for (const seconds of [1, 5, 15]) {
      words = inZsh(line, seconds);
      if (offers.every((word) => words.includes(word))) break;
    }
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
  }
});

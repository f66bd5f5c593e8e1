import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { shells } from '../../src/cli/completion/scripts.ts';
import { bin, buildPerp } from './built-perp.ts';
import { Desk } from './practice.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'perp-completion-'));
const env = {
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  TERM: 'dumb',
  PERP_STATE_DIR: join(folder, 'state'),
};

/** A perp on the path, and its memory of two markets and two orders. */
before(() => {
  buildPerp();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/perp'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
  mkdirSync(join(folder, 'state'));
  const memory = {
    sim: {
      market: [
        ['binance|BTCUSDT', 'BTC'],
        ['binance|ETHUSDT', 'ETH'],
      ],
      order: [
        ['ord_1', 'buy 0.01 BTC'],
        ['ord_2', 'sell 1 ETH'],
      ],
    },
  };
  writeFileSync(join(folder, 'state/completion.json'), JSON.stringify(memory));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What `perp __complete` answers to the words before the cursor. */
async function answered(line: string, variables: Record<string, string> = {}): Promise<string[]> {
  using desk = new Desk();
  const words = line.split(' ').slice(1);
  const { exit, out, err } = await desk.perp(['__complete', ...words], { variables: { ...env, ...variables } });
  assert.deepEqual([exit, err], [0, ''], line);
  return out.split('\n').slice(0, -1);
}

const has = (program: string) => spawnSync(program, ['-c', ':']).status === 0;

function inBash(line: string): string[] {
  const script = `source '${join(root, 'completions/perp.bash')}'
COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_perp; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
  assert.equal(run.stderr, '', line);
  return run.stdout
    .trim()
    .split('\n')
    .filter((word) => word !== '');
}

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

/** A real zsh on a pseudo-terminal: types the line, asks for the list, reads what it offers. */
function inZsh(line: string): string[] {
  const driver = `zmodload zsh/zpty; zpty shell zsh -f -i
zpty -w shell "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u -d '${join(folder, 'zcompdump')}'; source '${join(root, 'completions/_perp')}'"
zpty -w shell "zstyle ':completion:*' list-separator '|'; LISTMAX=1000; setopt no_list_beep no_always_last_prompt"
zpty -w shell "_show() { compstate[insert]=; compstate[list]='list force'; }; compprefuncs=(); comppostfuncs=(_show); bindkey '^I' list-choices; print READY"
zpty -r shell out '*READY*READY*'
zpty -n -w shell $'${line}\\t'
sleep 1
zpty -n -w shell $'\\C-u'
zpty -w shell 'print DO''NE'
zpty -r shell out '*DONE*'
print -r -- "$out"; zpty -d shell`;
  const run = spawnSync('zsh', ['-f', '-c', driver], { env, encoding: 'utf8', timeout: 20_000 });
  const rows = run.stdout
    .replaceAll('\r', '')
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .split('\n');
  return rows.flatMap((row) => row.split(/\s*\|\s?.*$|\s{2,}/)).map((word) => word.trim());
}

const table: [line: string, offers: string[], not: string[]][] = [
  ['perp ', ['order', 'positions', 'help'], ['place', '--json']],
  ['perp ord', ['order'], ['positions']],
  ['perp order ', ['place', 'list', 'cancel'], ['order']],
  ['perp --json order ', ['place', 'list'], []],
  ['perp --env live order ', ['place', 'list'], []],
  ['perp order place ', ['BTC', 'ETH', 'binance:BTCUSDT'], ['buy']],
  ['perp order place BTC ', ['buy', 'sell'], ['BTC']],
  ['perp order place BTC buy 1 --limit-price 5 --ti', ['--tif', '--timeout'], ['--limit-price']],
  ['perp order place BTC buy 1 --tif ', ['ioc', 'fok', 'gtd'], ['--tif']],
  ['perp order cancel ord_1 ', ['ord_1', 'ord_2'], []],
  ['perp order cancel -- ', ['ord_1', 'ord_2'], ['--json']],
  ['perp positions --cl', ['--closed', '--clock'], ['--json']],
  ['perp -o ', ['table', 'json', 'ndjson', 'csv'], []],
  ['perp help ', ['order', 'exit-codes'], []],
  ['perp help order ', ['place', 'list'], ['exit-codes']],
  ['perp sim keys ', ['create', 'list'], []],
  ['perp config set ', ['env', 'trade.leverage', 'sim.state'], ['environment', 'used', 'without']],
  ['perp config get ', ['env', 'trade.leverage', 'sim.state'], ['environment', 'used', 'without']],
  ['perp config set tra', ['trade.leverage', 'trade.margin'], ['env']],
];

test('perp __complete walks the tree: one word and its description a line, and what to do with them', async () => {
  for (const [line, offers, not] of table) {
    const rows = await answered(line);
    assert.equal(rows.pop(), ':words', line);
    const words = rows.map((row) => row.split('\t')[0]!);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
    for (const word of not) assert.ok(!words.includes(word), `${line}: ${words}`);
  }
  assert.deepEqual(await answered('perp sim k'), ['keys\tAPI keys for other clients of the simulation', ':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --tif=g'), ['--tif=gtd\t', ':words']);
  assert.deepEqual(await answered('perp order place BTC buy '), [':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --limit-price '), [':words']);
  assert.deepEqual(await answered('perp frobnicate '), await answered('perp '));
});

test('files are left to the shell', async () => {
  for (const line of ['perp sim import ', 'perp batch ord', 'perp --books ', 'perp --books=fri'])
    assert.deepEqual(await answered(line), [':files'], line);
});

test('what is remembered is of the environment that the line or the variable names', async () => {
  assert.deepEqual(await answered('perp --env live order cancel '), [':words']);
  assert.deepEqual(await answered('perp --env=live order cancel '), [':words']);
  assert.deepEqual(await answered('perp order cancel ', { PERP_ENV: 'live' }), [':words']);
  assert.deepEqual(await answered('perp --env sim order cancel ord_2', { PERP_ENV: 'live' }), [
    'ord_2\tsell 1 ETH',
    ':words',
  ]);
});

test('where a shell cannot pass an empty word, quotes stand for it', async () => {
  assert.deepEqual(await answered('perp order ""'), await answered('perp order '));
});

test('perp completion prints the scripts, which know nothing of the commands', async () => {
  using desk = new Desk();
  for (const [shell, name] of Object.entries(shells)) {
    const run = await desk.perp(['completion', shell]);
    assert.equal(run.out, readFileSync(join(root, 'completions', name), 'utf8'));
    assert.doesNotMatch(run.out, /positions|leverage|cancel/);
    // Windows PowerShell reads files in the code page of the machine.
    assert.match(run.out, /^[\n\x20-\x7e]*$/);
  }
  assert.equal((await desk.perp(['completion', 'tcsh'])).exit, 2);
});

test("PowerShell's script closes what it opens, and asks perp for its words", () => {
  // Nothing here runs PowerShell: CONTRIBUTING says how to try it.
  const script = readFileSync(join(root, 'completions/perp.ps1'), 'utf8').replaceAll(/^\s*#.*$/gm, '');
  const bare = script.replaceAll(/'[^']*'|"(?:`.|[^"`])*"/g, "''");
  const open: string[] = [];
  for (const mark of bare.match(/[()[\]{}]/g) ?? []) {
    if ('([{'.includes(mark)) open.push(mark);
    else assert.equal(open.pop(), { ')': '(', ']': '[', '}': '{' }[mark]);
  }
  assert.deepEqual(open, []);
  assert.match(script, /^\s*Register-ArgumentCompleter -Native -CommandName perp -ScriptBlock \{/);
  assert.match(script, /perp __complete @words \$current/);
});

test('bash completes commands, options, values and what is remembered', () => {
  for (const [line, offers, not] of table) {
    const words = inBash(line);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
    for (const word of not) assert.ok(!words.includes(word), `${line}: ${words}`);
  }
  assert.deepEqual(inBash('perp order place bin'), ['binance:BTCUSDT', 'binance:ETHUSDT']);
  assert.deepEqual(inBash('perp order place binance:B'), ['BTCUSDT']);
  assert.deepEqual(inBash('perp order place BTC buy 1 --tif=i'), ['ioc']);
  assert.deepEqual(inBash('perp --books /et').slice(0, 1), ['/etc']);
  assert.deepEqual(inBash('perp --books=/et').slice(0, 1), ['/etc']);
  assert.deepEqual(inBash('perp --env live order cancel '), []);
  assert.deepEqual(inBash('perp order place BTC buy '), []);
});

test('fish completes the same', { skip: has('fish') ? false : 'fish is not installed' }, () => {
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

test('zsh completes the same', { skip: has('zsh') ? false : 'zsh is not installed' }, () => {
  for (const [line, offers] of table) {
    const words = inZsh(line);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
  }
});

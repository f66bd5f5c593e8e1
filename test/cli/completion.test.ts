import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { completionScript, type Shell, shells } from '../../src/cli/completion/script.ts';
import { commands, Desk } from './practice.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'perp-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// A perp on the path that completes as the real one does, from a memory of two markets and an order.
mkdirSync(join(folder, 'bin'));
writeFileSync(
  join(folder, 'bin/perp'),
  `#!/bin/sh
[ "$1" = __complete ] || exit 1
case "$2" in
  market) printf 'BTC\\tbinance:BTCUSDT\\nETH\\tbinance:ETHUSDT\\nbinance:BTCUSDT\\tBTC\\nbinance:ETHUSDT\\tETH\\n' ;;
  order) [ "$3" = live ] || printf 'ord_1\\tbuy 0.01 BTC\\nord_2\\tsell 1 ETH\\n' ;;
esac
`,
);
chmodSync(join(folder, 'bin/perp'), 0o755);
const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, TERM: 'dumb' };

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
  ['perp order ', ['place', 'list', 'cancel'], ['order']],
  ['perp --json order ', ['place', 'list'], []],
  ['perp --env live order ', ['place', 'list'], []],
  ['perp order place ', ['BTC', 'ETH'], ['buy']],
  ['perp order place BTC ', ['buy', 'sell'], ['BTC']],
  ['perp order place BTC buy 1 --limit-price 5 --ti', ['--tif', '--timeout'], ['--limit-price']],
  ['perp order place BTC buy 1 --tif ', ['ioc', 'fok', 'gtd'], ['--tif']],
  ['perp order cancel ord_1 ', ['ord_1', 'ord_2'], []],
  ['perp -o ', ['table', 'json', 'ndjson', 'csv'], []],
  ['perp help ', ['order', 'exit-codes'], []],
  ['perp sim keys ', ['create', 'list'], []],
  ['perp config set ', ['env', 'trade.leverage', 'sim.state'], ['environment', 'used', 'without']],
  ['perp config get ', ['env', 'trade.leverage', 'sim.state'], ['environment', 'used', 'without']],
  ['perp config set tra', ['trade.leverage', 'trade.margin'], ['env']],
];

test('the scripts in completions/ are current', async () => {
  for (const [shell, name] of Object.entries(shells)) {
    const current = completionScript(shell as Shell, await commands());
    assert.equal(
      readFileSync(join(root, 'completions', name), 'utf8'),
      current,
      `${name}: run node scripts/completions.ts`,
    );
  }
});

test('perp completion prints them', async () => {
  using desk = new Desk();
  for (const [shell, name] of Object.entries(shells)) {
    const run = await desk.perp(['completion', shell]);
    assert.equal(run.out, readFileSync(join(root, 'completions', name), 'utf8'));
  }
  assert.equal((await desk.perp(['completion', 'tcsh'])).exit, 2);
});

test('bash completes commands, flags, values and what is remembered', () => {
  for (const [line, offers, not] of table) {
    const words = inBash(line);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
    for (const word of not) assert.ok(!words.includes(word), `${line}: ${words}`);
  }
  assert.deepEqual(inBash('perp order place bin'), ['binance:BTCUSDT', 'binance:ETHUSDT']);
  assert.deepEqual(inBash('perp order place binance:B'), ['BTCUSDT']);
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
});

test('zsh completes the same', { skip: has('zsh') ? false : 'zsh is not installed' }, () => {
  for (const [line, offers] of table) {
    const words = inZsh(line);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
  }
});

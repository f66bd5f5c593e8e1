import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { shells } from '../../../../src/terminal/cli/completion/scripts.ts';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';
import { env, furnish, inBash, remove, root, table } from './completion-world.ts';

before(furnish);
after(remove);

/** The output of `perp __complete` for the words before the cursor. */
async function answered(line: string, variables: Record<string, string> = {}): Promise<string[]> {
  using desk = new Desk();
  const words = line.split(' ').slice(1);
  const { exit, out, err } = await desk.perp(['__complete', ...words], { variables: { ...env, ...variables } });
  assert.deepEqual([exit, err], [0, ''], line);
  return out.split('\n').slice(0, -1);
}

test('perp __complete prints one word and its description per line, then a directive', async () => {
  for (const [line, offers, not] of table) {
    const rows = await answered(line);
    assert.equal(rows.pop(), ':words', line);
    const words = rows.map((row) => row.split('\t')[0]!);
    for (const word of offers) assert.ok(words.includes(word), `${line}: ${words}`);
    for (const word of not) assert.ok(!words.includes(word), `${line}: ${words}`);
  }
  assert.deepEqual(await answered('perp sim k'), ["key\tManage the simulation's API keys", ':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --tif=g'), ['--tif=gtd\t', ':words']);
  assert.deepEqual(await answered('perp order place eT'), ['ETH\tbinance:ETHUSDT', ':words']);
  assert.deepEqual(await answered('perp order place bin'), ['binance:BTCUSDT\tBTC', 'binance:ETHUSDT\tETH', ':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --TIF=G'), [':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --tif=G'), ['--tif=gtd\t', ':words']);
  assert.deepEqual(await answered('perp twap place BTC buy '), [':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --limit-price m'), ['mark\tthe mark', ':words']);
  assert.deepEqual(await answered('perp order place BTC buy 1 --stop-loss=e'), [
    "--stop-loss=entry\tthe position's average entry price",
    ':words',
  ]);
  assert.deepEqual(await answered('perp frobnicate '), await answered('perp '));
});

test('files are left to the shell', async () => {
  for (const line of ['perp sim import ', 'perp batch ord', 'perp --books ', 'perp --books=fri'])
    assert.deepEqual(await answered(line), [':files'], line);
});

test('stored names are those of the environment in use', async () => {
  assert.deepEqual(await answered('perp --env live order cancel '), [':words']);
  assert.deepEqual(await answered('perp --env=live order cancel '), [':words']);
  assert.deepEqual(await answered('perp order cancel ', { PERP_ENV: 'live' }), [':words']);
  assert.deepEqual(await answered('perp --env sim order cancel ord_2', { PERP_ENV: 'live' }), [
    'ord_2\tsell 1 ETH',
    ':words',
  ]);
});

test("a pair of quotes means an empty word, for shells that can't pass one", async () => {
  assert.deepEqual(await answered('perp order ""'), await answered('perp order '));
});

test('perp completion prints the scripts, which do not contain the commands', async () => {
  using desk = new Desk();
  for (const [shell, name] of Object.entries(shells)) {
    const run = await desk.perp(['completion', shell]);
    assert.equal(run.out, readFileSync(join(root, 'completions', name), 'utf8'));
    assert.doesNotMatch(run.out, /positions|leverage|cancel/);
    // Windows PowerShell reads files in the machine's code page.
    assert.match(run.out, /^[\n\x20-\x7e]*$/);
  }
  assert.equal((await desk.perp(['completion', 'tcsh'])).exit, 2);
});

test("PowerShell's script is balanced and calls perp for its words", () => {
  // No test runs PowerShell: CONTRIBUTING says how to try it manually.
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

trial('in bash, words break at colons and equals signs, and the rest is completed', () => {
  assert.deepEqual(inBash('perp order place bin'), ['binance:BTCUSDT', 'binance:ETHUSDT']);
  assert.deepEqual(inBash('perp order place binance:B'), ['BTCUSDT']);
  assert.deepEqual(inBash('perp order place BTC buy 1 --tif=i'), ['ioc']);
  assert.deepEqual(inBash('perp --books /et').slice(0, 1), ['/etc']);
  assert.deepEqual(inBash('perp --books=/et').slice(0, 1), ['/etc']);
  assert.deepEqual(inBash('perp --env live order cancel '), []);
  assert.deepEqual(inBash('perp order place BTC buy risk:0'), ['0.5%']);
  assert.deepEqual(inBash('perp order place bt'), ['BTC']);
  assert.deepEqual(inBash('perp order place BINANCE:b'), ['BTCUSDT']);
});

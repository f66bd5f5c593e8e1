import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bin, buildPerp } from '../built-perp.ts';

export const root = resolve(import.meta.dirname, '../../../..');
export const folder = mkdtempSync(join(tmpdir(), 'perp-completion-'));
export const env = {
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  TERM: 'dumb',
  PERP_STATE_DIR: join(folder, 'state'),
};

/** Puts a perp on the path that remembers two markets and two orders. */
export function furnish(): void {
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
}

export function remove(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The words that bash offers for a line. */
export function inBash(line: string): string[] {
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

/** Lines, with words that must be offered for them, and words that must not. */
export const table: [line: string, offers: string[], not: string[]][] = [
  ['perp ', ['order', 'positions', 'help'], ['place', '--json']],
  ['perp ord', ['order'], ['positions']],
  ['perp order ', ['place', 'list', 'cancel'], ['order']],
  ['perp --json order ', ['place', 'list'], []],
  ['perp --env live order ', ['place', 'list'], []],
  ['perp order place ', ['BTC', 'ETH'], ['buy', 'binance:BTCUSDT']],
  ['perp order place BTC buy ', ['risk:0.5%', 'risk:200usd', 'risk:10%room', 'max'], []],
  ['perp order place BTC ', ['buy', 'sell'], ['BTC']],
  ['perp order place bt', ['BTC'], ['ETH']],
  ['perp order place BTC buy 1 --limit-price 5 --ti', ['--tif', '--timeout'], ['--limit-price']],
  ['perp order place BTC buy 1 --tif ', ['ioc', 'fok', 'gtd'], ['--tif']],
  ['perp order exits ord_1 --stop-loss ', ['entry', 'mark', 'bid', 'ask', 'none'], []],
  ['perp order cancel ord_1 ', ['ord_1', 'ord_2'], []],
  ['perp order cancel -- ', ['ord_1', 'ord_2'], ['--json']],
  ['perp plan b', ['BTC'], ['ETH', 'binance:BTCUSDT']],
  ['perp plan ', ['set', 'list'], ['BTC']],
  ['perp plan BTC ', [], ['set', 'list', 'BTC']],
  ['perp stop e', ['ETH'], ['BTC']],
  ['perp positions --cl', ['--closed', '--clock'], ['--json']],
  ['perp -o ', ['table', 'json', 'ndjson', 'csv'], []],
  ['perp help ', ['order', 'exit-codes'], []],
  ['perp help order ', ['place', 'list'], ['exit-codes']],
  ['perp sim key ', ['add', 'list'], []],
  ['perp config set ', ['env', 'trade.leverage', 'sim.state'], ['environment', 'used', 'without']],
  ['perp config get ', ['env', 'trade.leverage', 'sim.state'], ['environment', 'used', 'without']],
  ['perp config set tra', ['trade.leverage', 'trade.margin'], ['env']],
];

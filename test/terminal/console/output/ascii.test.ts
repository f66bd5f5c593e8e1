import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { test, trial } from '../../../tiers.ts';
import { bin, buildPerp, machine } from '../../cli/built-perp.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** HTML pages, which declare their encoding, and glyphs, which depend on the locale. */
const exempt = [
  'src/terminal/cli/login/receiver.ts',
  'src/service/approval-page.ts',
  'src/terminal/console/charts/glyphs.ts',
].map((file) => join(root, file));

test('output is ASCII, so it reads the same in every locale', () => {
  for (const file of globSync(join(root, 'src/**/*.ts')).filter((path) => !exempt.includes(path))) {
    const source = readFileSync(file, 'utf8');
    // Only these can print anything else.
    if (file.endsWith('.d.ts') || !/[^\n\t\x20-\x7f]|\\[ux]/.test(source)) continue;
    const { code } = transformSync(source, {
      loader: 'ts',
      charset: 'utf8',
      legalComments: 'none',
    });
    assert.equal(/.*[^\n\t\x20-\x7f].*/.exec(code)?.[0], undefined, file);
  }
});

const noTerminal =
  (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) && 'not installed: script';

/** Runs a prompt on a terminal and answers it; returns everything sent to the terminal. */
async function answered(variables: Record<string, string>, typed: string): Promise<{ exit: number; screen: string }> {
  const here = machine();
  buildPerp();
  const command = `stty cols 120; exec ${process.execPath} ${bin} order place BTC buy 0.01`;
  try {
    const env = { ...here.variables, ...variables };
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, timeout: 120_000 });
    let screen = '';
    // A terminal drops input typed while a prompt takes it over, so type again until the command ends.
    let typing: NodeJS.Timeout | undefined;
    terminal.stdin.on('error', () => {});
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (!/\(y\/N\)/.test(screen) || typing !== undefined) return;
      terminal.stdin.write(typed);
      typing = setInterval(() => terminal.stdin.write(typed), 500);
    });
    const exit = await new Promise<number>((done) => terminal.on('close', (code) => done(code!)));
    clearInterval(typing);
    return { exit, screen };
  } finally {
    here.remove();
  }
}

trial('prompts are ASCII on a terminal without Unicode support', { skip: noTerminal }, async () => {
  const { exit, screen } = await answered({ LC_ALL: 'C', TERM: 'xterm' }, 'y\r');
  assert.equal(exit, 0, screen);
  assert.match(screen, /Place market buy 0\.01 BTC on SIM default, synthetic\?/);
  assert.doesNotMatch(screen, /[^\x00-\x7e]/);
});

trial(
  'prompts on a dumb terminal have no control sequences, and Enter alone means no',
  {
    skip: noTerminal,
  },
  async () => {
    const yes = await answered({ LC_ALL: 'C', TERM: 'dumb' }, 'y\r');
    assert.equal(yes.exit, 0, yes.screen);
    assert.match(yes.screen, /BTC on SIM default, synthetic\? \(y\/N\) y/);
    for (const typed of ['\r', 'n\r', '\u0003', '\u0004']) {
      const { exit, screen } = await answered({ LC_ALL: 'C', TERM: 'dumb' }, typed);
      assert.equal(exit, 130, `${JSON.stringify(typed)}: ${screen}`);
      assert.doesNotMatch(screen, /[^\r\n\t\x08\x20-\x7e]/);
    }
  },
);

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { temporaryDirectory } from '../service/temporary-directory.ts';
import { bin, buildPerp, builtCache } from '../terminal/cli/built-perp.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

/**
 * Lines that begin with a prompt, without their comments; the others run until Ctrl-C, or need a terminal or a host.
 */
const commands = [...readme.matchAll(/^ {4}\$ perp (.+?)(?: +#.*)?$/gm)].map(([, command]) => command!);

it('the commands of the README run in their order, on a new home', (t) => {
  buildPerp();
  const home = temporaryDirectory(t);
  const env = { HOME: home, PATH: process.env.PATH, XDG_CACHE_HOME: builtCache };
  assert.ok(commands.length > 25, `${commands.length} are too few to be all`);
  for (const command of commands) {
    const args = command.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
    const run = (...more: string[]) =>
      spawnSync(process.execPath, [bin, ...args, ...more], { cwd: home, env, encoding: 'utf8', timeout: 60_000 });
    const first = run();
    // A command that asks on a terminal is one that the reader answers with yes.
    const ended = first.status === 2 && first.stderr.includes('--yes') ? run('--yes') : first;
    assert.equal(ended.status, 0, `perp ${command}\n${ended.stderr}`);
  }
});

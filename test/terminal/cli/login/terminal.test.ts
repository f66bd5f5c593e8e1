import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { describe, type TestContext } from 'node:test';
import { served } from '../../../service/serving.ts';
import { it, trial } from '../../../tiers.ts';
import { bin, buildPerp } from '../built-perp.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';

const person = new Person();
const noTerminal =
  (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) && 'not installed: script';

/** A login on a pseudo-terminal: everything on the screen, and a keyboard. */
async function atTerminal(t: TestContext) {
  const serving = await served(t);
  buildPerp();
  const machine = new Machine(t, serving.baseUrl);
  const command = `${process.execPath} ${bin} login --insecure-storage --no-browser`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: machine.variables });
  t.after(() => void terminal.kill('SIGKILL'));
  let screen = '';
  let changed = () => {};
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    changed();
  });
  const ended = new Promise<number | null>((resolve) => terminal.on('close', resolve));
  const seen = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(screen)) {
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
    return pattern.exec(screen)![0];
  };
  const address = async () => {
    await seen(/Code or address \(not shown\):/);
    return seen(/http:\/\/\S+code_challenge=\S+/);
  };
  return { address, ended, seen, screen: () => screen, type: (text: string) => void terminal.stdin.write(text) };
}

describe('a login on a terminal', { skip: noTerminal }, () => {
  trial('accepts pasted text without showing it', async (t) => {
    const terminal = await atTerminal(t);
    const location = await person.decide(await person.open(await terminal.address()), 'approve');
    terminal.type(`${location}\r`);
    assert.equal(await terminal.ended, 0, terminal.screen());
    const code = new URL(location).searchParams.get('code')!;
    assert.ok(!terminal.screen().includes(code.slice(0, 8)));
    assert.match(terminal.screen(), /Logged in as/);
  });

  trial('accepts the browser’s answer during the prompt, and restores the terminal', async (t) => {
    const terminal = await atTerminal(t);
    await person.approve(await terminal.address());
    assert.equal(await terminal.ended, 0, terminal.screen());
    assert.match(terminal.screen(), /Logged in as/);
  });

  it('ends on Ctrl-C: exit 130', async (t) => {
    const terminal = await atTerminal(t);
    await terminal.address();
    terminal.type('\u0003');
    assert.equal(await terminal.ended, 130, terminal.screen());
    assert.match(terminal.screen(), /The login was interrupted\. Nothing was stored\./);
  });
});

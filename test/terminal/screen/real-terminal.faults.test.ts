import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { bin, buildPerp, builtCache } from '../cli/built-perp.ts';

const missing = process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0;
const options = { skip: missing && 'not installed: script' };

/** The sequences that restore the terminal: previous screen, cursor, line wrapping, ordinary pasting. */
const restored = ['\u001b[?1049l', '\u001b[?25h', '\u001b[?7h', '\u001b[?2004l'];

/**
 * Runs `perp watch`, or another live screen, on a real terminal, acts on it once it shows the account, and returns its
 * output.
 */
async function ended(
  act: (perp: number, terminal: ChildProcess) => void,
  before = '',
  hear: (text: string, terminal: ChildProcess) => void = () => {},
  command = 'watch BTC',
): Promise<{ out: string; tty: string }> {
  buildPerp();
  const folder = mkdtempSync(join(tmpdir(), 'perp-terminal-'));
  // Ctrl-C reaches the shell, too, which would end before it tells the status.
  const shell = `trap : INT; stty cols 80 rows 24; ${before} '${process.execPath}' '${bin}' ${command}; echo "status $?"; stty -a; ls -R "$HOME"/practice`;
  const env = {
    PATH: process.env.PATH!,
    HOME: folder,
    PERP_STATE_DIR: folder,
    PERP_CONFIG_DIR: folder,
    XDG_CACHE_HOME: builtCache,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
  };
  const terminal = spawn('script', ['-qec', shell, '/dev/null'], { env });
  try {
    let out = '';
    let hasActed = false;
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      hear(text, terminal);
      if (hasActed || !/q quit/.test(out)) return;
      hasActed = true;
      act(perpBelow(terminal.pid!), terminal);
    });
    await Promise.race([
      new Promise((done) => terminal.on('close', done)),
      delay(120_000, undefined, { ref: false }).then(() =>
        Promise.reject(new Error(`still running:\n${out.slice(-400)}`)),
      ),
    ]);
    return { out, tty: out.slice(out.lastIndexOf('status ')) };
  } finally {
    terminal.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The process id of perp, which runs in a shell started by `script`. */
function perpBelow(id: number): number {
  const child = (parent: number) =>
    Number(
      execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' })
        .trim()
        .split('\n')[0],
    );
  return child(child(id));
}

const endings: [name: string, act: (perp: number, terminal: ChildProcess) => void, status: number][] = [
  ['q', (_, terminal) => terminal.stdin!.write('q'), 0],
  ['Ctrl-C', (_, terminal) => terminal.stdin!.write('\u0003'), 130],
  ['kill -TERM', (perp) => process.kill(perp, 'SIGTERM'), 130],
  ['kill -INT', (perp) => process.kill(perp, 'SIGINT'), 130],
  ['kill -HUP', (perp) => process.kill(perp, 'SIGHUP'), 129],
  ['kill -QUIT', (perp) => process.kill(perp, 'SIGQUIT'), 131],
];

for (const [name, act, status] of endings) {
  test(`${name} restores the terminal and exits with ${status}`, options, async () => {
    const { out, tty } = await ended(act);
    const last = out.lastIndexOf('\u001b[?1049h');
    for (const sequence of restored) assert.ok(out.indexOf(sequence, last) > 0, JSON.stringify(out.slice(-300)));
    assert.match(tty, new RegExp(`^status ${status}\\r?\\n`));
    assert.match(tty, / icanon/);
    assert.match(tty, / echo /);
  });
}

const practiceEndings: [name: string, act: (perp: number, terminal: ChildProcess) => void, status: number][] = [
  ['Ctrl-C', (_, terminal) => terminal.stdin!.write('\u0003'), 130],
  ['kill -TERM', (perp) => process.kill(perp, 'SIGTERM'), 130],
];

for (const [name, act, status] of practiceEndings) {
  test(`a practice ends with its report on ${name}, and leaves nothing`, options, async () => {
    const { out, tty } = await ended(act, '', () => {}, 'practice 2026-03-05 --seed 1 --blind');
    const report = out.slice(out.lastIndexOf('\u001b[?1049l'));
    assert.match(report, /doing nothing[\s\S]*It was[\s\S]*again.*perp practice 2026-03-05/);
    assert.match(tty, new RegExp(`^status ${status}\\r?\\n`));
    assert.match(tty, / icanon/);
    assert.match(tty, /practice:\s*$/);
  });
}

test(
  'a terminal that tells a white background gets colors for it, and its answer presses no key',
  options,
  async () => {
    const { out } = await ended(
      (_, terminal) => terminal.stdin!.write('q'),
      '',
      (text, terminal) => {
        if (text.includes('\u001b]11;?')) terminal.stdin!.write('\u001b]11;rgb:ffff/ffff/ffff\u001b\\?');
      },
    );
    // The key behind the answer opened the help.
    assert.match(out, /this page/);
    assert.match(out, /\u001b\[38;5;240m/);
    assert.ok(!out.includes('\u001b[38;5;248m'));
    assert.match(out, /status 0/);
  },
);

test('a bug leaves its error on the normal screen', options, async () => {
  const crash = "setTimeout(() => { throw new Error('a bug') }, 4000)";
  const { out, tty } = await ended(
    () => {},
    `NODE_OPTIONS="--import data:text/javascript,${encodeURIComponent(crash).replaceAll("'", '%27')}"`,
  );
  assert.ok(out.lastIndexOf('a bug') > out.lastIndexOf('\u001b[?1049l'), JSON.stringify(out.slice(-600)));
  assert.match(tty, / icanon/);
});

test('a burst of resizes is handled, with at most five frames per second', options, async () => {
  const began = performance.now();
  const { out } = await ended((perp, terminal) => {
    const storm = setInterval(() => {
      try {
        process.kill(perp, 'SIGWINCH');
      } catch {
        clearInterval(storm);
      }
    }, 1);
    setTimeout(() => {
      clearInterval(storm);
      terminal.stdin!.write('q');
    }, 2_000);
  });
  const frames = out.split('\u001b[?2026h').length - 1;
  assert.ok(frames <= ((performance.now() - began) / 1_000) * 5 + 1, `${frames} frames`);
  assert.match(out, /status 0/);
});

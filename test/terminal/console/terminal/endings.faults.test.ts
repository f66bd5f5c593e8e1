import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kinds } from '../../../../src/terminal/console/terminal/asking.ts';
import { BuiltRun, beginWorld, bin, buildPerp, machine, type Served, servedWorld } from '../../cli/built-perp.ts';
import { AtTerminal, noTerminal, shellWords } from './at-terminal.ts';

const source = resolve(import.meta.dirname, '../../../../src');
const here = machine();
const perp = (...words: string[]) => shellWords([process.execPath, bin, ...words]);
let host: Record<string, string>;

before(async () => {
  buildPerp();
  await beginWorld(here.variables, { plan: 'none' });
  const buy = new BuiltRun(['order', 'place', 'BTC', 'buy', '0.01'], here.variables);
  assert.equal((await buy.ended).exit, 0);
});
after(() => here.remove());

/** A command that asks a question of each kind, and what is on the terminal then. */
const asking: Readonly<Record<keyof typeof kinds, readonly [words: string[], shows: RegExp]>> = {
  confirm: [['flatten'], /\(y\/N\)/],
  choose: [['order', 'place', 'BTC'], /Side:/],
  line: [['order', 'place', 'BTC', 'buy'], /Size \(/],
  secret: [['login', '--env', 'live', '--insecure-storage', '--no-browser'], /\(not shown\):/],
};

const screens: readonly (readonly [words: string[], shows: RegExp])[] = [
  [['watch', 'BTC'], /q quit/],
  [['ladder', 'BTC'], /TRADING/],
];

/** Ways to end, with the statuses that say so. */
const ways: readonly (readonly [name: string, end: (at: AtTerminal) => void, statuses: number[]])[] = [
  ['Ctrl-C', (at) => at.type('\u0003'), [130]],
  ['Ctrl-D', (at) => at.type('\u0004'), [130]],
  ['SIGINT', (at) => at.signal('SIGINT'), [130]],
  ['SIGTERM', (at) => at.signal('SIGTERM'), [130]],
  // Where lines are read, the terminal's end is the input's.
  ['a hang-up', (at) => at.hangUp(), [129, 130]],
];

/** What restores a terminal that was changed, whatever was done last. */
function assertRestored(screen: string, modes: string): void {
  assert.match(modes, / icanon/);
  assert.match(modes, / echo /);
  for (const [on, off] of [
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[?7l', '\u001b[?7h'],
    ['\u001b[?25l', '\u001b[?25h'],
    ['\u001b[?1049h', '\u001b[?1049l'],
  ] as const)
    assert.ok(screen.lastIndexOf(off) >= screen.lastIndexOf(on), JSON.stringify([on, screen.slice(-400)]));
}

describe('a question on a terminal', { skip: noTerminal }, () => {
  const there = machine();
  let serving: Served;
  before(async () => {
    serving = await servedWorld(there.variables);
    host = { ...here.variables, PERP_BASE_URL: serving.baseUrl };
  });
  after(async () => {
    await serving.stop();
    there.remove();
  });

  it('Ctrl-D typed right after an answer does not overtake it', async () => {
    using at = new AtTerminal(perp('flatten'), host);
    await at.shows(/\(y\/N\)/);
    at.type('n\r\u0004');
    const { screen } = await at.ended();
    assert.match(screen, /Nothing was sent\./);
    assert.doesNotMatch(screen, /The input ended/);
  });

  for (const [kind, [words, shows]] of Object.entries(asking))
    it(`${kind}: every way to end it restores the terminal and tells so, and nothing is done`, async () => {
      for (const term of ['xterm-256color', 'dumb']) {
        if (term === 'dumb' && (kind === 'choose' || kind === 'line')) continue;
        const trial = async ([name, end, statuses]: (typeof ways)[number]) => {
          // A state folder takes one login at a time.
          const apart = kind === 'secret' ? { PERP_STATE_DIR: join(here.folder, name, term) } : {};
          using at = new AtTerminal(perp(...words), { ...host, ...apart, TERM: term });
          await at.shows(shows);
          end(at);
          const { status, screen, modes } = await at.ended();
          const said = `${kind} on ${term}, ${name}: ${JSON.stringify(screen)}`;
          assert.ok(statuses.includes(status), `${status}: ${said}`);
          if (name !== 'a hang-up') assertRestored(screen, modes);
        };
        await Promise.all(ways.map(trial));
      }
      const positions = await new BuiltRun(['positions', '--json'], here.variables).ended;
      assert.equal(JSON.parse(positions.out).length, 1);
    });

  it('a no declines: 130', async () => {
    using at = new AtTerminal(perp('flatten'), here.variables);
    await at.shows(/\(y\/N\)/);
    at.type('n\r');
    const { status, screen, modes } = await at.ended();
    assert.equal(status, 130);
    assert.match(screen, /Nothing was sent/);
    assertRestored(screen, modes);
  });

  it('asks again if an answer is neither yes nor no', async () => {
    using at = new AtTerminal(perp('flatten'), here.variables);
    await at.shows(/\(y\/N\)/);
    at.type('ye\t\r');
    await at.shows(/Answer y or n/);
    // The wrong answer is gone.
    at.type('no\r');
    const { status, screen } = await at.ended();
    assert.equal(status, 130);
    assert.match(screen, /Nothing was sent/);
  });

  it('that ends without an answer leaves its line on a dumb terminal, too', async () => {
    using at = new AtTerminal(perp('flatten'), { ...here.variables, TERM: 'dumb' });
    await at.shows(/\(y\/N\)/);
    at.type('\u0004');
    assert.match((await at.ended()).screen, /^The input ended before/m);
  });

  it('&& after a command that was not done does not go on', async () => {
    using at = new AtTerminal(`${perp('flatten', '--json')} && echo SAYS-FLAT`, here.variables);
    await at.shows(/\(y\/N\)/);
    at.type('\u0004');
    assert.doesNotMatch((await at.ended()).screen, /SAYS-FLAT/);
  });

  it('every question of the sources is of a kind in the table', () => {
    const known = new Set(Object.keys(kinds));
    for (const file of globSync(join(source, '**/*.ts'))) {
      for (const [, kind] of readFileSync(file, 'utf8').matchAll(/\bprompts\.(\w+)\(/g))
        assert.ok(known.has(kind!), file);
    }
  });
});

describe('a raw screen', { skip: noTerminal }, () => {
  for (const [words, shows] of screens)
    it(`perp ${words.join(' ')}: every way to end it restores the terminal and tells so`, async () => {
      const trial = async ([name, end, statuses]: (typeof ways)[number]) => {
        using at = new AtTerminal(perp(...words), here.variables);
        await at.shows(shows);
        if (name === 'Ctrl-C') at.type('n\u0004');
        end(at);
        const { status, screen, modes } = await at.ended();
        assert.ok(statuses.includes(status), `${name}: ${status}: ${JSON.stringify(screen.slice(-400))}`);
        assert.doesNotMatch(screen, /bug in perp/);
        if (name !== 'a hang-up') assertRestored(screen, modes);
      };
      // Ctrl-D is a key like others there.
      await Promise.all(ways.filter(([name]) => name !== 'Ctrl-D').map(trial));
    });
});

describe('Ctrl-C stops a script', { skip: noTerminal }, () => {
  const rounds = (command: string) =>
    `bash -c '${`for i in 1 2 3; do ${command}; echo "round $i"; done`.replaceAll("'", "'\\''")}'`;

  it('at a question, at work, and on a raw screen', async () => {
    const cases: [command: string, shows: RegExp][] = [
      [perp('flatten'), /\(y\/N\)/],
      [perp('wait', 'BTC < 1', '--timeout', '60'), /Waiting|wait/i],
      [perp('quote', 'BTC', '--watch'), /Press Ctrl-C/],
      [perp('stream', 'trades', 'BTC'), /BTC|\d/],
      [perp('watch', 'BTC'), /q quit/],
    ];
    const trial = async ([command, shows]: (typeof cases)[number]) => {
      using at = new AtTerminal(rounds(command), here.variables);
      await at.shows(shows);
      at.type('\u0003');
      const { status, screen } = await at.ended();
      assert.equal(status, 130, screen);
      assert.doesNotMatch(screen, /round 1/, command);
    };
    await Promise.all(cases.map(trial));
  });

  it('a caller sees the signal', async () => {
    const run = new BuiltRun(['quote', 'BTC', '--watch', '-o', 'ndjson'], here.variables);
    await run.printed(/\n/);
    run.process.kill('SIGINT');
    await run.ended;
    assert.equal(run.process.signalCode, 'SIGINT');
  });
});

describe('typing at a question', { skip: noTerminal }, () => {
  it('what is typed before a list is there narrows it, and its Enter chooses nothing', async () => {
    using at = new AtTerminal(perp('order', 'place'), here.variables);
    at.type('BTC\n');
    await at.shows(/Market: BTC/);
    assert.doesNotMatch(at.screen, /Side/);
    at.type('\r');
    await at.shows(/Side:/);
    at.type('\u0003');
    const { screen } = await at.ended();
    assert.match(screen, /Market: BTC .*BTCUSDT|Market: BTC /);
  });

  it('a paste of 8,000 characters is there at once, and Ctrl-C is heard', async () => {
    for (const [before, behind] of [
      ['', ''],
      ['\u001b[200~', '\u001b[201~'],
    ]) {
      using at = new AtTerminal(perp('order', 'place', 'BTC', 'buy'), here.variables);
      await at.shows(/Size \(/);
      const begun = performance.now();
      // A terminal takes 4,095 bytes before they are read.
      for (const part of [`${before}${'1'.repeat(2_000)}`, ...Array(3).fill('2'.repeat(2_000)), behind!]) at.type(part);
      await at.shows(/2222222222/);
      at.type('\u0003');
      const { status } = await at.ended();
      assert.equal(status, 130);
      assert.ok(performance.now() - begun < 5_000, `${performance.now() - begun} ms`);
    }
  });
});

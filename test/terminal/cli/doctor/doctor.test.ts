import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkCompletion } from '../../../../src/terminal/cli/doctor/completion-check.ts';
import type { Finding } from '../../../../src/terminal/cli/doctor/finding.ts';
import { compareClocks } from '../../../../src/terminal/cli/doctor/hosts.ts';
import { test, trial } from '../../../tiers.ts';
import { Desk, type Run } from '../practice.ts';

/** The result of one of doctor's checks, on a given desk. */
function of(run: Run, check: string): Finding | undefined {
  return (run.json as Finding[]).find((finding) => finding.check === check);
}

function look(desk: Desk, variables: Record<string, string> = {}): Promise<Run> {
  // The shell's answer counts, however slow this machine is.
  return desk.perp(['doctor', '--timeout', '250', '--json'], {
    variables: { PERP_API_KEY: 'x_live_planted0123456789', ...variables },
  });
}

/** A file of the desk, with a mode that does not depend on the umask. */
function write(desk: Desk, name: string, text: string, mode = 0o600): string {
  const file = join(desk.folder, name);
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

trial('on an empty machine nothing fails, nothing is created, and each line says what it found', async () => {
  using desk = new Desk();
  const run = await look(desk);
  assert.equal(run.exit, 0, run.out);
  assert.equal(of(run, 'node')?.status, 'ok');
  assert.match(of(run, 'config')!.message, /does not exist; using defaults/);
  assert.match(of(run, 'simulation')!.message, /none yet/);
  assert.equal(of(run, 'live host')?.message, 'not configured');
  assert.equal(of(run, 'pending writes')?.message, 'none');
  assert.doesNotMatch(run.out + run.err, /planted/);
});

test('text output fits the terminal, with each fix below its problem', async () => {
  using desk = new Desk();
  write(desk, 'config/config.json', '{}', 0o666);
  for (const columns of [80, 60]) {
    const { out } = await desk.perp(['doctor'], { terminal: true, columns });
    // Paths are not broken: a line may be longer by one character.
    const isLongPath = (text: string) => text.length - (/\S*\/\S*$/.exec(text)?.[0].length ?? 0) <= columns;
    for (const text of out.split('\n')) assert.ok(text.length <= columns || isLongPath(text), text);
    assert.match(out, /^fail +config +Other users can write[\s\S]*?\n {6}chmod 600\s/m);
    assert.match(out, /\n\n1 failure, \d warnings?\.\n$/);
  }
});

test('an invalid config file fails its check, and the other checks still run', async () => {
  using desk = new Desk();
  write(desk, 'config/config.json', '{"outptu": "json"}');
  const run = await look(desk);
  assert.equal(run.exit, 7);
  assert.match(of(run, 'config')!.message, /Unknown config key "outptu"/);
  assert.match(of(run, 'config')!.fix!, /^Did you mean output\?/);
  assert.equal(of(run, 'pending writes')!.status, 'ok');
  assert.equal((await desk.perp(['config', 'list'])).exit, 2, 'in other commands it is an error');
});

const modes: [mode: number, status: string][] = [
  [0o600, 'ok'],
  [0o644, 'warn'],
  [0o622, 'fail'],
];
for (const [mode, status] of modes) {
  test(`a config file of mode ${mode.toString(8)}: ${status}`, {
    skip: process.platform === 'win32' && 'no modes on Windows',
  }, async () => {
    using desk = new Desk();
    write(desk, 'config/config.json', '{"output": "json"}', mode);
    const found = of(await look(desk), 'config')!;
    assert.equal(found.status, status);
    assert.equal(found.fix === undefined, status === 'ok');
  });
}

trial('a state folder that other users can read is a warning; a file in its place is a failure', async () => {
  using desk = new Desk();
  await desk.json('markets');
  chmodSync(join(desk.folder, 'state'), 0o755);
  assert.match(of(await look(desk), 'state folder')!.message, /can read/);
  const file = write(desk, 'a-file', '');
  const run = await look(desk, { PERP_STATE_DIR: file });
  assert.deepEqual([run.exit, of(run, 'state folder')!.status], [7, 'fail']);
});

trial('the databases: undamaged, cut off, of another program, of a newer perp', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  const file = (name: string) => join(desk.folder, 'state', `${name}.db`);
  const before = readdirSync(join(desk.folder, 'state'));
  await look(desk);
  assert.deepEqual(readdirSync(join(desk.folder, 'state')), before, 'checking leaves nothing behind');
  for (const name of ['cut', 'newer']) cpSync(file('default'), file(name));
  truncateSync(file('cut'), 8_192);
  using newer = new DatabaseSync(file('newer'));
  newer.exec('PRAGMA user_version = 99');
  using foreign = new DatabaseSync(file('foreign'));
  foreign.exec('CREATE TABLE notes (text)');
  const run = await look(desk);
  assert.equal(run.exit, 7);
  assert.match(of(run, 'simulation default')!.message, /^undamaged, \d{2,3} kB, format 5$/);
  assert.match(of(run, 'simulation cut')!.message, /is damaged/);
  assert.match(of(run, 'simulation newer')!.message, /newer perp/);
  assert.match(of(run, 'simulation foreign')!.message, /another program/);
  for (const name of ['cut', 'newer', 'foreign']) assert.ok(of(run, `simulation ${name}`)!.fix);
});

test('writes with an unknown outcome are a warning; an unreadable intent file is a failure', async () => {
  using desk = new Desk();
  write(desk, 'state/intents/1-999999999-x.journal', 'not a note\nnor this\n');
  const run = await look(desk);
  assert.deepEqual([run.exit, of(run, 'pending writes')!.fix], [7, 'perp pending list']);
});

/** A host that gives `GET /v1` a scripted answer, and must not receive a credential. */
async function host(answer: { status?: number; body?: unknown; aheadMs?: number }) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('date', new Date(Date.now() + (answer.aheadMs ?? 0)).toUTCString());
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, heard, [Symbol.asyncDispose]: async () => void server.close() };
}

const api = (environment: string) => ({ data: { name: 'Challenge Trading API', version: '1', environment } });

test('a host that answers like the API is fine, and receives no credential', async () => {
  using desk = new Desk();
  await using live = await host({ body: api('live') });
  const run = await look(desk, { PERP_BASE_URL: live.address });
  assert.match(of(run, 'live host')!.message, /Challenge Trading API 1/);
  assert.equal(of(run, 'live clock')!.status, 'ok');
  assert.match(live.heard[0]!, /^GET \/v1 /);
  assert.doesNotMatch(live.heard.join(), /planted|authorization/i);
});

const wrongHosts: [what: string, answer: Parameters<typeof host>[0], says: RegExp][] = [
  ['the other host', { body: api('test') }, /host of sandbox, not of live/],
  ['a page', { body: 'hello' }, /not as the API does/],
  ['something else', { status: 404, body: {} }, /answered with status 404/],
  ['a failing host', { status: 503, body: {} }, /answered with status 503/],
];
for (const [what, answer, says] of wrongHosts) {
  test(`${what} instead of the host fails`, async () => {
    using desk = new Desk();
    await using wrong = await host(answer);
    const run = await look(desk, { PERP_BASE_URL: wrong.address });
    assert.deepEqual([run.exit, of(run, 'live host')!.status], [7, 'fail']);
    assert.match(of(run, 'live host')!.message, says);
  });
}

test('an unreachable address and an invalid one fail', async () => {
  using desk = new Desk();
  const run = await look(desk, { PERP_BASE_URL: 'http://127.0.0.1:1', PERP_SANDBOX_URL: 'http://example.com' });
  assert.deepEqual([run.exit, of(run, 'live host')!.status, of(run, 'sandbox host')!.status], [7, 'fail', 'fail']);
  assert.match(of(run, 'sandbox host')!.message, /PERP_SANDBOX_URL .* not an https address/);
});

test('a host that does not answer fails after --timeout', async (t) => {
  using desk = new Desk();
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const variables = { PERP_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, PERP_API_KEY: '' };
  const run = await desk.perp(['doctor', '--timeout', '0.2', '--json'], { variables });
  assert.match(of(run, 'live host')!.message, /within 200 ms/);
  assert.match(of(run, 'service feed')!.message, /REST: .*no answer within 200 ms; stream: no answer within 200 ms/);
});

const minuteMs = 60_000;
for (const [aheadMs, words] of [
  [90.5 * minuteMs, /1h 30m behind the host's/],
  [-90.5 * minuteMs, /1h 30m ahead of the host's/],
] as const) {
  test(`a clock that differs by ${aheadMs / minuteMs} minutes is a warning`, async () => {
    using desk = new Desk();
    await using live = await host({ body: api('live'), aheadMs });
    const found = of(await look(desk, { PERP_BASE_URL: live.address }), 'live clock')!;
    assert.equal(found.status, 'warn');
    assert.match(found.message, words);
  });
}

const clocks: [what: string, date: number, askedAt: number, answeredAt: number, status: 'ok' | 'warn'][] = [
  ['the same second', 60_000, 60_000, 60_999, 'ok'],
  ['an answer that took a minute, dated at its start', 60_000, 60_500, 120_500, 'ok'],
  ['an answer that took a minute, dated at its end', 120_000, 60_500, 120_500, 'ok'],
  ['five seconds before', 55_000, 60_999, 61_000, 'ok'],
  ['more than five seconds before', 54_000, 60_999, 61_000, 'warn'],
  ['five seconds after', 66_000, 60_999, 61_000, 'ok'],
  ['more than five seconds after', 67_000, 60_999, 61_000, 'warn'],
];
for (const [what, date, askedAt, answeredAt, status] of clocks) {
  test(`a Date header of ${what}: ${status}`, () => {
    assert.equal(compareClocks('live', date, [askedAt, answeredAt]).status, status);
  });
}

test('an unusable keychain is a failure if live is configured and there is no other credential', {
  skip: process.platform !== 'linux' && 'uses D-Bus',
}, async () => {
  using desk = new Desk();
  await using live = await host({ body: api('live') });
  const noBus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', PERP_BASE_URL: live.address };
  assert.equal(of(await look(desk, noBus), 'keychain')!.status, 'warn');
  const run = await look(desk, { ...noBus, PERP_API_KEY: '' });
  assert.equal(of(run, 'keychain')!.status, 'fail', run.out);
  assert.match(of(run, 'keychain')!.fix!, /--insecure-storage/);
});

/** What doctor finds about completion, without its other checks. The shell's answer counts, however slow it is. */
function completionOn(desk: Desk, variables: Record<string, string>): Promise<Finding> {
  return checkCompletion({ ...desk.variables, ...variables }, 250_000);
}

const shellFiles: [shell: string, file: string, text: 'script' | string, says: RegExp][] = [
  ['/bin/bash', '.bashrc', 'source <(perp completion bash)\n', /^bash, loaded in .*bashrc/],
  ['/bin/bash', '.bashrc', '# source <(perp completion bash)\n', /bash does not complete perp yet/],
  ['/bin/bash', '.local/share/bash-completion/completions/perp', 'script', /^bash, .*completions\/perp$/],
  ['/usr/bin/fish', '.config/fish/completions/perp.fish', 'script', /^fish, .*perp\.fish$/],
  ['/usr/bin/fish', '.config/fish/completions/perp.fish', '# an older one\n', /another version of perp/],
  ['/usr/bin/pwsh', '.none', '', /powershell does not complete/],
  ['/bin/tcsh', '.none', '', /no supported shell/],
];
for (const [shell, file, text, says] of shellFiles) {
  test(`completion: ${shell} with ${file}, ${says.source}`, async () => {
    using desk = new Desk();
    const script = async () => (await desk.perp(['completion', shell.split('/').at(-1)!])).out;
    write(desk, file, text === 'script' ? await script() : text);
    const found = await completionOn(desk, { SHELL: shell, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' });
    assert.match(found.message, says);
    assert.equal(found.status === 'warn', found.fix !== undefined);
  });
}

const zsh = spawnSync('sh', ['-c', 'command -v zsh'], { encoding: 'utf8' }).stdout.trim();
/** Leaves the completion system itself, without its functions for a thousand programs, which take long to load. */
const fewFunctions =
  'mkdir ~/.few; ln -s $^fpath/{compinit,compaudit,compdump,compinstall}(N) ~/.few; fpath=(~/.few)\n';
const compinit = 'autoload -Uz compinit && compinit -u -D';
const zshStarts: [title: string, startFile: string, says: RegExp, fix: RegExp | undefined][] = [
  ['the script is loaded by a start file', `${compinit}\nsource SCRIPT\n`, /^zsh$/, undefined],
  ['a start file prints much text', `echo hello; ${compinit}\nsource SCRIPT; echo ready\n`, /^zsh$/, undefined],
  ['the script is in fpath', `fpath=(~/.functions $fpath)\n${compinit}\n`, /^zsh, .*\/\.functions\/_perp$/, undefined],
  [
    'FPATH is exported',
    `export FPATH=$HOME/.functions:$FPATH\n${compinit}\n`,
    /^zsh, .*\/\.functions\/_perp$/,
    undefined,
  ],
  [
    'the script in fpath is an old one',
    `fpath=(~/.old $fpath)\n${compinit}\n`,
    /\.old\/_perp is from another version of perp/,
    /^perp completion zsh > .*\/\.old\/_perp$/,
  ],
  [
    'compinit is missing',
    'fpath=(~/.functions $fpath)\n',
    /but compinit, which loads it, has not run/,
    /^echo 'autoload -Uz compinit && compinit' >> .*\.zshrc$/,
  ],
  [
    'nothing is there',
    '',
    /^zsh does not complete perp yet/,
    /^echo 'autoload -Uz compinit && compinit; source <\(perp completion zsh\)' >> .*\.zshrc$/,
  ],
  [
    'only compinit is there',
    `${compinit}\n`,
    /^zsh does not complete perp yet/,
    /^echo 'source <\(perp completion zsh\)' >> .*\.zshrc$/,
  ],
];
for (const [title, startFile, says, fix] of zshStarts) {
  test(`completion: zsh, when ${title}`, { skip: zsh === '' ? 'zsh is not installed' : false }, async () => {
    using desk = new Desk();
    const script = (await desk.perp(['completion', 'zsh'])).out;
    const file = write(desk, '.functions/_perp', script);
    write(desk, '.old/_perp', '#compdef perp\n# an older one\n');
    write(desk, '.zshrc', fewFunctions + startFile.replace('SCRIPT', file));
    const found = await completionOn(desk, { SHELL: zsh, ZDOTDIR: '', FPATH: '' });
    assert.match(found.message, says);
    if (fix === undefined) assert.deepEqual([found.status, found.fix], ['ok', undefined]);
    else assert.match(found.fix!, fix);
  });
}

test('completion: a zsh that fails leaves the result open, and gets none of our variables', async () => {
  using desk = new Desk();
  const program = write(desk, 'bin/zsh', '#!/bin/sh\nenv > "$HOME/seen"; echo "perp? maybe"; exit 1\n', 0o700);
  const found = of(await look(desk, { SHELL: program }), 'completion')!;
  assert.equal(found.status, 'warn');
  assert.match(found.message, /did not report whether it completes perp/);
  assert.doesNotMatch(readFileSync(join(desk.folder, 'seen'), 'utf8'), /PERP_|planted/);
});

trial('a login in a file that other users can read is no login: doctor says so, and how to mend it', async () => {
  for (const [mode, status] of [
    [0o600, 'ok'],
    [0o644, 'fail'],
  ] as const) {
    using desk = new Desk();
    write(desk, 'state/credentials.json', '{}', mode);
    assert.equal(of(await look(desk), 'login file')?.status, status);
  }
});

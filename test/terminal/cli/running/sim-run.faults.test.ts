import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, machine } from '../built-perp.ts';

const own = machine();
const { variables } = own;
/** A run's folder is where the system's temporary files are. */
const runs = () => readdirSync(own.folder).filter((name) => name.startsWith('perp-run-'));

/** `perp sim run` of a program for Node. */
function running(options: readonly string[], program: string, folder = own.folder, more = {}): BuiltRun {
  const argv = ['sim', 'run', ...options, '--', process.execPath, '--input-type=module', '-e', program];
  return new BuiltRun(argv, { ...variables, TMPDIR: folder, ...more });
}

/** Variables of a system whose `unshare` is this script. */
function systemWhereUnshare(script: string) {
  const folder = mkdtempSync(join(own.folder, 'bin-'));
  writeFileSync(join(folder, 'unshare'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}${delimiter}${process.env.PATH}` };
}

const realUnshare = () => execFileSync('sh', ['-c', 'command -v unshare || true'], { encoding: 'utf8' }).trim();

const missingPython = () => spawnSync('python3', ['--version']).error !== undefined && 'not installed: python3';

/** As a stranger wrote it: hosts built in, its key in its own variable, old prices refused. */
const stranger = `
const headers = { authorization: 'Bearer ' + process.env.BOT_KEY, 'content-type': 'application/json' };
const { data: [{ id }] } = await (await fetch('https://api.example.com/v1/accounts', { headers })).json();
const socket = new WebSocket('wss://stream.example.com/v1/market-data');
const payload = { symbols: ['BTCUSDT'], providers: ['binance'] };
socket.onopen = () => socket.send(JSON.stringify({ op: 'sub', id: 1, channel: 'ticks', payload }));
await new Promise((resolve) => {
  socket.onmessage = ({ data }) => {
    const [event] = JSON.parse(data).events ?? [];
    if (event?.type === 'tick' && Math.abs(Date.now() - event.time) < 60_000) resolve();
  };
});
const order = { account_id: id, market_id: 'binance|BTCUSDT', side: 'buy', type: 'market', size: 0.01, leverage: 1, margin_mode: 'cross' };
const answer = await fetch('https://api.example.com/v1/orders', {
  method: 'POST', headers: { ...headers, 'idempotency-key': crypto.randomUUID() }, body: JSON.stringify(order) });
console.log(answer.status, (await answer.json()).data.status, process.argv.includes(process.env.BOT_KEY));
process.exit(5);
`;
const hosts = ['--as', 'api.example.com', '--as', 'stream.example.com', '--key-variable', 'BOT_KEY'];
const tape = join(import.meta.dirname, '../../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

describe('perp sim run', () => {
  before(buildPerp);
  after(own.remove);

  for (const network of [[], ['--network', 'shared']])
    it(`runs a stranger’s program unmodified on a tape as of now ${network.join(' ')}`, async () => {
      const run = running([...hosts, ...network, '--books', tape, '--as-now'], stranger);
      const { exit, out, err } = await run.ended;
      assert.deepEqual([exit, out], [5, '201 filled false\n'], err);
      const last = err.trim().split('\n').at(-1)!;
      assert.match(
        last,
        /^perp: 3 requests, the first after .*; 1 order, 1 fill, equity .* USD, no breach; journal not kept/,
      );
      assert.deepEqual(runs(), [], 'nothing is left');
    });

  it('follows a stream with the origin that its program sends, and says what the program was refused', async () => {
    const refused = `
      import tls from 'node:tls';
      const host = 'stream.example.com';
      const upgrade = ['GET /v1/market-data HTTP/1.1', 'Host: ' + host, 'Upgrade: websocket', 'Connection: Upgrade',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13', 'Origin: http://' + host, '', ''];
      const socket = tls.connect({ host, port: 443, servername: host });
      const status = await new Promise((resolve, reject) => {
        socket.on('error', reject).once('data', (data) => resolve(String(data).slice(9, 12)));
        socket.write(upgrade.join('\\r\\n'));
      });
      socket.destroy();
      const headers = { authorization: 'Bearer ' + process.env.BOT_KEY };
      for (const path of ['orders/x', 'orders/y', 'fills?account_id=x&limit=0'])
        await fetch('https://api.example.com/v1/' + path, { headers });
      await fetch('https://api.example.com/v1/accounts');
      console.log(status);`;
    const { out, err } = await running(hosts, refused).ended;
    assert.equal(out, '101\n', err);
    assert.match(err, /5 requests, the first after [^;]*, refused: 2 x 404 not_found, 400 limit, 401 unauthorized; /);
    const { err: json } = await running([...hosts, '--json'], refused).ended;
    const { refused: counted } = JSON.parse(json.trim().split('\n').at(-1)!);
    assert.deepEqual(counted[0], { status: 404, reason: 'not_found', count: 2 });
  });

  it('keeps a named simulation, whose summary counts what this run did', async () => {
    for (const fills of [1, 1]) {
      const { exit, err } = await running([...hosts, '--state', 'kept', '--json'], stranger).ended;
      const { orders, fills: counted, state } = JSON.parse(err.trim().split('\n').at(-1)!);
      assert.deepEqual([exit, orders, counted, state], [5, 1, fills, 'kept']);
    }
    assert.ok(existsSync(join(variables.PERP_STATE_DIR!, 'kept.db')));
    assert.equal(readFileSync('/etc/hosts', 'utf8').includes('api.example.com'), false);
  });

  it('goes on where the system allows no network of its own, and redirects the sockets of Node', async () => {
    const none = systemWhereUnshare(`echo 'unshare: unshare failed: No space left on device' >&2; exit 1`);
    const connects = `
      import tls from 'node:tls';
      import net from 'node:net';
      const ask = (socket) => new Promise((resolve, reject) => {
        socket.on('error', reject).once('data', (data) => { resolve(String(data).slice(9, 12)); socket.destroy(); });
        socket.write('GET /v1/markets HTTP/1.1\\r\\nHost: api.example.com\\r\\n\\r\\n');
      });
      const [host, port] = ['api.example.com', 443];
      console.log(
        await ask(tls.connect({ host, port, servername: host })),
        await ask(tls.connect({ socket: net.connect(port, host), servername: host })),
        await ask(tls.connect({ socket: new net.Socket().connect({ host: 'API.example.com', port }), servername: host })),
      );`;
    const { exit, out, err } = await running(hosts, connects, own.folder, none).ended;
    assert.deepEqual([exit, out], [0, '200 200 200\n'], err);
    assert.match(
      err,
      /^perp: The program shares this machine's network: this system allows no more namespaces \(its limits are in \/proc\/sys\/user\)/m,
    );
  });

  it('redirects the sockets of Python and gives its certificates to certifi', { skip: missingPython() }, async () => {
    const modules = join(own.folder, 'modules');
    mkdirSync(join(modules, 'certifi'), { recursive: true });
    writeFileSync(join(modules, 'certifi/__init__.py'), 'from .core import contents, where\n');
    writeFileSync(join(modules, 'certifi/core.py'), 'def where(): return "none"\ndef contents(): return "none"\n');
    writeFileSync(join(modules, 'sitecustomize.py'), 'import os\nos.environ["OWN"] = "loaded"\n');
    const program = [
      'import certifi, http.client, os, ssl',
      'from certifi import where',
      'context = ssl.create_default_context(cafile=where())',
      'connection = http.client.HTTPSConnection("api.example.com", context=context)',
      'connection.request("GET", "/v1/markets")',
      'print(connection.getresponse().status, certifi.contents() == open(os.environ["SSL_CERT_FILE"]).read(), os.environ["OWN"])',
    ].join('\n');
    const argv = ['sim', 'run', ...hosts, '--network', 'shared', '--', 'python3', '-c', program];
    const run = new BuiltRun(argv, { ...variables, TMPDIR: own.folder, PYTHONPATH: modules });
    const { exit, out, err } = await run.ended;
    assert.deepEqual([exit, out], [0, '200 True loaded\n'], err);
  });

  it('has its hosts at both of its addresses, and ends what its program left running, and says so', async () => {
    // Root that may not make namespaces may become root of a user namespace.
    const asUser = systemWhereUnshare(`case "$*" in *--user*) exec ${realUnshare()} "$@";; esac; exit 1`);
    const leaves = `
      import { spawn } from 'node:child_process';
      import { lookup } from 'node:dns/promises';
      import { existsSync, readFileSync } from 'node:fs';
      import { connect } from 'node:net';
      const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000)"], { detached: true, stdio: 'ignore' });
      child.unref();
      const addresses = await lookup('api.example.com', { all: true });
      for (const { address } of addresses)
        await new Promise((resolve, reject) => connect(443, address, resolve).on('error', reject));
      const there = existsSync('/proc/net/if_inet6') ? readFileSync('/proc/net/if_inet6', 'utf8') : '';
      const expected = /^0{31}1 /m.test(there) ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
      console.log(JSON.stringify([child.pid, addresses.map(({ address }) => address).sort(), expected]));
      process.exit();`;
    const { exit, out, err } = await running(hosts, leaves, own.folder, asUser).ended;
    assert.equal(exit, 0, err);
    if (err.includes('No network of its own')) return;
    const [pid, addresses, expected] = JSON.parse(out) as [number, string[], string[]];
    assert.deepEqual(addresses, expected);
    assert.match(err, /^perp: The program left a process running\. It was ended\.$/m);
    assert.equal(isRunning(pid), false);
  });

  it('gives its certificates to a program that gives up its privileges, and the rest of its folder to nobody', async () => {
    const reads = `
      import { readFileSync, readdirSync, statSync } from 'node:fs';
      import { dirname } from 'node:path';
      const file = process.env.SSL_CERT_FILE;
      const modes = [file, dirname(file), dirname(dirname(file)), process.env.PERP_STATE_DIR].map((path) => (statSync(path).mode & 0o777).toString(8));
      if (process.getuid() === 0) process.setuid(65534);
      let names = [];
      if (process.getuid() === 65534) try { names = readdirSync(process.env.PERP_STATE_DIR); } catch {}
      console.log(readFileSync(file, 'utf8').includes('BEGIN CERTIFICATE'), modes.join(), names.length);`;
    // A folder of a test is its own.
    const { out, err } = await running(hosts, reads, '/tmp').ended;
    assert.equal(out, 'true 644,755,711,700 0\n', err);
  });

  it('passes signals on, and the exit status back', async () => {
    const traps = `
      for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.on(signal, () => console.log(signal));
      process.on('SIGTERM', () => process.exit(3));
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const run = running(hosts, traps);
    await run.printed(/ready/);
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
      run.process.kill(signal);
      await run.printed(new RegExp(signal));
    }
    run.process.kill('SIGTERM');
    assert.equal((await run.ended).exit, 3);
    const ends = await running([], `process.kill(process.pid, 'SIGKILL')`).ended;
    assert.equal(ends.exit, 137, 'as a shell reports it');
  });

  it('leaves nothing when it is killed: no program, no child of it, no folder', async () => {
    const parent = `
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      process.on('SIGTERM', () => {});
      console.log(JSON.stringify([process.pid, child.pid]));
      setInterval(() => {}, 1000);`;
    const run = running([...hosts, '--state', 'killed'], parent);
    await run.printed(/\]/);
    const [program, child] = JSON.parse(run.out) as [number, number];
    const hasOwnNetwork = !run.err.includes('No network of its own');
    assert.equal(runs().length, 1);
    run.process.kill('SIGKILL');
    for (const pid of hasOwnNetwork ? [program, child] : [program]) while (isRunning(pid)) await delay(20);
    while (runs().length > 0) await delay(20);
    if (!hasOwnNetwork) process.kill(child, 'SIGKILL');
    const again = await running([...hosts, '--state', 'killed'], stranger).ended;
    assert.equal(again.exit, 5, `the state is sound: ${again.err}`);
  });

  it('leaves nothing when it is killed with its program, and removes what is left if its supervisor was killed, too', async () => {
    const program = `console.log(JSON.stringify([process.ppid, process.pid])); setInterval(() => {}, 1000);`;
    for (const isSupervisorKilled of [false, true]) {
      const run = running(hosts, program);
      await run.printed(/\]/);
      const [supervisor, own] = JSON.parse(run.out) as [number, number];
      if (isSupervisorKilled) process.kill(supervisor, 'SIGKILL');
      process.kill(own, 'SIGKILL');
      run.process.kill('SIGKILL');
      await run.ended;
      while (isRunning(supervisor) || isRunning(own)) await delay(20);
      assert.equal(runs().length, isSupervisorKilled ? 1 : 0);
    }
    assert.equal((await running([], 'process.exit(4)').ended).exit, 4);
    assert.deepEqual(runs(), []);
  });

  it('names what can’t be run, and starts nothing', async () => {
    const run = new BuiltRun(['sim', 'run', '--', join(dirname(tape), 'README.md')], variables);
    const { exit, err } = await run.ended;
    assert.equal(exit, 2);
    assert.match(err, /README\.md can't be run: it is not executable/);
    const alone = await running(['--network', 'own'], 'console.log(1)').ended;
    assert.deepEqual([alone.exit, alone.out], [2, '']);
    assert.match(alone.err, /--network own needs hosts, but --as names none/);
  });
});

function isRunning(pid: number): boolean {
  try {
    // A process that ended and was not waited for yet does not run.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

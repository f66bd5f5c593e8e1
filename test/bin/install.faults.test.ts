import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const script = resolve(import.meta.dirname, '../../scripts/install.sh');
const folder = mkdtempSync(join(tmpdir(), 'perp-install-'));
const releases = join(folder, 'releases');
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const server = createServer((request, response) => {
  const file = join(releases, request.url!);
  if (existsSync(file)) response.end(readFileSync(file));
  else response.writeHead(404).end();
});
let homes = 0;

/** A release of the shape that scripts/executables.ts makes; the program in it is a small one. */
function release(version: string, program = `echo perp ${version}`): void {
  const title = `perp-${version}-linux-${arch}`;
  const inside = join(folder, title);
  mkdirSync(join(inside, 'completions'), { recursive: true });
  writeFileSync(join(inside, 'perp'), `#!/bin/sh\n${program}\n`);
  writeFileSync(join(inside, 'large'), Buffer.alloc(200_000));
  chmodSync(join(inside, 'perp'), 0o755);
  mkdirSync(releases, { recursive: true });
  execFileSync('tar', ['-czf', join(releases, `${title}.tar.gz`), '-C', folder, title]);
  const sum = createHash('sha256')
    .update(readFileSync(join(releases, `${title}.tar.gz`)))
    .digest('hex');
  writeFileSync(
    join(releases, 'SHA256SUMS'),
    `${'0'.repeat(64)}  perp-${version}-macos-arm64-unsigned.tar.gz\n${sum}  ${title}.tar.gz\n`,
  );
}

/** A folder with these programs of the system, and with some that are scripts. */
function programs(names: readonly string[], scripts: Readonly<Record<string, string>> = {}): string {
  const to = mkdtempSync(join(folder, 'programs-'));
  for (const name of names) {
    const found = ['/usr/bin', '/bin'].map((one) => join(one, name)).find((file) => existsSync(file));
    if (found !== undefined && scripts[name] === undefined) symlinkSync(found, join(to, name));
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(to, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(to, name), 0o755);
  }
  return to;
}

const usual =
  'sh uname ldd cat grep tail head sed tr cut mkdir mktemp rm rmdir mv ln readlink sha256sum tar gzip bash dirname'.split(
    ' ',
  );

interface Installed {
  readonly home: string;
  readonly status: number | null;
  readonly text: string;
}

/** Runs the script as a user with a home of its own. */
async function install(
  variables: Record<string, string> = {},
  {
    args = [],
    home = join(folder, `home ${++homes}`),
    within = [],
  }: { args?: string[]; home?: string; within?: string[] } = {},
): Promise<Installed> {
  mkdirSync(home, { recursive: true });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { HOME: home, PATH: process.env.PATH!, PERP_RELEASES: address, ...variables };
  const [program, ...rest] = [...within, 'sh', script, ...args] as [string, ...string[]];
  const child = spawn(program, rest, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const texts = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray());
  const [[status], ...parts] = await Promise.all([once(child, 'close'), ...texts]);
  return { home, status, text: parts.flat().join('') };
}

/** What is left below a home, but for folders that are not perp's own. */
function left(home: string): string[] {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => !['.cache', '.local', '.local/bin', '.local/lib'].includes(name));
}

describe('install.sh', { skip: process.platform !== 'linux' && 'made for the programs of Linux' }, () => {
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    release('1.0.0');
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has at most 60 lines', () => {
    assert.ok(readFileSync(script, 'utf8').trimEnd().split('\n').length <= 60);
  });

  it('installs for this user, says what it did, follows a newer release, and undoes everything', async () => {
    const { home, status, text } = await install();
    assert.deepEqual([status, text.includes('.local/bin is not in your PATH')], [0, true], text);
    assert.match(
      text,
      /^Installed perp-1\.0\.0-linux-\w+ in .*\.local\/lib\/perp; .* leads to it\. To undo it: .*--uninstall$/m,
    );
    const link = join(home, '.local/bin/perp');
    assert.equal(execFileSync(link, { encoding: 'utf8' }), 'perp 1.0.0\n');
    for (const version of ['1.1.0', '1.2.0']) {
      release(version);
      assert.equal((await install({}, { home })).status, 0);
    }
    assert.equal(execFileSync(link, { encoding: 'utf8' }), 'perp 1.2.0\n');
    // The one before may still run.
    assert.deepEqual(
      readdirSync(join(home, '.local/lib/perp')),
      ['1.1.0', '1.2.0'].map((one) => `perp-${one}-linux-${arch}`),
    );
    for (const kept of ['.config/perp', '.cache/perp']) mkdirSync(join(home, kept), { recursive: true });
    const undone = await install({}, { home, args: ['--uninstall'] });
    assert.match(undone.text, /^Removed .*\. Your simulations and settings stay/);
    assert.deepEqual(left(home), ['.config', '.config/perp']);
  });

  it('needs no more than wget', async () => {
    const { status, text } = await install({ PATH: programs([...usual, 'wget']) });
    assert.equal(status, 0, text);
    const without = await install({ PATH: programs(usual) });
    assert.deepEqual([without.status, without.text], [1, 'Nothing was installed: it needs curl or wget.\n']);
  });

  it('installs nothing of a damaged download', async () => {
    const sums = join(releases, 'SHA256SUMS');
    const [, file] = /^\w+ {2}(perp-.*-linux-.*)$/m.exec(readFileSync(sums, 'utf8'))!;
    const whole = readFileSync(join(releases, file!));
    for (const damaged of [whole.subarray(0, -10), Buffer.concat([whole, Buffer.from('x')])]) {
      writeFileSync(join(releases, file!), damaged);
      const { home, status, text } = await install();
      assert.deepEqual([status, left(home)], [1, []]);
      assert.match(text, /^Nothing was installed: perp-.* is damaged: its checksum is not that of SHA256SUMS\.$/m);
    }
    rmSync(join(releases, file!));
    const gone = await install();
    assert.match(gone.text, /can't be fetched/);
    assert.deepEqual([gone.status, left(gone.home)], [1, []]);
    writeFileSync(join(releases, file!), whole);
  });

  it('says on a system with musl, or another processor, that there is no executable', async () => {
    const musl = await install({
      PATH: programs([...usual, 'curl'], { ldd: 'echo "musl libc (x86_64)" >&2; exit 1' }),
    });
    assert.match(musl.text, /^Nothing was installed: this system has musl, and perp's executable needs glibc 2\.28/);
    const other = await install({
      PATH: programs([...usual, 'curl'], { uname: '[ "$1" = -s ] && echo Linux || echo riscv64' }),
    });
    assert.match(other.text, /^Nothing was installed: there is no executable for riscv64\.$/m);
    assert.deepEqual([musl.status, other.status, left(musl.home)], [1, 1, []]);
  });

  it('leaves nothing behind on a full disk', async (trial) => {
    const home = join(folder, 'full');
    mkdirSync(home);
    const mounted = `mount -t tmpfs -o size=40k full '${home}' && "$@"; status=$?; find '${home}' -name 'perp*' >&2; exit $status`;
    const asRoot = ['--user', '--map-root-user', '--mount', 'sh', '-c'];
    const mayMount = spawnSync('unshare', [...asRoot, `mount -t tmpfs -o size=40k full '${home}'`]).status === 0;
    // Where nothing may be mounted, no file may become as large.
    const small = mayMount ? ['unshare', ...asRoot, mounted, 'sh'] : ['bash', '-c', 'ulimit -f 20; "$@"', 'bash'];
    trial.diagnostic(small[0]!);
    const { status, text } = await install({}, { home, within: small });
    assert.equal(status, 1, text);
    assert.match(text, /^Nothing was installed: .*(?:room|full)/m);
    assert.equal(text.includes(home), false, text);
    assert.deepEqual(left(home), []);
  });

  it('asks for the address of a release, and replaces nothing that is not its own', async () => {
    const nowhere = await install({ PERP_RELEASES: '' });
    assert.match(nowhere.text, /^Nothing was installed: set PERP_RELEASES to the address of a release/);
    const home = join(folder, 'own');
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    symlinkSync('/opt/perp', join(home, '.local/bin/perp'));
    const { status, text } = await install({}, { home });
    assert.match(text, /\.local\/bin\/perp is not from this script\. Move it away first\./);
    assert.deepEqual([status, readlinkSync(join(home, '.local/bin/perp'))], [1, '/opt/perp']);
  });

  it('keeps what was installed when the new one does not run here', async () => {
    const { home } = await install();
    release('2.0.0', 'echo "perp: libatomic.so.1: cannot open shared object file" >&2; exit 127');
    const { status, text } = await install({}, { home });
    assert.equal(status, 1);
    assert.match(text, /libatomic.*\nNothing was installed: perp-2\.0\.0-linux-\w+\/perp does not run here/);
    assert.equal(execFileSync(join(home, '.local/bin/perp'), { encoding: 'utf8' }), 'perp 1.2.0\n');
  });
});

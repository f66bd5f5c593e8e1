import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Store } from '../../../src/exchange/store/store.ts';
import { resetState, type SimulationOptions } from '../../../src/service/public.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { beginning } from '../../seed.ts';
import { PracticeWorld } from '../../wire/client/practice-world.ts';
import { Sessions } from '../../wire/client/sessions.ts';

const root = resolve(import.meta.dirname, '../../..');

/** The test files of one run share a build in this folder; a file run alone creates its own. */
const shared = process.env.PERP_TEST_BUILD;
const installed = shared ?? join(mkdtempSync(join(tmpdir(), 'perp-installed-')), 'perp');
if (shared === undefined) process.on('exit', () => rmSync(dirname(installed), { recursive: true, force: true }));

/** The installed perp, in its own folder: the checkout's dist/ is left alone. */
export const bin = join(installed, 'bin/perp.js');

/** XDG_CACHE_HOME of the executable: all machines share compiled code. */
export const builtCache = join(tmpdir(), 'perp-built-cache');

/** Bundles and installs the current command line, unless another test file of the run has done so or is doing so. */
export function buildPerp(): void {
  const lock = `${installed}.lock`;
  const latest = Date.now() + 300_000;
  while (!existsSync(installed)) {
    assert.ok(Date.now() < latest, `no build after five minutes: whoever made ${lock} has not finished it`);
    if (!isMade(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    else
      try {
        if (!existsSync(installed)) install();
      } finally {
        rmSync(lock, { recursive: true });
      }
  }
}

/** Creates a folder; only one of several processes succeeds. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function install(): void {
  const fresh = `${installed}.fresh`;
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.ts'), join(fresh, 'dist'), '--no-types'], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.equal(built.status, 0, `${built.error ?? ''}${built.stderr}`);
  for (const part of ['bin', 'completions', 'package.json'])
    cpSync(join(root, part), join(fresh, part), { recursive: true });
  // The keychain library is not part of the bundle.
  symlinkSync(join(root, 'node_modules'), join(fresh, 'node_modules'), 'junction');
  renameSync(fresh, installed);
}

/**
 * The result of a run of the executable; `exit` is 130 after SIGINT, as in a shell, and null if another signal ended
 * it.
 */
export interface Ended {
  exit: number | null;
  out: string;
  err: string;
}

/** A run of the executable. */
export class BuiltRun {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';
  #isOver = false;
  #news = Promise.withResolvers<void>();

  constructor(argv: readonly string[], variables: Record<string, string | undefined>) {
    this.process = spawn(process.execPath, [bin, ...argv], { env: variables });
    this.process.stdin.on('error', () => {});
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      this.#tell();
    });
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.ended = once(this.process, 'close').then(([status, signal]) => {
      const exit = signal === 'SIGINT' ? 130 : status;
      this.#isOver = true;
      this.#tell();
      return { exit, out: this.out, err: this.err };
    });
  }

  /** Waits until its output matches. */
  async printed(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.out)) {
      if (this.#isOver) throw new Error(`it ended without ${pattern}: ${this.err}`);
      await this.#news.promise;
    }
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

/** Folders of one machine, and the variables that point to them. */
export function machine(): { folder: string; variables: Record<string, string>; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'perp-machine-'));
  const variables = {
    PATH: process.env.PATH!,
    HOME: folder,
    XDG_CACHE_HOME: builtCache,
    PERP_STATE_DIR: join(folder, 'state'),
    PERP_CONFIG_DIR: join(folder, 'config'),
  };
  return { folder, variables, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** `perp sim serve` as a separate process, with its API key and the ids for trading. */
export interface Served {
  baseUrl: string;
  key: string;
  world: PracticeWorld;
  process: BuiltRun;
  stop(): Promise<void>;
}

/** Serves a simulation without limits on the number of trades. Its state is in the state folder of `variables`. */
export async function servedWorld(variables: Record<string, string>): Promise<Served> {
  const run = new BuiltRun(
    ['sim', 'serve', '--port', '0', '--sandbox-port', '0', '--rate-limit', 'off', '--json'],
    variables,
  );
  await run.printed(/\}/);
  const baseUrl = JSON.parse(run.out).base_url as string;
  const { key } = JSON.parse(readFileSync(join(variables.PERP_STATE_DIR!, 'default.service.json'), 'utf8'));
  const transport = httpTransport(baseUrl);
  const direct = createClient({ transport, credential: () => key });
  const { data: accounts } = await direct.call('listAccounts', {});
  const most = 1_000_000_000;
  const limits = { trades_per_minute: most, trades_per_hour: most, trades_per_day: most, max_resting_orders: most };
  for (const { id } of accounts) await direct.call('simSetPolicy', { body: { account_id: id, limits } });
  const [lead, follower] = accounts.map(({ id }) => id);
  const store = Store.open(join(variables.PERP_STATE_DIR!, 'default.db'));
  return {
    baseUrl,
    key,
    world: new PracticeWorld(direct, lead!, follower ?? lead!, new Sessions(store)),
    process: run,
    async stop() {
      store.close();
      await transport.close();
      run.process.kill('SIGTERM');
      await run.ended;
    },
  };
}

/** Creates the simulation that `servedWorld` then serves: without challenge rules, with this many accounts. */
export async function freshWorld(variables: Record<string, string>, accounts: number): Promise<void> {
  await beginWorld(variables, { plan: 'none', startingBalance: 100_000_000, accounts });
}

/** Creates a simulation before the executable does, so that it begins with the seed and the time of `test/seed.ts`. */
export async function beginWorld(variables: { PERP_STATE_DIR?: string }, wanted: World = {}): Promise<void> {
  const simulation = await resetState({ stateDir: variables.PERP_STATE_DIR!, beginning, ...wanted });
  simulation.close();
}

type World = Pick<SimulationOptions, 'plan' | 'startingBalance' | 'accounts'>;

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { beginWorld, bin, buildPerp, builtCache } from '../terminal/cli/built-perp.ts';
import { perpFromSource, type Run, runOf } from '../terminal/cli/practice.ts';

/** Why tests that fill /dev/full are skipped; false: they run. */
export const noFullDevice = existsSync('/dev/full') ? false : 'no /dev/full here';

/** The home of these runs. */
export const folder = mkdtempSync(join(tmpdir(), 'perp-bin-'));
// perp uses its own compile cache, not that of the test run.
const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
/** Their variables. */
export const env = {
  ...inherited,
  HOME: folder,
  XDG_CACHE_HOME: builtCache,
  PERP_STATE_DIR: join(folder, 'state'),
  PERP_CONFIG_DIR: join(folder, 'config'),
};

/** Builds and begins before the tests of a file. */
export function installed(): void {
  before(async () => {
    buildPerp();
    await beginWorld(env);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
}

/** Runs the installed perp. */
export function perp(args: readonly string[], variables: Record<string, string> = {}): Run {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    env: { ...env, ...variables },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  assert.equal(signal, null);
  return runOf(status ?? -1, stdout, stderr);
}

/** From source and in this process, where the executable itself is not the subject. */
export function perpHere(args: readonly string[], variables: Record<string, string> = {}): Promise<Run> {
  return perpFromSource(args, { variables: { ...(env as Record<string, string>), ...variables } });
}

/** Runs a script of bash that may call perp. */
export function sh(script: string): Run {
  const run = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', `perp() { '${process.execPath}' '${bin}' "$@"; }\n${script}`],
    { env, encoding: 'utf8' },
  );
  return runOf(run.status ?? -1, run.stdout, run.stderr);
}

/** Runs `perp sim serve`. */
export async function serve(
  ...args: string[]
): Promise<{ child: ChildProcess; address: string; stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals> }> {
  const child = spawn(
    process.execPath,
    [bin, 'sim', 'serve', '--port', '0', '--sandbox-port', '0', '--json', ...args],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  child.stdout!.setEncoding('utf8');
  while (!text.includes('}')) text += (await once(child.stdout!, 'data'))[0];
  return {
    child,
    address: JSON.parse(text).base_url,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [exit, ended] = await once(child, 'exit');
      return exit ?? ended;
    },
  };
}

/** A service for one benchmark: a fresh state without challenge rules or trade limits, on free ports. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The `perp` executable that a user runs. */
export const executable = resolve(import.meta.dirname, '../bin/perp.js');

export interface Served {
  url: string;
  /** A key with trade scope on the live host. */
  key: string;
  accountId: string;
  /** All accounts; `accountId` is the first. */
  accountIds: readonly string[];
  /** Variables with which `perp` finds the service automatically. */
  env: NodeJS.ProcessEnv;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the service with so many accounts; `stop` leaves nothing behind. */
export async function served(accounts = 1): Promise<Served> {
  const { env, remove } = benchFolder();
  try {
    perp(['sim', 'reset', '--plan', 'none', '--accounts', `${accounts}`, '--yes'], env);
    const { api_key: key } = JSON.parse(perp(['sim', 'key', 'add', '--scope', 'trade', '--json'], env)) as {
      api_key: string;
    };
    const accountIds = (JSON.parse(perp(['accounts', '--json'], env)) as { id: string }[]).map(({ id }) => id);
    const limits = '{"limits": {"trades_per_minute": 1e9, "trades_per_hour": 1e9, "trades_per_day": 1e9}}';
    for (const account of accountIds) perp(['sim', 'policy', '--account', account, limits], env);
    // Makes the day's backup, which a service would otherwise make beside what is measured.
    perp(['sim', 'check'], env);
    const ports = ['--port', '0', '--sandbox-port', '0'];
    const service = await server([executable, 'sim', 'serve', ...ports, '--rate-limit', 'off', '-o', 'ndjson'], env);
    return {
      url: service.url,
      key,
      accountId: accountIds[0]!,
      accountIds,
      env,
      pid: service.pid,
      stop: () => service.stop().then(remove),
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A folder for a benchmark's states, settings and caches, and the variables that point to it. */
export function benchFolder(): { folder: string; env: NodeJS.ProcessEnv; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  const env = {
    ...process.env,
    PERP_STATE_DIR: join(folder, 'state'),
    PERP_CONFIG_DIR: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs `perp` and returns what it printed. */
export function perp(args: string[], env: NodeJS.ProcessEnv, input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], {
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`perp ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Starts a server process and reads its first line: JSON with its `base_url` or `url`. */
export async function server(
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const running = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(running, 'exit');
  const line = await Promise.race([
    once(createInterface(running.stdout), 'line').then(([text]) => text as string),
    ended.then(([code]) => Promise.reject(new Error(`${args.join(' ')} ended with ${code}`))),
  ]);
  const { base_url: of, url = of } = JSON.parse(line) as { base_url: string; url?: string };
  return {
    url,
    pid: running.pid!,
    async stop() {
      running.kill('SIGTERM');
      await ended;
    },
  };
}

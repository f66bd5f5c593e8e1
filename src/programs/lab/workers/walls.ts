import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { emptyRun } from '../../../base/self/self.ts';

/**
 * The barrier that keeps a worker from the network if a strategy escapes its realm: `permission`, Node's own;
 * `namespace`, its own empty network (Linux); `realm`, no further barrier.
 */
export type NetworkWall = 'permission' | 'namespace' | 'realm';

/** A wall, and the words before the command of a worker that put it up. */
export interface Wall {
  readonly kind: NetworkWall;
  readonly prefix: readonly string[];
}

let known: Wall | undefined;

/** The best wall that there is on this machine, tried once. */
export function networkWall(): Wall {
  known ??= process.allowedNodeEnvironmentFlags.has('--allow-net')
    ? { kind: 'permission', prefix: [] }
    : (namespace() ?? { kind: 'realm', prefix: [] });
  return known;
}

function namespace(): Wall | undefined {
  if (process.platform !== 'linux') return undefined;
  const unshare = ['/usr/bin/unshare', '/bin/unshare'].find((file) => existsSync(file));
  if (unshare === undefined) return undefined;
  const prefix = [unshare, ...(process.getuid?.() === 0 ? [] : ['--user']), '--net', '--'];
  const tried = spawnSync(prefix[0]!, [...prefix.slice(1), ...emptyRun()], { stdio: 'ignore' });
  return tried.status === 0 ? { kind: 'namespace', prefix } : undefined;
}

/**
 * Takes from this process, for good, what Node's permission model leaves open to anyone who has its objects: modules
 * such as net, dgram and sqlite, signals to other processes, and connections. Loaded modules keep what they have.
 */
export function shutHost(): void {
  const ofProcess = ['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'mainModule', 'report', 'execve'];
  const handles = ['_getActiveHandles', '_getActiveRequests', 'openStdin', 'stdin'];
  const others = ['kill', '_kill', '_debugProcess', '_debugEnd', 'abort', 'chdir', 'loadEnvFile'];
  for (const name of [...ofProcess, ...handles, ...others]) Reflect.deleteProperty(process, name);
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'CloseEvent', 'MessageEvent', 'navigator', 'localStorage'])
    Reflect.deleteProperty(globalThis, name);
}

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
 * Permanently removes from this process whatever Node's permission model leaves open to code with access to its
 * objects: modules such as net, dgram and sqlite, signals to other processes, and connections. Loaded modules keep what
 * they have.
 */
export function shutHost(): void {
  const ofProcess = ['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'mainModule', 'report', 'execve'];
  const handles = ['_getActiveHandles', '_getActiveRequests', 'openStdin', 'stdin'];
  const others = ['kill', '_kill', '_debugProcess', '_debugEnd', 'abort', 'chdir', 'loadEnvFile'];
  for (const name of [...ofProcess, ...handles, ...others]) Reflect.deleteProperty(process, name);
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'CloseEvent', 'MessageEvent', 'navigator', 'localStorage'])
    Reflect.deleteProperty(globalThis, name);
}

/**
 * Freezes JavaScript's built-in objects in this process: constructors, prototypes and all their members. A strategy's
 * realm has others; if one of these should ever reach it, it can't be changed, so the host's code can't be intercepted
 * and no code can be created that runs here. Called once everything of the host is loaded.
 */
export function freezeIntrinsics(names: readonly string[]): void {
  const makers = [() => {}, function* () {}, async () => {}, async function* () {}];
  const hidden = [
    Object.getPrototypeOf([][Symbol.iterator]()),
    Object.getPrototypeOf(''[Symbol.iterator]()),
    Object.getPrototypeOf(new Map().entries()),
    Object.getPrototypeOf(new Set().values()),
    Object.getPrototypeOf(''.matchAll(/./g)),
    Object.getPrototypeOf([].values().take(0)),
    Object.getPrototypeOf(Iterator.from({ next: () => ({ done: true, value: undefined }) })),
    Object.getPrototypeOf(Int8Array),
    // Every error has the same accessors.
    ...Object.values(Object.getOwnPropertyDescriptor(new Error(), 'stack')!),
    ...makers.map((one) => Object.getPrototypeOf(one)),
  ];
  for (const one of makers) Object.defineProperty(Object.getPrototypeOf(one), 'constructor', { value: noFunction });
  for (const name of names) if (/Error$/.test(name)) keepAssignable(name);
  // An error of the host may reach a strategy, and perp's install path must not be in a log.
  Error.prepareStackTrace = (error, frames) => [`${error}`, ...frames.map(shownFrame)].join('\n    at ');
  const seen = new Set<unknown>();
  const freeze = (value: unknown): void => {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    if (!isObject || seen.has(value) || value === globalThis) return;
    seen.add(value);
    freeze(Object.getPrototypeOf(value));
    // Symbols, too: they lead to functions and their own lists.
    for (const key of Reflect.ownKeys(value)) {
      const slot = Object.getOwnPropertyDescriptor(value, key)!;
      for (const part of [slot.value, slot.get, slot.set]) freeze(part);
    }
    Object.freeze(value);
  };
  const global = globalThis as unknown as Record<string, unknown>;
  for (const name of names) if (name !== 'globalThis' && name !== 'console') freeze(global[name]);
  for (const value of hidden) freeze(value);
}

/** A frame of a stack, without the folder of its file. */
function shownFrame(frame: NodeJS.CallSite): string {
  const file = frame.getFileName() ?? '';
  return `${frame}`.replace(file.slice(0, file.lastIndexOf('/') + 1), '');
}

/**
 * Replaces the constructor that turns text into functions: `Function` is behind every function as its `constructor`.
 */
function noFunction(): never {
  throw new TypeError("code can't be generated from strings here");
}

/** Node sets the name and message of its errors, which a frozen prototype would refuse. */
function keepAssignable(name: string): void {
  const { prototype } = (globalThis as unknown as Record<string, { prototype: object } | undefined>)[name] ?? {};
  if (prototype === undefined) return;
  for (const field of ['name', 'message']) {
    const { value } = Object.getOwnPropertyDescriptor(prototype, field) ?? {};
    Object.defineProperty(prototype, field, {
      get: () => value,
      set(this: object, own: unknown) {
        Object.defineProperty(this, field, { value: own, writable: true, configurable: true, enumerable: false });
      },
    });
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** This module, which is the main file of a process that runs a program and outlives perp if perp is killed. */
export const supervisorFile = new URL(import.meta.url);

/** The argument that tells the process of this file from others. */
export const supervisorWord = 'perp-sim-run';

/** What it is to do. It arrives as a message, so that no secret is in an argument list. */
export interface Job {
  command: readonly string[];
  variables: NodeJS.ProcessEnv;
  /** Ports of this machine to listen at, in its own network; connections are perp's to answer. */
  ports: readonly number[];
  /** Whether its network is its own: whatever else runs in it then ends with the program. */
  hasOwnNetwork: boolean;
  /** Removed if perp is gone. */
  folder: string;
}

/** What it reports; `listening` comes with a server. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'listening'; port: number }
  | { kind: 'failed'; message: string }
  | { kind: 'started'; pid: number }
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null };

/** What perp tells it after the job. */
export interface Forwarded {
  signal: NodeJS.Signals;
}

/** How long a program has to end once perp is gone, ms. */
const patienceMs = 2_000;

async function supervise(job: Job): Promise<void> {
  try {
    for (const port of job.ports) await listenFor(port);
  } catch (error) {
    return end({ kind: 'failed', message: `no port of its network: ${(error as Error).message}` });
  }
  const [file = '', ...args] = job.command;
  const child = spawn(file, args, { stdio: 'inherit', env: job.variables });
  child.on('error', ({ message }) => void end({ kind: 'failed', message }));
  child.on('spawn', () => report({ kind: 'started', pid: child.pid! }));
  child.on('exit', (code, signal) => {
    if (job.hasOwnNetwork) endOthersIn(networkOf('self'));
    void end({ kind: 'ended', code, signal });
  });
  process.removeAllListeners('message').on('message', ({ signal }: Forwarded) => child.kill(signal));
  process.removeAllListeners('disconnect').on('disconnect', () => void abandon(child, job));
}

/** Listens in this network, and gives the socket to perp, which may be in another one. */
async function listenFor(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  await new Promise<void>((resolve) => process.send!({ kind: 'listening', port }, server, {}, () => resolve()));
  server.close();
}

/** perp is gone: so is the service, and nothing may stay behind. */
async function abandon(child: ChildProcess, { folder, hasOwnNetwork }: Job): Promise<void> {
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([ended, delay(patienceMs)]);
  child.kill('SIGKILL');
  if (hasOwnNetwork) endOthersIn(networkOf('self'));
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}

/** The network namespace of a process; undefined if it is gone. */
export function networkOf(pid: number | 'self'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

/** Ends every other process in a network, which nothing outside can reach. */
export function endOthersIn(network: string | undefined): void {
  for (const name of network === undefined ? [] : readdirSync('/proc')) {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid || networkOf(pid) !== network) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

function report(what: Report): void {
  if (process.connected) process.send!(what);
}

function end(what: Report): Promise<never> {
  return new Promise(() => {
    if (!process.connected) process.exit();
    process.send!(what, undefined, {}, () => process.exit());
  });
}

if (process.send !== undefined && process.argv[2] === supervisorWord) {
  // A terminal sends these to the program, too; perp forwards what only perp has received.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {});
  process.once('message', (job: Job) => void supervise(job));
  process.once('disconnect', () => process.exit(1));
  report({ kind: 'ready' });
}

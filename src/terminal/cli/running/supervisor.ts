import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isPart } from '../../../base/self/self.ts';

/** Its job. It arrives as a message, so that no secret is in an argument list. */
export interface Job {
  command: readonly string[];
  variables: NodeJS.ProcessEnv;
  /** Ports of this machine to listen at, in its own network; connections are perp's to answer. */
  ports: readonly number[];
  /** The addresses to listen at. */
  addresses: readonly string[];
  /** Whether its network is its own: everything in it then ends with the program. */
  hasOwnNetwork: boolean;
  /** Removed if perp is gone. */
  folder: string;
}

/** Its reports; `listening` comes with a server. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'listening'; port: number }
  | { kind: 'failed'; message: string }
  | { kind: 'started'; pid: number }
  /** `left`: how many processes it left in its own network; they were ended. */
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null; left: number };

/** Messages from perp after the job. */
export interface Forwarded {
  signal: NodeJS.Signals;
}

/** The signals that perp passes on to the program. */
export const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** How long a program has to end once perp is gone, ms. */
const patienceMs = 2_000;
/** How long its helpers have to end by themselves, and how often that is looked at, ms. */
const graceMs = 200;
const checkMs = 10;

async function supervise(job: Job): Promise<void> {
  process.removeAllListeners('disconnect').once('disconnect', () => {
    rmSync(job.folder, { recursive: true, force: true });
    process.exit(1);
  });
  try {
    for (const port of job.ports) for (const address of job.addresses) await listenFor(port, address);
  } catch (error) {
    return end({ kind: 'failed', message: `no port of its network: ${(error as Error).message}` });
  }
  const [file = '', ...args] = job.command;
  const child = spawn(file, args, { stdio: 'inherit', env: job.variables });
  child.on('error', ({ message }) => void end({ kind: 'failed', message }));
  child.on('spawn', () => report({ kind: 'started', pid: child.pid! }));
  child.on('exit', (code, signal) => void endAfter(job, { code, signal }));
  process.removeAllListeners('message').on('message', ({ signal }: Forwarded) => child.kill(signal));
  process.removeAllListeners('disconnect').on('disconnect', () => void abandon(child, job));
}

/** The program has ended, and what it started and left does, too. */
async function endAfter({ hasOwnNetwork }: Job, ended: { code: number | null; signal: NodeJS.Signals | null }) {
  const network = hasOwnNetwork ? networkOf('self') : undefined;
  // Helpers that end with their program need a moment for it.
  await gone(network, graceMs);
  const left = othersIn(network).length;
  endOthersIn(network, 'SIGTERM');
  await gone(network, patienceMs);
  endOthersIn(network);
  return end({ kind: 'ended', ...ended, left });
}

/** Waits until nothing else is in a network, but not longer than this. */
async function gone(network: string | undefined, ms: number): Promise<void> {
  for (const until = performance.now() + ms; othersIn(network).length > 0 && performance.now() < until; )
    await delay(checkMs);
}

/** Listens in this network, and gives the socket to perp, which may be in another one. */
async function listenFor(port: number, address: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, address, resolve);
  });
  await new Promise<void>((resolve) => process.send!({ kind: 'listening', port }, server, {}, () => resolve()));
  server.close();
}

/** perp is gone: so is the service, and nothing may stay behind. */
async function abandon(child: ChildProcess, { folder, hasOwnNetwork }: Job): Promise<void> {
  child.removeAllListeners('exit');
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const ended = hasEnded ? undefined : new Promise((resolve) => child.once('exit', resolve));
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

function othersIn(network: string | undefined): number[] {
  if (network === undefined) return [];
  const all = readdirSync('/proc').map(Number);
  return all.filter((pid) => pid > 0 && pid !== process.pid && networkOf(pid) === network);
}

/** Ends every other process in a network, which nothing outside can reach. */
export function endOthersIn(network: string | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of othersIn(network)) {
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone.
    }
  }
}

function report(what: Report): void {
  if (process.connected) process.send!(what, undefined, {}, () => {});
}

/**
 * Gives a last report, and ends once perp has it. If perp is gone, so that nobody has it, what is left is removed
 * first.
 */
function end(what: Report): Promise<never> {
  process.removeAllListeners('message').once('message', () => process.exit());
  report(what);
  return new Promise(() => {});
}

// A process that runs a program and outlives perp if perp is killed.
if (process.send !== undefined && isPart('supervisor')) {
  // A terminal sends these to the program, too; perp forwards what only perp has received.
  for (const signal of forwardedSignals) process.on(signal, () => {});
  process.once('message', (job: Job) => void supervise(job));
  process.once('disconnect', () => process.exit(1));
  report({ kind: 'ready' });
}

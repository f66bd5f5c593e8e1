import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../../base/failure/failure.ts';
import type { Variables } from '../../../base/files/folders.ts';
import { isPart, startOf } from '../../../base/self/self.ts';

/** Its job. It arrives as a message, so that no secret is in an argument list. */
interface Job {
  command: readonly string[];
  variables: NodeJS.ProcessEnv;
  /** Ports of this machine to listen at, in its own network; perp answers the connections. */
  ports: readonly number[];
  /** The addresses to listen at. */
  addresses: readonly string[];
  /** Whether its network is its own: everything in it then ends with the program. */
  hasOwnNetwork: boolean;
  /** Removed if perp is gone. */
  folder: string;
}

/** Its reports; `listening` comes with a server. */
type Report =
  | { kind: 'ready' }
  | { kind: 'listening'; port: number }
  | { kind: 'failed'; message: string }
  | { kind: 'started'; pid: number }
  /** `left`: how many processes it left in its own network; they were ended. */
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null; left: number };

/** Messages from perp after the job. */
interface Forwarded {
  signal: NodeJS.Signals;
}

/** The signals that perp passes on to the program. */
export const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** How long a program has to end once perp is gone, ms. */
const patienceMs = 2_000;
/** How long its helpers have to end by themselves, and how often to check, ms. */
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

/** The program has ended, and so must everything it started. */
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

/** Waits until the network is empty, but not longer than this. */
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

/** perp is gone, and so is the service; nothing may stay behind. */
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
function networkOf(pid: number | 'self'): string | undefined {
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
function endOthersIn(network: string | undefined, signal?: NodeJS.Signals): void {
  for (const pid of othersIn(network)) endProcess(pid, signal);
}

function endProcess(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

function report(what: Report): void {
  if (process.connected) process.send!(what, undefined, {}, () => {});
}

/**
 * Sends a last report, and ends once perp has it. If perp is gone and can't receive it, the leftovers are removed
 * first.
 */
function end(what: Report): Promise<never> {
  process.removeAllListeners('message').once('message', () => process.exit());
  report(what);
  return new Promise(() => {});
}

/** How a program ended. */
export interface ProgramEnd {
  /** As a shell reports it: its own status, or 128 plus the number of the signal that ended it. */
  exit: number;
  signal: NodeJS.Signals | null;
  /** How many processes it left behind in its own network; they were ended. */
  left: number;
}

/** Runs a program; `prefix` starts its supervisor in another network, whose ports lead to `take`. */
export function supervised(
  job: Job,
  prefix: readonly string[],
  variables: Variables,
  take: (port: number, socket: Socket) => void,
) {
  // Options of Node are for the program.
  const { NODE_OPTIONS: _options, ...env } = variables;
  const [file, ...args] = [...prefix, ...startOf('supervisor', ['--no-warnings']).words];
  const supervisor = spawn(file!, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const servers: Server[] = [];
  let pid: number | undefined;
  let network: string | undefined;
  let isOver = false;
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    supervisor.on('error', (error) => reject(notStarted(job, error.message)));
    supervisor.on('message', (report: Report, server) => {
      if (report.kind === 'ready') send(supervisor, job);
      else if (report.kind === 'started') [pid, network] = [report.pid, networkOf(report.pid)];
      else if (report.kind === 'failed' || report.kind === 'ended') {
        isOver = true;
        send(supervisor, {});
        if (report.kind === 'ended') resolve(endOf(report));
        else reject(notStarted(job, report.message));
      } else {
        (server as Server).on('connection', (socket) => take(report.port, socket));
        servers.push(server as Server);
      }
    });
    // After its last message.
    supervisor.on('disconnect', () => {
      if (isOver) return;
      // Without a report, it was killed, and nothing else ends the program.
      if (pid !== undefined) endProcess(pid);
      if (job.hasOwnNetwork) endOthersIn(network);
      reject(failure(`The supervisor of ${job.command[0]} was killed, and the program with it.`));
    });
  });
  const close = () => {
    for (const server of servers) server.close();
  };
  return {
    /** Resolves when it has ended; throws a failure if it could not start. */
    ended: ended.finally(close),
    forward: (signal: NodeJS.Signals) => send(supervisor, { signal }),
    /** Ends it, if it still runs. */
    abandon: () => {
      isOver = true;
      if (supervisor.connected) supervisor.disconnect();
    },
  };
}

function send(supervisor: ChildProcess, message: object): void {
  // One that is ending no longer listens.
  if (supervisor.connected) supervisor.send(message, () => {});
}

function endOf({ code, signal, left }: Extract<Report, { kind: 'ended' }>): ProgramEnd {
  return { exit: signal === null ? (code ?? 1) : 128 + os.constants.signals[signal], signal, left };
}

function notStarted({ command }: Pick<Job, 'command'>, why: string): Failure {
  return failure(`${command[0]} was not started: ${why}.`);
}

function failure(message: string): Failure {
  return new Failure({ code: 'program', message });
}

// A process that runs a program and outlives perp if perp is killed.
if (process.send !== undefined && isPart('supervisor')) {
  // A terminal sends these to the program, too; perp forwards what only perp has received.
  for (const signal of forwardedSignals) process.on(signal, () => {});
  process.once('message', (job: Job) => void supervise(job));
  process.once('disconnect', () => process.exit(1));
  report({ kind: 'ready' });
}

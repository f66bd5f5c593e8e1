import { type ChildProcess, spawn } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import os from 'node:os';
import { Failure } from '../../../base/failure/failure.ts';
import type { Variables } from '../../../base/files/folders.ts';
import { startOf } from '../../../base/self/self.ts';
import type { Job, Report } from './supervisor.ts';

/** How a program ended. */
export interface ProgramEnd {
  /** As a shell reports it: its own status, or 128 plus the number of the signal that ended it. */
  exit: number;
  signal: NodeJS.Signals | null;
  /** How many processes it left behind in its own network; they were ended. */
  left: number;
}

/** A program that is running under its supervisor. */
interface Supervised {
  /** Resolves when it has ended; throws a failure if it could not start. */
  ended: Promise<ProgramEnd>;
  forward(signal: NodeJS.Signals): void;
  /** Ends it, if it still runs. */
  abandon(): void;
}

/** Runs a program; `prefix` starts its supervisor in another network, whose ports lead to `take`. */
export async function supervised(
  job: Job,
  prefix: readonly string[],
  variables: Variables,
  take: (port: number, socket: Socket) => void,
): Promise<Supervised> {
  const { networkOf, endOthersIn } = await import('./supervisor.ts');
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
    ended: ended.finally(close),
    forward: (signal) => send(supervisor, { signal }),
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

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function notStarted({ command }: Pick<Job, 'command'>, why: string): Failure {
  return failure(`${command[0]} was not started: ${why}.`);
}

function failure(message: string): Failure {
  return new Failure({ code: 'program', message });
}

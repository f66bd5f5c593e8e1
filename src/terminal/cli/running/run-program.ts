import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { usageFailure } from '../../../base/failure/failure.ts';
import { type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';
import { type OwnNetwork, ownNetwork, type Tunnels, tunnels } from './network.ts';
import { forNode, forPython, javaTrustFile, type Preloads, programVariables, trusting } from './program-variables.ts';
import { forwardedSignals, type ProgramEnd, supervised } from './supervisor.ts';

type Serve = typeof import('../../../service/serve.ts').serve;
type Serving = Awaited<ReturnType<Serve>>;

/** A program to run, and the service that the simulation replaces. */
export interface ProgramRun {
  command: readonly string[];
  environment: 'live' | 'test';
  /** Hosts that it has built in, with their ports. */
  hosts: readonly { name: string; port: number }[];
  keyPrefix: string | undefined;
  keyVariables: readonly string[];
  urlVariables: readonly string[];
  /** `own`: fails if it can't have one; undefined: only if possible. */
  network: 'own' | 'shared' | undefined;
  /** Undefined: its own state, deleted at the end. */
  state: { name: string; folder: string } | undefined;
  variables: Variables;
  note(text: string): void;
}

/** How it ended, and the facts about its connections. */
export interface ProgramResult extends ProgramEnd {
  startedAt: number;
  /** The time of its first request, Unix ms; undefined if there was none. */
  firstRequestAt: number | undefined;
  requests: number;
  /** Its refusals by frequency, most frequent first. */
  refused: readonly Refused[];
}

/** A status, and the field, the rule or the code of the error. */
interface Refused {
  status: number;
  reason: string;
  count: number;
}

/** The options of its service that don't depend on how it is served. */
export type RunOptions = Omit<Parameters<Serve>[0], 'stateDir' | 'state' | 'port' | 'sandboxPort' | 'program' | 'log'>;

/**
 * Serves a simulation, runs a program that takes it for its service, and returns when the program has ended. The
 * function that `begin` returns is called before the simulation is closed. Only a named state remains of the run.
 */
export async function runProgram<T>(
  run: ProgramRun,
  options: RunOptions,
  begin: (serving: Serving) => Promise<(result: ProgramResult) => T>,
): Promise<T> {
  const file = executable(run.command[0]!, run.variables);
  await using undo = new AsyncDisposableStack();
  const { serve } = await import('../../../service/serve.ts');
  const { processFolder } = await import('../../../service/public.ts');
  const { folder, remove } = processFolder(tmpdir(), 'perp-run-');
  undo.defer(remove);
  // Others may pass through to what is shown to everybody, and see nothing else.
  chmodSync(folder, 0o711);
  const state = run.state ?? { name: 'run', folder: subfolder(folder, 'state', 0o700) };
  const traffic = new Traffic();
  const names = run.hosts.map(({ name }) => name);
  const ports = [...new Set(run.hosts.map(({ port }) => port))];
  const distrusted = said(run);
  const serving = await serve({
    ...options,
    stateDir: state.folder,
    state: state.name,
    port: 0,
    sandboxPort: 0,
    program: { environment: run.environment, keyPrefix: run.keyPrefix, names, ports, onDistrust: distrusted },
    log: (line) => traffic.count(line),
  });
  undo.defer(() => serving.stop());
  const atEnd = await begin(serving);
  const shown = subfolder(folder, 'shown', 0o755);
  const surroundings = await surround(run, shown, serving, undo);
  const { wrap, takes } = surroundings;
  const variables = programVariables(run.variables, {
    key: serving.program!.key,
    urls: { live: serving.baseUrl, test: serving.sandboxUrl },
    environment: run.environment,
    keyVariables: run.keyVariables,
    urlVariables: run.urlVariables,
    state: state.name,
    stateDir: state.folder,
    nodeOptions: forNode(shown, surroundings, run.variables),
    pythonPath: surroundings.trust && forPython(shown, surroundings, variable(run.variables, 'PYTHONPATH')),
    trust: surroundings.trust,
    proxy: surroundings.proxy,
    direct: ['127.0.0.1', 'localhost', ...(wrap === undefined ? [] : names)],
  });
  const job = {
    command: [...(wrap?.program ?? []), file, ...run.command.slice(1)],
    variables,
    ports: wrap === undefined ? [] : [...takes.keys()],
    addresses: wrap?.addresses ?? [],
    hasOwnNetwork: wrap !== undefined,
    folder,
  };
  const startedAt = Date.now();
  const take = (port: number, socket: Socket) => takes.get(port)?.(socket);
  const program = supervised(job, wrap?.supervisor ?? [], run.variables, take);
  undo.defer(() => program.abandon());
  undo.defer(forwardSignals(forwardedSignals, (signal) => program.forward(signal)));
  const end = await program.ended;
  sayOfEnd(run, end, surroundings.redirect !== undefined && traffic.requests === 0);
  const { firstRequestAt, requests, refused } = traffic;
  return atEnd({ ...end, firstRequestAt, requests, refused, startedAt });
}

type RequestLine = Parameters<NonNullable<Parameters<Serve>[0]['log']>>[0];

/** Counts the requests of the program. */
class Traffic {
  firstRequestAt: number | undefined;
  requests = 0;
  readonly #refusals = new Map<string, Refused>();

  count({ status, error }: RequestLine): void {
    this.firstRequestAt ??= Date.now();
    this.requests += 1;
    if (status < 400) return;
    const reason = reasonOf(error);
    const known = this.#refusals.get(`${status} ${reason}`) ?? { status, reason, count: 0 };
    this.#refusals.set(`${status} ${reason}`, { ...known, count: known.count + 1 });
  }

  /** Most often first. */
  get refused(): readonly Refused[] {
    return [...this.#refusals.values()].sort((one, other) => other.count - one.count);
  }
}

/** Why a request was refused, in a word. */
function reasonOf(error: object = {}): string {
  const { code = 'unknown', rule_id: rule, details } = error as { code?: string; rule_id?: string; details?: unknown };
  const [detail] = Array.isArray(details) ? (details as { field?: string }[]) : [];
  return detail?.field ?? rule ?? code;
}

interface ArmedContext extends Preloads {
  proxy: string | undefined;
  /** Undefined: it shares this machine's network. */
  wrap: OwnNetwork | undefined;
  /** Serves connections to the ports of its own network. */
  takes: ReadonlyMap<number, (socket: Socket) => void>;
}

/** Makes its built-in names mean the simulation: in its own network, otherwise by a proxy. */
async function surround(
  run: ProgramRun,
  shown: string,
  serving: Serving,
  undo: AsyncDisposableStack,
): Promise<ArmedContext> {
  const { secure } = serving.program!;
  if (secure === undefined)
    return { trust: undefined, redirect: undefined, proxy: undefined, wrap: undefined, takes: new Map() };
  // The program may give up its privileges but must still be able to read it.
  const trust = join(shown, 'certificates.pem');
  const trusted = trusting(run.variables, secure.authority);
  for (const [file, content] of [[trust, trusted] as const, [javaTrustFile(trust), javaTrustStore(trusted)] as const]) {
    writeFileSync(file, content);
    chmodSync(file, 0o644);
  }
  const names = new Set(run.hosts.map(({ name }) => name));
  const found =
    run.network === 'shared' ? { problem: 'it shares the network, as asked' } : ownNetwork(shown, [...names]);
  if ('problem' in found && run.network === 'own')
    throw usageFailure(`The program can't have its own network here: ${found.problem}.`, 'Omit --network own.');
  const saidOf = saidOnce((what: string) => run.note(`The program requests ${what}.`));
  const passed = (host: string, problem?: string) =>
    saidOf(`${host}, which is not simulated${problem === undefined ? '' : ` and not reached: ${problem}`}`);
  const proxy = tunnels({ names, take: (socket) => secure.take(socket), variables: run.variables, passed });
  undo.defer(() => void proxy.server.close());
  undo.defer(() => proxy.server.closeAllConnections());
  if ('problem' in found) {
    const port = await listening(proxy);
    const to = Number(new URL(secure.url).port || 443);
    run.note(byHand(run, found.problem, to));
    const redirect = { hosts: run.hosts, to };
    return { trust, redirect, proxy: `http://${proxy.user}@127.0.0.1:${port}`, wrap: undefined, takes: new Map() };
  }
  const takes = new Map<number, (socket: Socket) => void>();
  for (const { port } of run.hosts) takes.set(port, (socket) => secure.take(socket));
  for (const host of [serving.hosts.live, serving.hosts.test])
    takes.set(Number(new URL(host.url).port), (socket) => host.take(socket));
  let port = 3128;
  while (takes.has(port)) port += 1;
  takes.set(port, (socket) => proxy.server.emit('connection', socket));
  return { trust, redirect: undefined, proxy: `http://${proxy.user}@127.0.0.1:${port}`, wrap: found, takes };
}

function subfolder(folder: string, name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  // Whatever the mask says.
  chmodSync(path, mode);
  return path;
}

async function listening({ server }: Tunnels): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as { port: number }).port;
}

/** Notes for the user after it has ended; `isUnreached`: it shared the network, and no request arrived. */
function sayOfEnd({ note, hosts }: ProgramRun, { left }: ProgramEnd, isUnreached: boolean): void {
  if (left > 0)
    note(
      `The program left ${left === 1 ? 'a process running. It was' : `${left} processes running. They were`} ended.`,
    );
  const names = hosts.map(({ name }) => name).join(' and ');
  if (isUnreached) note(`No request arrived here. The program may have reached the real ${names}.`);
}

/** The network that the program gets instead of its own, and what the user can do if that isn't enough. */
function byHand({ hosts }: ProgramRun, problem: string, port: number): string {
  const [{ name, port: wanted } = { name: '', port: 443 }] = hosts;
  const names = hosts.map((host) => host.name).join(' ');
  const way =
    port === wanted
      ? `add "127.0.0.1 ${names}" to the hosts file while it runs`
      : `add "127.0.0.1 ${names}" to the hosts file, and redirect port ${wanted} of 127.0.0.1 to port ${port}`;
  return (
    `The program shares this machine's network: ${problem}. The program reaches the simulation if it uses HTTPS_PROXY, the sockets of Node or ` +
    `the socket module of Python; if not, it reaches the real ${name}. By hand: ${way}.`
  );
}

/** Reports once that the program doesn't accept the certificate. */
function said({ note, hosts }: ProgramRun): (reason: string) => void {
  return saidOnce((reason) =>
    note(
      `The program does not accept the certificate of ${hosts[0]!.name} (${reason}). The variables that name certificates ` +
        'to trust, such as SSL_CERT_FILE, are set; a program that has its own certificates does not read them.',
    ),
  );
}

function saidOnce(say: (text: string) => void): (text: string) => void {
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return;
    known.add(text);
    say(text);
  };
}

/**
 * Passes on signals until the returned function is called. The terminal's keys also reach the program directly, so they
 * aren't sent again.
 */
function forwardSignals(signals: readonly NodeJS.Signals[], send: (signal: NodeJS.Signals) => void): () => void {
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const listeners = signals.map((signal) => {
    const isFromKeys = isOnTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    const listener = () => {
      if (!isFromKeys) send(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

/** The program's file, as a shell finds it; throws a usage failure. */
function executable(name: string, variables: Variables): string {
  if (isWindows()) return name;
  const folders = name.includes('/') ? [''] : (variable(variables, 'PATH') ?? '').split(delimiter);
  let wasFound = false;
  for (const folder of folders) {
    const file = folder === '' ? name : join(folder, name);
    try {
      if (!statSync(file).isFile()) continue;
      wasFound = true;
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next folder may have it.
    }
  }
  throw usageFailure(
    wasFound ? `${name} can't be run: it is not executable.` : `There is no program ${name}.`,
    'Write the command after --, as in: perp sim run -- python bot.py',
  );
}

/**
 * Certificates (PEM) as a Java trust store, because Java reads no PEM: a file in its own format JKS, version 2. Java
 * checks its digest only with a password; this one's is empty.
 */
export function javaTrustStore(certificates: string): Buffer {
  const all = certificates.split('-----BEGIN CERTIFICATE-----').slice(1);
  const entries = all.flatMap((text, at) => {
    const bytes = Buffer.from(text.split('-----END CERTIFICATE-----')[0]!, 'base64');
    // A trusted certificate with its name, time and kind.
    return [number(2), word(`perp-${at}`), Buffer.alloc(8), word('X.509'), number(bytes.length), bytes];
  });
  const content = Buffer.concat([number(0xfeedfeed), number(2), number(all.length), ...entries]);
  const digest = createHash('sha1').update('Mighty Aphrodite').update(content).digest();
  return Buffer.concat([content, digest]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function word(text: string): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(text.length);
  return Buffer.concat([bytes, Buffer.from(text, 'ascii')]);
}

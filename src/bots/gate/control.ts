import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { holdFile, readRegularFile, writeSecretFile } from '../../base/files/private-files.ts';
import { isJsonObject, jsonObjectIn } from '../../base/terms/json-object.ts';
import { httpTransport } from '../../wire/client/http-transport.ts';
import type { WireRequest, WireResponse } from '../../wire/contract/wire.ts';
import { notFound, refusalResponse, Failure as WireFailure } from '../../wire/hosting/failure.ts';
import { hashSecret } from '../../wire/hosting/keys.ts';
import { Origins } from '../../wire/hosting/origins.ts';
import { newRequestId, ownNames } from '../../wire/hosting/read-request.ts';
import { listen } from '../../wire/hosting/server.ts';
import type { Gate } from './gate.ts';

/** A running gate, as its owner's commands find it: one private file. */
export interface GateFile {
  readonly pid: number;
  /** Where bots reach it. */
  readonly url: string;
  /** Where its owner does. */
  readonly control: string;
  /** State that only the owner can read. */
  readonly secret: string;
}

/** The answer to each of the owner's requests to a running gate; `bot`: one, or all. */
const asks = {
  status: (gate: Gate, _: string | undefined, url: string) => ({ ...gate.status(), url, pid: process.pid }),
  stop: (gate: Gate, bot: string | undefined) => {
    gate.stop(bot);
    return gate.status();
  },
  resume: (gate: Gate, bot: string | undefined) => {
    gate.resume(bot);
    return gate.status();
  },
  flatten: (gate: Gate, bot: string | undefined) => gate.flatten(bot),
};
type Ask = keyof typeof asks;

/** Flattening limits its own attempts; nothing else takes long. */
const askMs = 90_000;

/** The right to be the gate of this folder, held by one process. Throws a failure that names the other. */
export function holdGate(folder: string): Disposable {
  const lock = holdFile(join(folder, 'lock'));
  if (lock !== undefined) return lock;
  const running = readGateFile(folder);
  throw new Failure({
    code: 'gate_runs',
    message: `A gate already runs${running === undefined ? '' : `, process ${running.pid} at ${running.url}`}.`,
    hint: 'Run one gate for all mandates: perp gate serve --mandate ONE --mandate OTHER. Another gate needs its own PERP_STATE_DIR.',
  });
}

/** Both sides of a gate answer programs on this machine only. */
export const onThisMachine = { names: ownNames, origins: new Origins([]), page: () => null };

/** Serves the owner's side of a gate on its own port, and writes the file by which commands find it. */
export async function serveControl(gate: Gate, folder: string, url: string): Promise<AsyncDisposable> {
  const secret = randomBytes(32).toString('base64url');
  const host = await listen({
    ...onThisMachine,
    environment: 'live',
    port: 0,
    log: null,
    onError: () => {},
    answer: (request) => answered(gate, url, secret, request),
    streams: {
      isStopping: false,
      admit: () => Promise.reject(notFound('stream')),
      failureOf: (error) => (error instanceof WireFailure ? error : notFound('stream')),
    },
  });
  const file: GateFile = { pid: process.pid, url, control: host.url, secret };
  writeSecretFile(fileIn(folder), `${JSON.stringify(file)}\n`);
  return {
    async [Symbol.asyncDispose]() {
      rmSync(fileIn(folder), { force: true });
      await host.stop();
    },
  };
}

/** Asks the running gate of this folder. Throws a failure if none runs, or it refuses. */
export async function askGate<A extends Ask>(
  folder: string,
  ask: A,
  bot?: string,
): Promise<Awaited<ReturnType<(typeof asks)[A]>>> {
  const running = readGateFile(folder);
  if (running === undefined) throw noGate();
  const transport = httpTransport(running.control);
  const body = JSON.stringify({ ask, ...(bot !== undefined && { bot }) });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${running.secret}` };
  try {
    const answer = await transport({ method: 'POST', target: '/', headers, body }, { timeoutMs: askMs });
    const { data, error } = isJsonObject(answer.body) ? answer.body : {};
    if (answer.status === 200) return data as Awaited<ReturnType<(typeof asks)[A]>>;
    const message =
      isJsonObject(error) && typeof error.message === 'string' ? error.message : `It answered ${answer.status}.`;
    throw new Failure({
      code: answer.status === 404 ? 'not_found' : 'gate',
      message,
      hint: 'perp gate status shows what is running.',
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw noGate(error);
  } finally {
    await transport.close();
  }
}

/** The gate that runs in this folder, or last ran; undefined if the last one ended normally. */
export function readGateFile(folder: string): GateFile | undefined {
  try {
    return (jsonObjectIn(readRegularFile(fileIn(folder), 1 << 16).text) as GateFile | null) ?? undefined;
  } catch {
    return undefined;
  }
}

async function answered(gate: Gate, url: string, secret: string, request: WireRequest): Promise<WireResponse> {
  const requestId = newRequestId();
  const headers = { 'x-request-id': requestId };
  try {
    if (!isOwner(secret, request))
      throw new WireFailure('unauthorized', 'Only the owner of this gate may use its commands.');
    const { ask, bot } = jsonObjectIn(request.body ?? '') ?? {};
    const named = typeof bot === 'string' ? bot : undefined;
    if (named !== undefined && !gate.status().bots.some((one) => one.bot === named))
      throw new WireFailure('not_found', `The gate has no bot ${named}.`);
    if (typeof ask !== 'string' || !Object.hasOwn(asks, ask)) throw notFound('request');
    return { status: 200, headers, body: { data: await asks[ask as Ask](gate, named, url) } };
  } catch (error) {
    const failure =
      error instanceof WireFailure
        ? error
        : new WireFailure('internal', error instanceof Error ? error.message : String(error));
    return refusalResponse(failure, { requestId, operation: null });
  }
}

function isOwner(secret: string, { headers }: WireRequest): boolean {
  const given = Buffer.from(hashSecret(headers.authorization ?? ''));
  return timingSafeEqual(given, Buffer.from(hashSecret(`Bearer ${secret}`)));
}

function fileIn(folder: string): string {
  return join(folder, 'gate.json');
}

function noGate(cause?: unknown): Failure {
  return new Failure(
    {
      code: 'no_gate',
      message: 'No perp gate serve is running here.',
      hint: 'Start one with perp gate serve --mandate FILE, as the user that will own it. A gate inside perp mcp --mandate obeys only perp gate stop.',
    },
    { cause },
  );
}

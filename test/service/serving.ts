import { connect } from 'node:net';
import { hashSecret, newKey } from '../../src/service/keys.ts';
import type { Serving } from '../../src/service/serve.ts';
import { type ServeOptions, serve } from '../../src/service/serve.ts';
import { temporaryDirectory } from './temporary-directory.ts';

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** A Tuesday at noon. */
export const startTime = Date.UTC(2026, 10, 17, 12, 20);

/** A service on a new state with synthetic markets and a manual clock; it stops at the end of the test. */
export async function served(t: Context, options: Partial<ServeOptions> = {}): Promise<Serving> {
  const serving = await serve({
    stateDir: temporaryDirectory(t),
    port: 0,
    sandboxPort: 0,
    rateLimit: 'off',
    drainMs: 50,
    seed: 7,
    clock: 'manual',
    startTime,
    ...options,
  });
  t.after(() => serving.stop());
  return serving;
}

/** Issues a key as `perp sim keys` does, for any owner and with any age. */
export function issueKey(
  { simulation }: Serving,
  {
    owner = 'local',
    environment = 'live' as 'live' | 'test',
    scope = 'trade' as 'read' | 'trade',
    expiresAt = null as number | null,
    revokedAt = null as number | null,
  } = {},
): string {
  const key = newKey(environment);
  simulation.write(({ requests }) =>
    requests.credentials.addKey({
      hash: hashSecret(key),
      owner,
      environment,
      scope,
      name: 'test',
      kind: 'key',
      createdAt: Date.now(),
      expiresAt,
      revokedAt,
    }),
  );
  return key;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

/** One request with a bearer key and, if given, a JSON body. */
export async function ask(
  url: string,
  key: string | null,
  init: RequestInit & { json?: unknown } = {},
): Promise<HttpAnswer> {
  const { json, headers, ...rest } = init;
  const answer = await fetch(url, {
    ...rest,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      ...(headers as Record<string, string>),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

/** Writes bytes to a service, and reads its output until it closes the connection or is silent for a while. */
export function raw(url: string, bytes: string | Buffer, quietMs = 300): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(quietMs, done);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', done);
    socket.on('error', reject);
    socket.write(bytes);
  });
}

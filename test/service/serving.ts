import { connect } from 'node:net';
import type { Serving } from '../../src/service/serve.ts';
import { type ServeOptions, serve } from '../../src/service/serve.ts';
import { hashSecret, newKey } from '../../src/wire/hosting/keys.ts';
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

/** Issues a key as `perp sim key` does, for any owner and with any age. */
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

/** The account of a service, a key for it, and how to buy BTC at the market with it. */
export async function trading(serving: Serving) {
  const key = issueKey(serving);
  const { data } = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body;
  const account_id: string = data[0].id;
  const order = { account_id, market_id: 'binance|BTCUSDT', side: 'buy', leverage: 1, margin_mode: 'cross' };
  const buy = (size: number) => ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json: { ...order, size } });
  return { key, account_id, buy };
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

/**
 * Writes bytes to a service, and reads until so many answers are complete or it closes the connection; with 0, only
 * until it has the bytes.
 */
export function raw(url: string, bytes: string | Buffer, answers = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (completeAnswers(text) >= answers) done();
    });
    socket.on('end', done);
    socket.on('error', reject);
    socket.write(bytes, () => {
      if (answers === 0) done();
    });
  });
}

/** How many answers a text begins with, each with all of its body; interim ones (1xx) don't count. */
function completeAnswers(text: string): number {
  const end = text.indexOf('\r\n\r\n') + 4;
  if (end < 4) return 0;
  const head = text.slice(0, end);
  const next = end + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (next > text.length) return 0;
  return (/^HTTP\/1\.1 1/.test(head) ? 0 : 1) + completeAnswers(text.slice(next));
}

import assert from 'node:assert/strict';
import { request as securely } from 'node:https';
import { BotsFile, gateFolder } from '../../src/bots/gate/bots-file.ts';
import { listenForBots } from '../../src/bots/gate/serve.ts';
import { serve } from '../../src/service/serve.ts';
import { httpTransport } from '../../src/wire/client/http-transport.ts';
import type { Transport, WireRequest, WireResponse } from '../../src/wire/contract/wire.ts';
import { GateWorld } from '../bots/gate/gate-world.ts';
import type { Target } from './target.ts';
import { begin, freshState, httpTarget, inProcessTarget, reportBug } from './targets.ts';

/** One way to a service of its own. */
interface Way {
  readonly name: string;
  readonly target: Target;
  /** Its cursors, by those of the first way. */
  readonly cursors: Map<string, string>;
}

/**
 * The ways on which a program reaches a service, each to a service of its own; all begin alike. Every request goes all
 * ways, one after another, and every answer must be the first one's, field by field.
 */
export async function everyWay(): Promise<Target> {
  const [gated, ...targets] = await Promise.all([gateTarget(), inProcessTarget(), httpTarget(), hostTarget()]);
  const named = ['in process', 'served', 'as a host', 'through the gate'] as const;
  const [first, ...others] = [...targets, gated].map(
    (target, at): Way => ({ name: named[at]!, target, cursors: new Map() }),
  ) as [Way, ...Way[]];
  for (const duration_ms of gated.advances)
    await Promise.all(targets.map((target) => sent(target, advance(duration_ms))));
  let before: Promise<unknown> = Promise.resolve();
  const everywhere = async (request: WireRequest): Promise<WireResponse> => {
    const answers = await Promise.all(
      others
        .map((way) => sent(way.target, { ...request, target: within(request, way) }))
        .concat(sent(first.target, request)),
    );
    const answer = answers.pop()!;
    for (const [at, way] of others.entries()) compare(request, answer, way, answers[at]!);
    return answer;
  };
  return {
    headers: {},
    adminHeaders: {},
    transport(request) {
      const answer = before.then(() => everywhere(request));
      before = answer.catch(() => {});
      return answer;
    },
    async close() {
      await Promise.all([first, ...others].map(({ target }) => target.close()));
    },
  };
}

function advance(duration_ms: number): WireRequest {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', target: '/sim/advance', headers, body: JSON.stringify({ duration_ms }) };
}

function sent({ transport, headers, adminHeaders }: Target, request: WireRequest): Promise<WireResponse> {
  const own = request.target.startsWith('/sim/') ? adminHeaders : headers;
  return transport({ ...request, headers: { ...own, ...request.headers } }, { timeoutMs: 30_000 });
}

/** The target of a request, with the way's own cursor. */
function within({ target }: WireRequest, { cursors }: Way): string {
  return target.replace(/(?<=[?&]cursor=)[^&]+/, (encoded) => {
    const own = cursors.get(decodeURIComponent(encoded));
    return own === undefined ? encoded : encodeURIComponent(own);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
type Body = any;

function compare(request: WireRequest, first: WireResponse, { name, cursors }: Way, answer: WireResponse): void {
  if (request.target.startsWith('/sim/')) return;
  const [body, own] = [first.body as Body, answer.body as Body];
  if (body?.next_cursor !== undefined) cursors.set(body.next_cursor, own?.next_cursor);
  const what = `${name}: ${request.method} ${request.target} ${request.body ?? ''}`;
  assert.deepEqual(comparable(answer), comparable(first), what);
}

/** Without what differs from request to request, and from state to state. */
function comparable({ status, headers, body }: WireResponse) {
  const { 'www-authenticate': challenge, 'retry-after': retry } = headers;
  // The error of a login is bare.
  // A client keeps the digits of numbers that a double can't hold.
  const { next_cursor, error, request_id: ___, ...rest } = JSON.parse(JSON.stringify(body));
  const { request_id: _, ...said } = error ?? {};
  // The address of the document is the service's own.
  const { documentation: __, ...data } = rest.data ?? {};
  const shown = Array.isArray(rest.data) ? rest : { ...rest, data };
  return { status, challenge, retry, hasNext: next_cursor !== undefined, said, shown };
}

/** A service that stands in for a host under its name, with TLS, a key like the host's and nothing of a simulation. */
async function hostTarget(): Promise<Target> {
  const { remove, ...options } = freshState();
  const name = 'api.example.com';
  const program = { environment: 'live', keyPrefix: 'host_live_', names: [name], ports: [0] } as const;
  const serving = await serve({ ...options, port: 0, sandboxPort: 0, rateLimit: 'off', onBug: reportBug, program });
  const { key, secure } = serving.program!;
  const port = Number(new URL(secure!.url).port);
  const transport: Transport = ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port, servername: name, ca: secure!.authority, path: target, method };
      securely({ ...to, agent: false, headers: { host: name, ...headers } }, (answer) => {
        answer.toArray().then((parts) => {
          const text = Buffer.concat(parts).toString();
          const headers = answer.headers as Record<string, string>;
          resolve({ status: answer.statusCode!, headers, body: text === '' ? undefined : JSON.parse(text) });
        }, reject);
      })
        .on('error', reject)
        .end(body);
    });
  const local = httpTransport(serving.baseUrl);
  return {
    transport: (request, limits) => (request.target.startsWith('/sim/') ? local : transport)(request, limits),
    headers: { authorization: `Bearer ${key}` },
    adminHeaders: { authorization: `Bearer ${serving.key}` },
    async close() {
      await local.close();
      await serving.stop();
      remove();
    },
  };
}

/** A gate over HTTP, whose mandate allows everything that a mandate can, and how time was advanced before. */
async function gateTarget(): Promise<Target & { advances: readonly number[] }> {
  const ends: (() => void | Promise<void>)[] = [];
  const world = await GateWorld.open({ after: (end) => ends.push(end) }, begin);
  const markets = world.markets.map(({ market_id: id }) => id);
  const [largestOrderUsd, largestPositionUsd] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  world.mandates.set('bot', world.allowing(world.accounts, { markets, largestOrderUsd, largestPositionUsd }));
  const gate = await world.gate();
  const { text: key } = new BotsFile(gateFolder(world.variables)).add(
    'bot',
    'live',
    Date.now(),
    Date.now() + 3_600_000,
  );
  const note = (text: string) => world.notes.push(text);
  const host = await listenForBots({ gate, now: Date.now, environment: 'live', port: 0, log: null, note });
  const transport = httpTransport(host.url);
  return {
    advances: world.advances,
    async transport(request, limits) {
      if (request.target.startsWith('/sim/')) return await world.direct(request);
      const answer = await transport(request, limits);
      // Copy groups trade for other accounts: no mandate allows a change of them.
      const isBarred = (answer.body as Body)?.error?.rule_id === 'mandate-writes';
      return isBarred ? await world.direct(request) : answer;
    },
    headers: { authorization: `Bearer ${key}` },
    adminHeaders: {},
    async close() {
      await transport.close();
      await host.stop();
      for (const end of ends) await end();
    },
  };
}

/**
 * What a gate costs: market orders one after the other over HTTP, in turns straight to the service, through a bare
 * proxy that only passes bytes on, and through `perp gate serve`, which judges, maps and records each. All four are
 * programs of their own, and each way has an account of its own; the service commits every order to disk before it
 * answers.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { connect, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'undici';
import { BotsFile, gateFolder } from '../src/bots/gate/bots-file.ts';
import { mandateText, type NamedMandate } from '../src/desk/mandate/mandate-file.ts';
import { signMandate } from '../src/desk/mandate/signed.ts';
import type { Figure } from './measure.ts';
import { marketOrderBody } from './orders.ts';
import { executable, type Served, served, server } from './served.ts';

/** How many orders each way has, and how far the service is: the network's part of a round trip, ms. */
const trials = [
  { where: '', roundTripMs: 0, count: 1_500, warmup: 300 },
  { where: ', service 10 ms away', roundTripMs: 10, count: 500, warmup: 50 },
];

/** A way to the service, and how long its orders took, ms. */
interface Way {
  readonly pool: Pool;
  readonly key: string;
  readonly account: string;
  readonly times: number[];
}

export async function gate(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const trial of trials) figures.push(...(await compared(trial)));
  return figures;
}

async function compared({ where, roundTripMs, count, warmup }: (typeof trials)[number]): Promise<Figure[]> {
  await using undo = new AsyncDisposableStack();
  const service = await served(3);
  undo.defer(() => service.stop());
  const [gateAccount, directAccount, proxyAccount] = service.accountIds as [string, string, string];
  const far = roundTripMs > 0 ? await programHere('--network', String(roundTripMs / 2), service.url) : undefined;
  undo.defer(() => far?.stop());
  const { url } = far ?? service;
  const proxy = await programHere('--bare-proxy', url);
  undo.defer(() => proxy.stop());
  const gated = await gateBefore(service, gateAccount, url);
  undo.defer(() => gated.stop());
  const way = (address: string, key: string, account: string): Way => ({
    pool: new Pool(address, { connections: 1 }),
    key,
    account,
    times: [],
  });
  const ways = {
    direct: way(url, service.key, directAccount),
    proxy: way(proxy.url, service.key, proxyAccount),
    gate: way(gated.url, gated.key, gateAccount),
  };
  undo.defer(async () => void (await Promise.all(Object.values(ways).map(({ pool }) => pool.close()))));
  for (let number = -warmup; number < count; number++)
    for (const [name, one] of Object.entries(ways)) {
      const ms = await order(one, name, number + warmup);
      if (number >= 0) one.times.push(ms);
    }
  const at = (share: number) => (one: Way) => percentile(one.times, share);
  return [
    ...ratios(`p50${where}`, at(0.5), ways, 1.3),
    ...ratios(`p99${where}`, at(0.99), ways, 1.5),
    ...(far ? [] : (['gate', 'proxy'] as const).map((name) => added(name, at(0.5), ways))),
  ];
}

type Ways = Readonly<Record<'direct' | 'proxy' | 'gate', Way>>;

function ratios(
  name: string,
  of: (way: Way) => number,
  { direct, proxy, gate: through }: Ways,
  atMost: number,
): Figure[] {
  const note = `${of(through).toFixed(2)} / ${of(direct).toFixed(2)} ms; a bare proxy ${(of(proxy) / of(direct)).toFixed(2)} x`;
  const value = of(through) / of(direct);
  return [
    { isQuoted: true, name: `an order through the gate / direct, ${name}`, value, unit: 'x', target: { atMost }, note },
  ];
}

/** What a way takes longer than the direct one. */
function added(name: 'gate' | 'proxy', of: (way: Way) => number, ways: Ways): Figure {
  const what = { gate: 'what the gate adds to an order, p50', proxy: 'what a bare proxy adds to an order, p50' }[name];
  return { isQuoted: true, name: what, value: of(ways[name]) - of(ways.direct), unit: 'ms' };
}

/** Places one order; returns how long its answer took, ms. */
async function order({ pool, key, account }: Way, name: string, number: number): Promise<number> {
  const begun = performance.now();
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/orders',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'idempotency-key': `bench-${name}-${number}`,
    },
    body: marketOrderBody(account, number),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${name}: ${statusCode}: ${text}`);
  return performance.now() - begun;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** A program of this file. */
function programHere(...argv: string[]): ReturnType<typeof server> {
  return server([import.meta.filename, ...argv], process.env);
}

/** A gate before the service at `url`, and the key of its one bot. */
async function gateBefore(
  service: Served,
  account: string,
  url: string,
): Promise<{ url: string; key: string; stop(): Promise<void> }> {
  const streams = url.replace('http', 'ws');
  const env: Record<string, string> = {
    ...(service.env as Record<string, string>),
    PERP_ENV: 'live',
    PERP_BASE_URL: url,
    PERP_MARKET_STREAM_URL: streams,
    PERP_ACCOUNT_STREAM_URL: streams,
    PERP_API_KEY: service.key,
  };
  const mandate: NamedMandate = {
    name: 'bench',
    accounts: [account],
    markets: ['binance|BTCUSDT'],
    sides: ['buy', 'sell'],
    largestOrderUsd: 1e6,
    largestPositionUsd: 1e7,
    lossPerDayUsd: 1e6,
    ordersPerMinute: 1e5,
    until: Date.now() + 86_400_000,
  };
  const folder = join(env.PERP_STATE_DIR!, 'bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'bench.toml');
  writeFileSync(file, mandateText(mandate));
  signMandate(env, mandate, Date.now());
  const { text: key } = new BotsFile(gateFolder(env)).add('bench', 'live', Date.now(), Date.now() + 86_400_000);
  const argv = [executable, 'gate', 'serve', '--port', '0', '--rate-limit', 'off', '--mandate', file, '-o', 'ndjson'];
  return { ...(await server(argv, env)), key };
}

const [, , program, ...argv] = process.argv;
if (program === '--bare-proxy') {
  const { hostname, port } = new URL(argv[0]!);
  const agent = new Agent({ keepAlive: true });
  const proxy = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const sent = httpRequest({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(sent);
  });
  await listening(proxy);
}
if (program === '--network') {
  const { hostname, port } = new URL(argv[1]!);
  const later = (from: Socket, to: Socket) => {
    from.setNoDelay();
    from.on('data', (bytes) => void setTimeout(() => to.write(bytes), Number(argv[0])));
    from.on('close', () => void setTimeout(() => to.destroy(), Number(argv[0])));
    from.on('error', () => {});
  };
  const network = createNetServer((near) => {
    const distant = connect(Number(port), hostname);
    later(near, distant);
    later(distant, near);
  });
  await listening(network);
}

async function listening(program: NetServer): Promise<void> {
  await once(program.listen(0, '127.0.0.1'), 'listening');
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(program.address() as { port: number }).port}` }));
}

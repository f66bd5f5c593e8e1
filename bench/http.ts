/**
 * Durable orders over HTTP against a bare node:http JSON server, the same load on both: 64 connections, every request
 * a POST of an order, every answer an order's JSON. The service does its whole work (checks, engine, commit to disk)
 * before it answers; the bare server parses the body and answers a constant.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { type Figure, median } from './measure.ts';

const executable = resolve(import.meta.dirname, '../bin/perp.js');
const connections = 64;
const requestsPerRound = 6_000;
const rounds = 3;

export async function http(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  const env = { ...process.env, PERP_STATE_DIR: join(folder, 'state'), PERP_CONFIG_DIR: join(folder, 'config') };
  perp(['sim', 'reset', '--plan', 'none', '--yes'], env);
  perp(
    ['sim', 'policy', ...['minute', 'hour', 'day'].flatMap((window) => [`--trades-per-${window}`, '1000000000'])],
    env,
  );
  const { api_key: key } = JSON.parse(perp(['sim', 'keys', 'create', '--scope', 'trade', '--json'], env)) as {
    api_key: string;
  };
  const [account] = JSON.parse(perp(['accounts', '--json'], env)) as [{ id: string }];
  const bare = await server(['bench/http.ts', '--bare-server'], env);
  const service = await server(
    [executable, 'sim', 'serve', '--port', '0', '--sandbox-port', '0', '--rate-limit', 'off', '-o', 'ndjson'],
    env,
  );
  try {
    const bareRates: number[] = [];
    const serviceRates: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const bareRate = await requestsPerSecond(bare.url, key, account.id, round);
      const serviceRate = await requestsPerSecond(service.url, key, account.id, round);
      if (round < 0) continue;
      bareRates.push(bareRate);
      serviceRates.push(serviceRate);
    }
    const ratio = median(serviceRates.map((rate, index) => rate / bareRates[index]!)) * 100;
    return [
      {
        name: `durable orders over HTTP / bare node:http, ${connections} connections`,
        value: ratio,
        unit: '%',
        target: { atLeast: 40 },
        note: `${Math.round(median(serviceRates))} / ${Math.round(median(bareRates))} requests/s`,
      },
    ];
  } finally {
    await Promise.all([bare.stop(), service.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function perp(args: string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`perp ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Starts a server process and reads its first line: JSON with its `base_url`. */
async function server(args: string[], env: NodeJS.ProcessEnv): Promise<{ url: string; stop(): Promise<unknown> }> {
  const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await Promise.race([
    once(createInterface(running.stdout), 'line').then(([text]) => text as string),
    once(running, 'exit').then(([code]) => Promise.reject(new Error(`${args.join(' ')} ended with ${code}`))),
  ]);
  const { base_url: url } = JSON.parse(line) as { base_url: string };
  const ended = once(running, 'exit');
  return {
    url,
    stop: () => {
      running.kill('SIGTERM');
      return ended;
    },
  };
}

async function requestsPerSecond(url: string, key: string, account: string, round: number): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  let sent = 0;
  const worker = async () => {
    while (sent < requestsPerRound) {
      const number = sent++;
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/orders',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          'idempotency-key': `bench-${round}-${number}`,
        },
        body: order(account, number),
      });
      const text = await body.text();
      if (statusCode !== 201) throw new Error(`${statusCode}: ${text}`);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return requestsPerRound / seconds;
}

/** Small market orders that alternate sides, so that no limit of the account is reached. */
function order(account: string, number: number): string {
  return JSON.stringify({
    account_id: account,
    market_id: 'binance|BTCUSDT',
    side: number % 2 === 0 ? 'buy' : 'sell',
    size: 0.001,
    leverage: 1,
    margin_mode: 'cross',
    type: 'market',
  });
}

if (process.argv.includes('--bare-server')) {
  const answer = JSON.stringify({ data: { id: 'ord_0', text: 'x'.repeat(700) } });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(201, { 'content-type': 'application/json' }).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${address.port}` }));
}

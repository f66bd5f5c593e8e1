/**
 * Durable orders over HTTP against a bare node:http JSON server, with the same load on both: 64 connections, every
 * request a POST of an order, every answer an order's JSON. The service does all of its work (checks, engine, commit to
 * disk) before it answers; the bare server parses the body and returns a constant.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { type Figure, median } from './measure.ts';
import { marketOrderBody } from './orders.ts';
import { served, server } from './served.ts';

const connections = 64;
const requestsPerRound = 10_000;
const rounds = 5;

export async function http(): Promise<Figure[]> {
  const service = await served();
  const bare = await server([import.meta.filename, '--bare-server'], service.env);
  const { key, accountId } = service;
  try {
    const bareRates: number[] = [];
    const serviceRates: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const bareRate = await requestsPerSecond(bare.url, key, accountId, round);
      const serviceRate = await requestsPerSecond(service.url, key, accountId, round);
      if (round < 0) continue;
      bareRates.push(bareRate);
      serviceRates.push(serviceRate);
    }
    const ratio = median(serviceRates.map((rate, index) => rate / bareRates[index]!)) * 100;
    return [
      {
        isQuoted: true,
        name: `durable orders over HTTP / bare node:http, ${connections} connections`,
        value: ratio,
        unit: '%',
        target: { atLeast: 40 },
        note: `${Math.round(median(serviceRates))} / ${Math.round(median(bareRates))} requests/s`,
      },
    ];
  } finally {
    await Promise.all([bare.stop(), service.stop()]);
  }
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
        body: marketOrderBody(account, number),
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

if (process.argv.includes('--bare-server')) {
  const answer = JSON.stringify({ data: { id: 'ord_0', text: 'x'.repeat(700) } });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(201, { 'content-type': 'application/json' }).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${address.port}` }));
}

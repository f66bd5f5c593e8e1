/**
 * How the served simulation scales: quotes, accounts and orders of 1 to 200 clients, each with a connection of its own,
 * beside a bare node:http server in the same run. The account's limits are out of the way. An order is synced to disk
 * before its answer; clients that wait at the same time share a sync, so one client alone waits for a whole one each
 * time.
 */
import { Pool } from 'undici';
import { type Figure, median } from './measure.ts';
import { marketOrderBody } from './orders.ts';
import { type Served, served, server } from './served.ts';

const clients = [1, 10, 50, 200];
const rounds = 3;
const roundMs = 700;

type Request = Parameters<Pool['request']>[0];

/** What is asked for, and the least share of a bare server's rate at 50 clients, %. */
const loads: Readonly<Record<string, { atLeast?: number; request(service: Served, number: number): Request }>> = {
  quotes: {
    atLeast: 45,
    request: ({ key }) => ({ method: 'GET', path: '/v1/markets/binance%7CBTCUSDT/quote', headers: bearer(key) }),
  },
  accounts: { atLeast: 45, request: ({ key }) => ({ method: 'GET', path: '/v1/accounts', headers: bearer(key) }) },
  orders: {
    request: ({ key, accountId }, number) => ({
      method: 'POST',
      path: '/v1/orders',
      headers: { ...bearer(key), 'content-type': 'application/json', 'idempotency-key': `scale-${number}` },
      body: marketOrderBody(accountId, number),
    }),
  },
};
let numbers = 0;

export async function scale(): Promise<Figure[]> {
  const service = await served();
  const bare = await server([`${import.meta.dirname}/http.ts`, '--bare-server'], service.env);
  const figures: Figure[] = [];
  try {
    for (const [name, { atLeast, request }] of Object.entries(loads))
      for (const count of clients) {
        const rates: { bare: number; service: number }[] = [];
        for (let round = -1; round < rounds; round++) {
          const rate = { bare: 0, service: 0 };
          for (const [side, url] of [
            ['bare', bare.url],
            ['service', service.url],
          ] as const)
            rate[side] = await perSecond(url, count, () => request(service, numbers++));
          if (round >= 0) rates.push(rate);
        }
        const of = (side: 'bare' | 'service') => Math.round(median(rates.map((rate) => rate[side])));
        figures.push({
          name: `${name} over HTTP / bare node:http, ${count} clients`,
          value: median(rates.map((rate) => rate.service / rate.bare)) * 100,
          unit: '%',
          ...(count === 50 && atLeast !== undefined && { target: { atLeast } }),
          note: `${of('service')} / ${of('bare')} requests/s`,
        });
      }
    return figures;
  } finally {
    await Promise.all([bare.stop(), service.stop()]);
  }
}

/** The rate at which so many clients are answered, each with one request at a time. */
async function perSecond(url: string, connections: number, next: () => Request): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const start = performance.now();
  let answered = 0;
  const client = async () => {
    while (performance.now() < start + roundMs) {
      const { statusCode, body } = await pool.request(next());
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`${statusCode}: ${text}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - start) / 1_000;
  await pool.close();
  return answered / seconds;
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

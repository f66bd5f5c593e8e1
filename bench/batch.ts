/**
 * 1,000 orders, one after the other, over loopback: `perp batch` as a whole process (start, parsing, two lines
 * on disk per order, answers) against a loop of bare undici requests to the same service, each sent after the previous
 * answer. The loop also has a fresh process, because warm code is faster; only its requests are timed.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { type Figure, median } from './measure.ts';
import { perp, type Served, served } from './served.ts';

const orders = 1_000;
const rounds = 5;

export async function batch(): Promise<Figure[]> {
  const service = await served();
  try {
    const bareTimes: number[] = [];
    const batchTimes: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const bare = bareProcess(service);
      const whole = batchProcess(service.env);
      // The first round warms the service up.
      if (round > 0) bareTimes.push(bare);
      if (round > 0) batchTimes.push(whole);
    }
    return [
      {
        isQuoted: true,
        name: `perp batch, ${orders} orders over loopback / bare undici loop`,
        value: median(bareTimes.map((bare, index) => bare / batchTimes[index]!)) * 100,
        unit: '%',
        target: { atLeast: 70 },
        note: `${median(batchTimes).toFixed(0)} ms / ${median(bareTimes).toFixed(0)} ms`,
      },
    ];
  } finally {
    await service.stop();
  }
}

function batchProcess(env: NodeJS.ProcessEnv): number {
  const sides = Array.from({ length: orders }, (_, number) => (number % 2 === 0 ? 'buy' : 'sell'));
  const input = sides.map((side) => `order place BTC ${side} 0.001 --leverage 1 --margin cross`).join('\n');
  const start = performance.now();
  perp(['batch'], env, input);
  return performance.now() - start;
}

function bareProcess({ url, key, accountId }: Served): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, '--bare-loop'], {
    input: JSON.stringify({ url, key, accountId }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the bare loop ended with ${status}: ${stderr}`);
  return Number(stdout);
}

async function bareLoop({ url, key, accountId }: Pick<Served, 'url' | 'key' | 'accountId'>): Promise<number> {
  const client = new Client(url);
  const start = performance.now();
  for (let number = 0; number < orders; number++) {
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: '/v1/orders',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        account_id: accountId,
        market_id: 'binance|BTCUSDT',
        side: number % 2 === 0 ? 'buy' : 'sell',
        size: 0.001,
        leverage: 1,
        margin_mode: 'cross',
        type: 'market',
        client_order_id: `bench-${randomUUID()}`,
      }),
    });
    const answer = await body.json();
    if (statusCode !== 201) throw new Error(`${statusCode}: ${JSON.stringify(answer)}`);
  }
  const taken = performance.now() - start;
  await client.close();
  return taken;
}

if (process.argv.includes('--bare-loop')) {
  let given = '';
  for await (const chunk of process.stdin) given += chunk;
  console.log(await bareLoop(JSON.parse(given)));
}

/**
 * 1 000 orders, one after the other, over loopback: `perp batch` as a whole process (start, parsing, two notes on disk
 * for each order, answers) against a loop of bare undici requests to the same service, which each wait for their order.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'undici';
import { type Figure, median } from './measure.ts';

const executable = resolve(import.meta.dirname, '../bin/perp.js');
const orders = 1_000;
const rounds = 5;

export async function batch(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  const env = { ...process.env, PERP_STATE_DIR: join(folder, 'state'), PERP_CONFIG_DIR: join(folder, 'config') };
  run(['sim', 'reset', '--plan', 'none', '--yes'], env);
  run(
    ['sim', 'policy', ...['minute', 'hour', 'day'].flatMap((window) => [`--trades-per-${window}`, '1000000000'])],
    env,
  );
  const [account] = JSON.parse(run(['accounts', '--json'], env)) as [{ id: string }];
  const serving = spawn(
    process.execPath,
    [executable, 'sim', 'serve', '--port', '0', '--sandbox-port', '0', '--rate-limit', 'off', '-o', 'ndjson'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = (await once(createInterface(serving.stdout), 'line')) as [string];
    const { base_url: url } = JSON.parse(line) as { base_url: string };
    const { key } = JSON.parse(readFileSync(join(folder, 'state', 'default.service.json'), 'utf8')) as { key: string };
    const bareTimes: number[] = [];
    const batchTimes: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const bare = await bareLoop(url, key, account.id);
      const whole = batchProcess(env);
      // The first round warms the service up.
      if (round > 0) bareTimes.push(bare);
      if (round > 0) batchTimes.push(whole);
    }
    return [
      {
        name: `perp batch, ${orders} orders over loopback / bare undici loop`,
        value: median(bareTimes.map((bare, index) => bare / batchTimes[index]!)) * 100,
        unit: '%',
        target: { atLeast: 60 },
        note: `${median(batchTimes).toFixed(0)} ms / ${median(bareTimes).toFixed(0)} ms`,
      },
    ];
  } finally {
    serving.kill('SIGTERM');
    await once(serving, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

function batchProcess(env: NodeJS.ProcessEnv): number {
  const sides = Array.from({ length: orders }, (_, number) => (number % 2 === 0 ? 'buy' : 'sell'));
  const input = sides.map((side) => `order place BTC ${side} 0.001 --leverage 1 --margin cross`).join('\n');
  const start = performance.now();
  run(['batch'], env, input);
  return performance.now() - start;
}

async function bareLoop(url: string, key: string, account: string): Promise<number> {
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
        account_id: account,
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

function run(args: string[], env: NodeJS.ProcessEnv, input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], {
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`perp ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inProcessTransport } from '../../../src/service/public.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import { BuiltRun, beginWorld, buildPerp, machine } from '../cli/built-perp.ts';
import { hello, type Message } from './agent.ts';
import { signed, termsOf } from './probe-run.ts';

before(buildPerp);

/** Half of them end by SIGKILL, half by SIGTERM. */
const rounds = process.env.PERP_LONG === '1' ? 60 : 4;

it('killed or terminated in the middle of an order: the same call under its key leaves one order, and nothing is lost', async (t) => {
  const { folder, variables, remove } = machine();
  t.after(remove);
  await beginWorld(variables, { plan: 'none' });
  const stateDir = variables.PERP_STATE_DIR!;
  const read = async <T>(work: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> => {
    const opened = await inProcessTransport({ stateDir });
    try {
      return await work(createClient({ transport: opened.transport }));
    } finally {
      opened.close();
    }
  };
  const [{ id: account }] = (await read((client) => client.call('listAccounts', {}))).data as unknown as [
    { id: string },
  ];
  const file = signed({ folder, variables } as never, termsOf([account], 'killed', { largestPositionUsd: 1e6 }));
  const order = { account, market: 'ETH', side: 'buy', notional_usd: 100 };
  for (let round = 0; round < rounds; round++) {
    const call = { name: 'place_order', arguments: { ...order, idempotency_key: `round-${round}` } };
    const first = new BuiltRun(['mcp', '--mandate', file], variables);
    first.process.stdin.write(`${line(1, 'initialize', hello)}${line(2, 'tools/call', call)}`);
    await first.printed(/"id":1\b/);
    await delay((round % 10) * 10);
    first.process.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    await first.ended;
    const again = new BuiltRun(['mcp', '--mandate', file], variables);
    again.process.stdin.end(`${line(1, 'initialize', hello)}${line(2, 'tools/call', call)}`);
    const { exit, out } = await again.ended;
    assert.equal(exit, 0, again.err);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((text): Message => JSON.parse(text));
    const { structuredContent } = messages.find(({ id }) => id === 2).result;
    assert.equal(structuredContent.order?.status, 'filled', `round ${round}: ${JSON.stringify(structuredContent)}`);
    const fills = (await read((client) => client.call('listFills', { query: { account_id: account } }))).data;
    assert.equal(fills.length, round + 1, `round ${round}`);
  }
});

function line(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

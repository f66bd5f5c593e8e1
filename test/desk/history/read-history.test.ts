import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHistory } from '../../../src/desk/history/read-history.ts';
import type { Session } from '../../../src/desk/session/session.ts';
import { inProcessTransport } from '../../../src/service/public.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import { beginning } from '../../seed.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';

/** A simulation in which an order fills before each of the next `fills` reads of the account, and its history. */
async function read(t: { after(fn: () => void | Promise<void>): void }, fills: number) {
  const simulation = await inProcessTransport({ stateDir: temporaryDirectory(t), clock: 'manual', ...beginning });
  t.after(() => simulation.close());
  const client = createClient({ transport: simulation.transport });
  const [account] = (await client.call('listAccounts', {})).data;
  const { market_id } = (await client.call('listMarkets', {})).data.find(({ symbol }) => symbol === 'BTC')!;
  let left = fills;
  let readings = 0;
  const call: Session['call'] = async (id, request) => {
    if (id === 'getAccount') readings += 1;
    if (id === 'getAccount' && left-- > 0) {
      const terms = { side: 'buy', size: 0.01, leverage: 1, margin_mode: 'cross' } as const;
      await client.call('createOrder', { body: { account_id: account!.id, market_id, ...terms } });
    }
    return await client.call(id, request);
  };
  const session = { settings: { environment: 'sim' }, call } as unknown as Session;
  const history = await readHistory(session, account!.id);
  return { readings, unexplained: history.unexplained, fills: history.trips[0]?.fills.length ?? 0 };
}

test('the history of a simulation that changes while it is read is read again, until its bookings are its balance', async (t) => {
  assert.deepEqual(await read(t, 0), { readings: 1, unexplained: 0n, fills: 0 });
  assert.deepEqual(await read(t, 1), { readings: 2, unexplained: 0n, fills: 1 });
  assert.deepEqual(await read(t, 2), { readings: 3, unexplained: 0n, fills: 2 });
});

test('one that never stands still says how much of the balance it does not explain', async (t) => {
  const { readings, unexplained } = await read(t, 10);
  assert.equal(readings, 3);
  assert.notEqual(unexplained, 0n);
});

import { createInterface } from 'node:readline';
import { inProcessTransport } from '../../../src/service/public.ts';

/**
 * Opens the state in the folder given as its argument in this process, beside its service; for each line, a client
 * order id, prints how many orders have it.
 */
const { transport } = await inProcessTransport({ stateDir: process.argv[2]! });
const read = async (name: string) => {
  const target = `/v1/orders?client_order_id=${encodeURIComponent(name)}`;
  const { body } = await transport({ method: 'GET', target, headers: {} }, { timeoutMs: 60_000 });
  return (body as { data: unknown[] }).data.length;
};
console.log(await read('none'));
for await (const name of createInterface(process.stdin)) console.log(await read(name));

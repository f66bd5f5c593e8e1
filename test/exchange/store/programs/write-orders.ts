/**
 * write-orders FILE FROM: writes orders numbered from FROM until it is killed, each with its posting and
 * idempotency key, eight at a time; prints each number once its commit is acknowledged.
 */
import { Store } from '../../../../src/exchange/store/store.ts';
import { Batches } from '../../../../src/service/state/batches.ts';
import { changes, filledOrder, posting, remembered } from '../samples.ts';

const store = Store.open(process.argv[2]!);
const group = new Batches<null>(store, {
  perform: (works) => store.transaction(() => works.map((work) => work(null))),
  onCommit() {},
});
let last = Number(process.argv[3]) - 1;

async function write(sequence: number): Promise<void> {
  await group.submit(() => {
    const order = filledOrder(sequence);
    store.write(changes({ sequence, orders: [order], ledger: [posting(sequence, { orderId: order.id })] }));
    store.remember(remembered(`key-${sequence}`, { resourceId: order.id }));
    store.appendCommand(sequence, { kind: 'cancel_order', orderId: order.id });
  });
  console.log(sequence);
}

for (;;) {
  await Promise.all(Array.from({ length: 8 }, () => write(++last)));
}

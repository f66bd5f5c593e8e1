/**
 * count FILE TIMES PROCESSES: adds one to the account's balance TIMES times, as the service does: with a copy in memory
 * that is read again only when another process has written. After its first addition it waits until all PROCESSES
 * processes have made one. Prints how often it read the account again.
 */
import { setTimeout } from 'node:timers/promises';
import { Store } from '../../../../src/exchange/store/store.ts';
import { changes } from '../samples.ts';

const store = Store.open(process.argv[2]!);
let account = store.account('acc_1')!;
const [times, processes] = process.argv.slice(3).map(Number) as [number, number];
let reloads = 0;
for (let added = 0; added < times; added++) {
  while (added === 1 && store.account('acc_1')!.balance < processes) await setTimeout(1);
  store.transaction(() => {
    if (store.changedElsewhere()) {
      account = store.account('acc_1')!;
      reloads++;
    }
    account = { ...account, balance: account.balance + 1n };
    store.write(changes({ accounts: [account] }));
  });
}
console.log(reloads);
store.close();

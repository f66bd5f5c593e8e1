/**
 * count FILE TIMES: adds one to the account's balance so many times, as the service does: with a copy in memory that
 * is read again only when another process has written.
 */
import { Store } from '../../../src/store/store.ts';
import { changes } from '../samples.ts';

const store = Store.open(process.argv[2]!);
let account = store.account('acc_1')!;
let reloads = 0;
for (let left = Number(process.argv[3]); left > 0; left--) {
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

/**
 * use-codes FILE COUNT: once the setting `go` exists, tries codes c1 to cCOUNT and prints those that it may exchange.
 */
import { setTimeout } from 'node:timers/promises';
import { Store } from '../../../../src/exchange/store/store.ts';

const store = Store.open(process.argv[2]!);
store.transaction(() => store.setSetting('ready', String(Number(store.setting('ready') ?? 0) + 1)));
while (store.setting('go') === null) await setTimeout(1);
for (let number = 1; number <= Number(process.argv[3]); number++) {
  if (store.transaction(() => store.credentials.useCode(`c${number}`, 'session', 2_000))) console.log(`c${number}`);
}
store.close();

/** open-new FILE: creates the state unless another process has, and prints how many states it found or created. */
import { Store } from '../../../../src/exchange/store/store.ts';
import { nothingOpen } from '../state-file.ts';

const store = Store.open(process.argv[2]!);
store.transaction(() => {
  if (store.loadOpenState() === null) {
    store.initialize(nothingOpen);
    store.setSetting('made', String(Number(store.setting('made') ?? 0) + 1));
  }
});
console.log(store.setting('made'));
store.close();

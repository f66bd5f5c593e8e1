/** open-and-write FILE: opens the state, writes a setting, prints the StoreError it got as JSON. */
import { StoreError } from '../../../src/store/errors.ts';
import { Store } from '../../../src/store/store.ts';

try {
  const store = Store.open(process.argv[2]!);
  store.transaction(() => store.setSetting('written', 'yes'));
  store.close();
  console.log(JSON.stringify({ kind: 'none', message: 'it could be written' }));
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  console.log(JSON.stringify({ kind: error.kind, message: error.message }));
}

/**
 * open-and-write FILE: with an ordinary user's rights opens the state, writes a setting, prints the StoreError it got as
 * JSON. Root gives its rights up here, with all code loaded: the checkout may lie where only root reads.
 */
import { StoreError } from '../../../src/store/errors.ts';
import { Store } from '../../../src/store/store.ts';

const nobody = 65_534;

if (process.getuid?.() === 0) {
  process.setgroups!([]);
  process.setgid!(nobody);
  process.setuid!(nobody);
}
try {
  const store = Store.open(process.argv[2]!);
  store.transaction(() => store.setSetting('written', 'yes'));
  store.close();
  console.log(JSON.stringify({ kind: 'none', message: 'it could be written' }));
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  console.log(JSON.stringify({ kind: error.kind, message: error.message }));
}

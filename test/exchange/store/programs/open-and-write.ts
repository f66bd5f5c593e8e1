/**
 * open-and-write FILE: opens the state with an ordinary user's rights, writes a setting, and prints the StoreError as
 * JSON. Root drops its rights only after all code is loaded, because the checkout may be readable only by root.
 */
import { StoreError } from '../../../../src/exchange/store/errors.ts';
import { Store } from '../../../../src/exchange/store/store.ts';

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

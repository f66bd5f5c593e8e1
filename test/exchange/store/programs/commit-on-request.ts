/**
 * commit-on-request FILE: commits each line of its input as the setting `said`, and prints the result: `done`, or the
 * kind of the StoreError; then the setting, or why it can't be read.
 */
import { createInterface } from 'node:readline';
import { StoreError } from '../../../../src/exchange/store/errors.ts';
import { Store } from '../../../../src/exchange/store/store.ts';

const store = Store.open(process.argv[2]!);

function kindOf(work: () => string | null): string {
  try {
    return String(work());
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.kind;
  }
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const ended = kindOf(() => {
    store.transaction(() => store.setSetting('said', line));
    return 'done';
  });
  console.log(`${ended}, then ${kindOf(() => store.setting('said'))}`);
}
store.close();

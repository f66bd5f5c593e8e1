import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { emptyState } from '../../../src/exchange/engine/exchange.ts';
import type { StoreOptions } from '../../../src/exchange/store/state-database.ts';
import { Store } from '../../../src/exchange/store/store.ts';

/** A directory for the test, deleted at its end; with `{ after }` of node:test, at the end of the file. */
export function temporaryDirectory(test: { after(remove: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'perp-store-'));
  test.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A path at which a state may be created; nothing exists there yet. */
export function temporaryFile(test: TestContext): string {
  return join(temporaryDirectory(test), 'state.db');
}

export const nothingOpen = emptyState(7, 1_000);

/** A store on a new file, initialized; closed at the end of the test. */
export function newStore(test: TestContext, file = temporaryFile(test), options?: StoreOptions): Store {
  const store = Store.open(file, options);
  test.after(() => store.close());
  store.transaction(() => store.initialize(nothingOpen));
  return store;
}

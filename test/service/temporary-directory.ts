import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory that is deleted at the end of the test. */
export function temporaryDirectory(t: { after(fn: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'perp-service-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

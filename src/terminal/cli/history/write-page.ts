import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usageFailure } from '../../../base/failure/failure.ts';
import { writePrivateFile } from '../../../base/files/private-files.ts';
import { linkTarget } from '../../../base/files/shared-file.ts';
import type { Console } from '../../console/console.ts';
import { line, type Result, recordOf } from '../../console/output/result.ts';

/**
 * Writes the page that `make` returns, unless the run is dry. It reveals what its owner trades, so only the owner may
 * read it. Throws a usage failure for a file that exists, unless it may be replaced.
 */
export async function pageWritten(
  console: Console,
  { out, force, open }: { out: string; force: boolean; open: boolean },
  make: () => Promise<string>,
): Promise<Result> {
  const file = resolve(out);
  if (existsSync(file) && !force)
    throw usageFailure(`${file} already exists.`, 'Use --force to replace it, or another -o FILE.');
  const html = await make();
  const { dryRun } = console.settings;
  try {
    if (!dryRun) writePrivateFile(linkTarget(file), html);
  } catch (error) {
    throw usageFailure(`${file} can't be written: ${(error as Error).message}.`, 'Choose another -o FILE.');
  }
  if (open && !dryRun) await openInBrowser(console, file);
  const verb = dryRun ? 'Dry run: would write ' : 'Wrote ';
  return recordOf({ file, bytes: Buffer.byteLength(html) }, () => line(verb, { text: file, tone: 'strong' }, '.'));
}

/** Opens a page in the browser, and says so if there is none. */
async function openInBrowser(console: Console, file: string): Promise<void> {
  const { hasBrowser, openBrowser } = await import('../login/browser.ts');
  const isOpen = hasBrowser(console.variables) && (await openBrowser(pathToFileURL(file).href, console.variables));
  if (!isOpen) console.note('No browser could be started.');
}

import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { usageFailure } from '../../../base/failure/failure.ts';
import { writePrivateFile } from '../../../base/files/private-files.ts';
import { linkTarget } from '../../../base/files/shared-file.ts';
import type { Console } from '../../console/console.ts';

/** A usage failure for a page that exists, unless it may be replaced. */
export function checkPage(file: string, isForced: boolean): void {
  if (existsSync(file) && !isForced)
    throw usageFailure(`${file} already exists.`, 'Use --force to replace it, or another -o FILE.');
}

/** Writes a page. It reveals what its owner trades, so only the owner may read it. */
export function writePage(file: string, html: string): void {
  try {
    writePrivateFile(linkTarget(file), html);
  } catch (error) {
    throw usageFailure(`${file} can't be written: ${(error as Error).message}.`, 'Choose another -o FILE.');
  }
}

/** Opens a page in the browser, and says so if there is none. */
export async function openInBrowser(console: Console, file: string): Promise<void> {
  const { hasBrowser, openBrowser } = await import('../login/browser.ts');
  const isOpen = hasBrowser(console.variables) && (await openBrowser(pathToFileURL(file).href, console.variables));
  if (!isOpen) console.note('No browser could be started.');
}

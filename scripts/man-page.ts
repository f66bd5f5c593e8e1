/**
 * Generates the man page from the commands. With --check, only reports whether it is current.
 *
 *   npx node scripts/man-page.ts [--check]    (npm run fix does it, too)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceRegistry } from '../src/terminal/cli/source-registry.ts';
import { commandTree } from '../src/terminal/cli/tree/command-tree.ts';
import { manPage } from '../src/terminal/cli/tree/man-page.ts';
import { plainPalette } from '../src/terminal/console/output/themes.ts';

const file = join(import.meta.dirname, '../docs/perp.1');
const catalog = await sourceRegistry();
const page = manPage(
  commandTree({ catalog, write: () => {}, columns: 80, palette: plainPalette, act: () => {} }).named(),
);
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page) {
  console.error('docs/perp.1 is not current. Run: npm run fix');
  process.exitCode = 1;
}

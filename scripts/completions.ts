/**
 * Writes what is made of the commands themselves: the shells' completion scripts into completions/, the man page into
 * docs/. With --check it only says whether they are current.
 *
 *   node scripts/completions.ts [--check]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { completionScript, type Shell, shells } from '../src/cli/completion/script.ts';
import { manPage } from '../src/cli/man-page.ts';
import { sourceRegistry } from '../src/cli/source-registry.ts';

const root = join(import.meta.dirname, '..');
const registry = await sourceRegistry();
const made: [file: string, text: string][] = [
  ...Object.entries(shells).map(([shell, name]): [string, string] => {
    return [`completions/${name}`, completionScript(shell as Shell, registry)];
  }),
  ['docs/perp.1', manPage(registry)],
];

const isCheck = process.argv.includes('--check');
const stale = made.filter(([file, text]) => read(join(root, file)) !== text);
if (!isCheck) {
  for (const [file, text] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
} else if (stale.length > 0) {
  console.error(`Not current: ${stale.map(([file]) => file).join(', ')}. Run: node scripts/completions.ts`);
  process.exitCode = 1;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

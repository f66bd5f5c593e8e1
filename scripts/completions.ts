/**
 * Writes the shells' completion scripts into completions/; with --check it only says whether they are current.
 *
 *   node scripts/completions.ts [--check]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completionScript, type Shell, shells } from '../src/cli/completion/script.ts';
import { sourceRegistry } from '../src/cli/source-registry.ts';

const folder = join(import.meta.dirname, '../completions');
const registry = await sourceRegistry();
const stale: string[] = [];

mkdirSync(folder, { recursive: true });
for (const [shell, name] of Object.entries(shells)) {
  const file = join(folder, name);
  const script = completionScript(shell as Shell, registry);
  if (!process.argv.includes('--check')) writeFileSync(file, script);
  else if (read(file) !== script) stale.push(name);
}
if (stale.length > 0) {
  console.error(`Not current: ${stale.join(', ')}. Run: node scripts/completions.ts`);
  process.exitCode = 1;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

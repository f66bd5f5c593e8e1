/** What the tests with foreign clients have in common. `scripts/foreign.ts` runs them in a temporary folder with their packages. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';

export const run = promisify(execFile);
/** perp as it is built. */
export const root = process.env.PERP_ROOT;
export const perp = join(root, 'bin/perp.js');
/** Where the packages are. */
export const here = import.meta.dirname;
/** A home of their own. */
export const folder = mkdtempSync(join(tmpdir(), 'perp-foreign-'));
after(() => rmSync(folder, { recursive: true, force: true }));
/** Nothing else: some clients pass nothing else on to what they start. */
export const env = { PATH: process.env.PATH, HOME: folder };

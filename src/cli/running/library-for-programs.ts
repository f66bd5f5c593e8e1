import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../ground/files/folders.ts';

/**
 * Writes a file for programs of Node: with it, `perp/client` and the others are those of this perp, unless the program has
 * a perp of its own. Returns the NODE_OPTIONS that load it, after those that there are.
 */
export function libraryFor(folder: string, options: string | undefined): string {
  const file = join(folder, 'library.cjs');
  const root = JSON.stringify(pathToFileURL(join(packageFolder(import.meta.dirname), 'package.json')).href);
  // An old Node has no such hooks, and must start all the same.
  writeFileSync(
    file,
    `'use strict';
const { createRequire, registerHooks } = require('module');
if (registerHooks) registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('perp/') || context.parentURL === ${root}) return next(specifier, context);
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/MODULE_NOT_FOUND$/.test(error.code)) throw error;
      const { href } = require('url').pathToFileURL(createRequire(${root}).resolve(specifier));
      return { url: href, shortCircuit: true };
    }
  },
});
`,
  );
  // The program may give up its privileges, and still has to read it.
  chmodSync(file, 0o644);
  const ours = `--require ${JSON.stringify(file)}`;
  return options === undefined ? ours : `${options} ${ours}`;
}

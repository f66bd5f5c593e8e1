import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure, usageFailure } from '../../../../base/failure/failure.ts';
import { stateFolder } from '../../../../base/files/folders.ts';
import { libraryFolder } from '../../../../base/self/self.ts';
import { moveFile } from '../../../../base/system/system.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { defineCommand } from '../../../console/console.ts';
import { line, recordOf } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Make perp importable from a folder',
  description:
    'Links node_modules/perp in the folder to this installation, so that programs in it and below, editors and TypeScript find perp/client, perp/sim and perp/strategy. It needs no npm and no network. In a project with a package.json, run npm install perp instead: npm removes links that it does not know.',
  args: [{ name: 'folder', kind: 'file', optional: true, summary: 'the folder (default: the current one)' }],
  examples: [
    ['perp sdk link', 'then node bot.mjs, which imports perp/client'],
    ['perp sdk link ~/bots', 'for all programs below ~/bots'],
  ],
  changesMore: true,
  ignoresProfile: true,
  async run(console, input) {
    const folder = resolve(input.folder ?? '.');
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw usageFailure(`There is no folder ${quoted(folder)}.`, 'Make it first, or name another one.');
    const target = libraryFolder(stateFolder(console.variables));
    const link = join(folder, 'node_modules', 'perp');
    const before = found(link);
    if (before === 'other')
      throw new Failure({
        code: 'exists',
        message: `${link} is an installed package, and programs in ${folder} import it.`,
        hint: 'To import this perp instead, remove the package first: npm uninstall perp',
      });
    const isNew = before !== realpathSync(target);
    const { dryRun } = console.settings;
    if (isNew && !dryRun) put(link, target);
    const said = dryRun && isNew ? 'would lead' : isNew ? 'leads' : 'already leads';
    return recordOf({ link, target, changed: isNew }, () => [line(`${link} ${said} to ${target}.`)]);
  },
});

/** The target of a link, or the kind of other file; a broken link is treated as none. */
function found(link: string): string | 'other' | undefined {
  try {
    const entry = lstatSync(link, { throwIfNoEntry: false });
    if (entry === undefined) return undefined;
    if (!entry.isSymbolicLink()) return 'other';
    return statSync(link, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(link);
  } catch (error) {
    throw notMade(link, error as Error);
  }
}

/** Replaces a link atomically: programs that start in the meantime find the old one or the new one. */
function put(link: string, target: string): void {
  const draft = `${link}-${process.pid}`;
  try {
    if (!existsSync(dirname(link))) mkdirSync(dirname(link));
    // A link to a folder needs no privilege on Windows if it is a junction.
    symlinkSync(target, draft, 'junction');
    moveFile(draft, link);
  } catch (error) {
    rmSync(draft, { force: true });
    throw notMade(link, error as Error);
  }
}

function notMade(link: string, { message }: Error): Failure {
  return new Failure({
    code: 'not_written',
    message: `${link} can't be created: ${message}.`,
    hint: "Name a folder that you can write to, in or above the programs' folder.",
  });
}

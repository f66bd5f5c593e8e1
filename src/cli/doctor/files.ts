import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context } from '../context/context.ts';
import { readSessionFile, sessionFile } from '../credentials/session-file.ts';
import { configFolder, stateFolder } from '../files/folders.ts';
import { configFile, readConfig } from '../settings/config-file.ts';
import { counted } from '../text/format.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The config file says what perp understands, and nobody else can say where credentials are sent. */
export function checkConfig({ variables }: Context): Finding {
  const file = configFile(variables);
  const settings = Object.keys(readConfig(variables)).length;
  const status = statusOf(file);
  if (status === undefined) return ok('config', `${file} is not there: defaults hold`);
  if (isForeign(status))
    return fail(
      'config',
      `${file} belongs to somebody else, who can redirect you.`,
      'Set PERP_CONFIG_DIR to a folder of your own.',
    );
  if (isOpenTo(status, 0o022))
    return fail('config', `Others on this machine can write ${file}, and with it redirect you.`, `chmod 600 ${file}`);
  if (isOpenTo(status, 0o044)) return warn('config', `Others on this machine can read ${file}.`, `chmod 600 ${file}`);
  return ok('config', `${file}, ${counted(settings, 'setting')}`);
}

/** The folders are this person's alone, and can be written. */
export function checkFolders({ variables }: Context): Finding[] {
  return [
    checkFolder('config folder', configFolder(variables), 0o022, 'PERP_CONFIG_DIR'),
    checkFolder('state folder', stateFolder(variables), 0o077, 'PERP_STATE_DIR'),
  ];
}

function checkFolder(check: string, folder: string, refused: number, variable: string): Finding {
  const other = `Set ${variable} to a folder of your own.`;
  const status = statusOf(folder);
  if (status !== undefined && !status.isDirectory()) return fail(check, `${folder} is not a folder.`, other);
  const place = status === undefined ? nearestThere(folder) : folder;
  if (!isWritable(place)) return fail(check, `${place} cannot be written.`, `chmod u+rwx ${place}, or: ${other}`);
  if (status === undefined) return ok(check, `${folder} is made when it is needed`);
  const others = `Others on this machine can ${isOpenTo(status, 0o022) ? 'write' : 'look'} into ${folder}.`;
  return isOpenTo(status, refused) ? warn(check, others, `chmod 700 ${folder}`) : ok(check, folder);
}

/** A login kept in a file can be trusted to be this person's own. */
export function checkLoginFile({ variables }: Context): Finding[] {
  const file = sessionFile(variables);
  if (statusOf(file) === undefined) return [];
  // Refuses a file that cannot be trusted, whichever host it is asked for.
  readSessionFile(variables, '');
  return [ok('login file', `${file} keeps a login, readable by you alone and not encrypted`)];
}

/** Root is trusted: it can do anything anyway. */
function isForeign({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

function isOpenTo({ mode }: Stats, bits: number): boolean {
  return process.platform !== 'win32' && (mode & bits) !== 0;
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The first of the folders above that is there. */
function nearestThere(path: string): string {
  const parent = dirname(path);
  return parent === path || statusOf(parent) !== undefined ? parent : nearestThere(parent);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

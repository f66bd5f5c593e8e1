import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSessionFile, sessionFile } from '../../desk/credentials/session-file.ts';
import { configFolder, stateFolder } from '../../ground/files/folders.ts';
import { counted } from '../../ground/text/format.ts';
import type { Console } from '../console/console.ts';
import { configFile, readConfig } from '../settings/config-file.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The config file is valid, and no other user can change where credentials are sent. */
export function checkConfig({ variables }: Console): Finding {
  const file = configFile(variables);
  const settings = Object.keys(readConfig(variables)).length;
  const status = statusOf(file);
  if (status === undefined) return ok('config', `${file} does not exist; using defaults`);
  if (isForeign(status))
    return fail(
      'config',
      `${file} belongs to another user, who could redirect your credentials.`,
      'Set PERP_CONFIG_DIR to a folder that you own.',
    );
  if (isOpenTo(status, 0o022))
    return fail('config', `Other users can write to ${file} and so redirect your credentials.`, `chmod 600 ${file}`);
  if (isOpenTo(status, 0o044)) return warn('config', `Other users can read ${file}.`, `chmod 600 ${file}`);
  return ok('config', `${file}, ${counted(settings, 'setting')}`);
}

/** The folders are private to this user and writable. */
export function checkFolders({ variables }: Console): Finding[] {
  return [
    checkFolder('config folder', configFolder(variables), 0o022, 'PERP_CONFIG_DIR'),
    checkFolder('state folder', stateFolder(variables), 0o077, 'PERP_STATE_DIR'),
  ];
}

function checkFolder(check: string, folder: string, refused: number, variable: string): Finding {
  const other = `Set ${variable} to a folder that you own.`;
  const status = statusOf(folder);
  if (status !== undefined && !status.isDirectory()) return fail(check, `${folder} is not a folder.`, other);
  const place = status === undefined ? nearestThere(folder) : folder;
  if (!isWritable(place)) return fail(check, `${place} is not writable.`, `chmod u+rwx ${place}, or: ${other}`);
  if (status === undefined) return ok(check, `${folder} will be created when needed`);
  const others = `Other users can ${isOpenTo(status, 0o022) ? 'write to' : 'read'} ${folder}.`;
  return isOpenTo(status, refused) ? warn(check, others, `chmod 700 ${folder}`) : ok(check, folder);
}

/** A login stored in a file can be trusted. */
export function checkLoginFile({ variables }: Console): Finding[] {
  const file = sessionFile(variables);
  if (statusOf(file) === undefined) return [];
  // Throws for a file that can't be trusted, whatever the host.
  readSessionFile(variables, '');
  return [ok('login file', `${file} stores a login, readable only by you and not encrypted`)];
}

/** Root is trusted, because it can do anything anyway. */
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

/** The closest parent folder that exists. */
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

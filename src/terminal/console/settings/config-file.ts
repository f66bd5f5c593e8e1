import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import { configFolder, type Variables } from '../../../base/files/folders.ts';
import { type ReadFile, readRegularFile } from '../../../base/files/private-files.ts';
import { changeFile } from '../../../base/files/shared-file.ts';
import { parsedJson } from '../../../base/terms/json-object.ts';
import {
  type ConfigKeyName,
  type ConfigValues,
  configKeys,
  configValue,
  isAddressKey,
  knownConfigKey,
  profilePart,
} from './config-keys.ts';

/** Configs read from a file that other users could have written: why, and how to fix it. */
const distrusted = new WeakMap<object, { why: string; wayOut: string }>();

/** Records whether the file of a config can be trusted, by owner and mode. Root is trusted. */
function checkTrust(config: object, { mode, uid }: Stats, file: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0) {
    const wayOut = 'Set PERP_CONFIG_DIR to a folder that you own, or give the address in PERP_BASE_URL.';
    distrusted.set(config, { why: `${file} belongs to another user`, wayOut });
  } else if ((mode & 0o002) !== 0) {
    const wayOut = `Check its content, then run: chmod 600 ${file}`;
    distrusted.set(config, { why: `Other users can write to ${file}`, wayOut });
  }
}

/**
 * An address from the config, to which credentials are sent or where a login is approved. Throws a Failure if another
 * user could have written the file.
 */
export function configAddress<Key extends string>(
  config: { readonly [key in Key]?: string | number },
  key: Key,
): string | undefined {
  const address = config[key];
  const doubt = distrusted.get(config);
  if (address === undefined) return undefined;
  if (doubt === undefined) return String(address);
  const message = `${doubt.why}, so its ${key} is not used, because credentials are sent there.`;
  throw new Failure({ code: 'config_exposed', message, hint: doubt.wayOut });
}

/** Path of the config file: one flat JSON object of {@link configKeys}. */
export function configFile(variables: Variables): string {
  return join(configFolder(variables), 'config.json');
}

/** A longer file is not a config file. */
const maxBytes = 1 << 20;

/** Reads and checks the config file; a missing one is empty. */
export function readConfig(variables: Variables): ConfigValues {
  const file = configFile(variables);
  let read: ReadFile;
  try {
    read = readRegularFile(file, maxBytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw cannot('read', file, error);
  }
  const config = checked(parsed(read.text, file), file);
  checkTrust(config, read.status, file);
  return config;
}

/** Changes to the config file; null removes a key. */
export type ConfigChanges = { readonly [Key in ConfigKeyName]?: string | number | null };

/** Sets and removes keys, all of them or none. The file is replaced atomically and readable only by its owner. */
export function writeConfig(variables: Variables, changes: ConfigChanges): void {
  const file = configFile(variables);
  try {
    changeFile({ file, followsLinks: true }, (write) => {
      write(`${JSON.stringify(changed(readConfig(variables), changes), null, 2)}\n`);
    });
  } catch (error) {
    throw error instanceof Failure ? error : cannot('write', file, error);
  }
}

function changed(config: ConfigValues, changes: ConfigChanges): ConfigValues {
  const next: ConfigValues = {};
  for (const key of new Set([...Object.keys(config), ...Object.keys(changes)]) as Set<ConfigKeyName>) {
    // The new file will be trusted, so it must not inherit addresses from an untrusted one.
    const value =
      changes[key] !== undefined ? changes[key] : isAddressKey(key) ? configAddress(config, key) : config[key];
    if (value !== null && value !== undefined) next[key] = value;
  }
  return next;
}

function parsed(text: string, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parsedJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw usageFailure(`The config file ${file} is not JSON: ${(error as Error).message}`, 'Fix or remove it.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageFailure(`The config file ${file} is not a JSON object.`, 'Fix or remove it.');
  }
  return value as Record<string, unknown>;
}

function checked(values: Record<string, unknown>, file: string): ConfigValues {
  const config: ConfigValues = {};
  for (const [key, value] of Object.entries(values)) {
    try {
      config[knownConfigKey(key)] = configValue(knownConfigKey(key), settingText(key, value));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // No command can list the keys here, because each reads this file first.
      const near = error.facts.hint?.startsWith('Did you mean') === true ? `${error.facts.hint} ` : '';
      const hint = `${near}Fix or remove it in the file; valid keys: ${Object.keys(configKeys).join(', ')}.`;
      throw usageFailure(`In the config file ${file}: ${error.message}`, hint);
    }
  }
  for (const key of Object.keys(config)) {
    const profile = profilePart(key)?.profile;
    if (profile !== undefined && config[`profiles.${profile}.env`] === undefined)
      throw usageFailure(
        `In the config file ${file}: the profile ${profile} has no profiles.${profile}.env.`,
        'Add it to the file: live, sandbox or sim.',
      );
  }
  return config;
}

function settingText(key: string, value: unknown): string {
  if (typeof value === 'string' || Number.isFinite(value)) return String(value);
  throw usageFailure(`${key} must be text or a number.`);
}

function cannot(verb: string, file: string, error: unknown): Failure {
  const message = `Can't ${verb} the config file: ${(error as Error).message}`;
  const hint = `Check ${file}, or set PERP_CONFIG_DIR to a folder that you own.`;
  return new Failure({ code: 'config', message, hint }, { cause: error });
}

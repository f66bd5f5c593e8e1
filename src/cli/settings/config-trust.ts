import type { Stats } from 'node:fs';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';

/** Configs read from a file that other users could have written: why, and how to fix it. */
const distrusted = new WeakMap<object, { why: string; wayOut: string }>();

/** Records whether the file of a config can be trusted, by owner and mode. Root is trusted. */
export function checkTrust(config: object, { mode, uid }: Stats, file: string): void {
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
  throw new Failure({ exit: exitCodes.notAllowed, code: 'config', message, hint: doubt.wayOut });
}

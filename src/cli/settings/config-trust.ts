import type { Stats } from 'node:fs';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';

/** Configs read from a file that somebody else could have written: why, and how to fix it. */
const distrusted = new WeakMap<object, { why: string; wayOut: string }>();

/** Remembers whether the file that a config was read from can be trusted, by owner and mode. Root is trusted. */
export function checkTrust(config: object, { mode, uid }: Stats, file: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0) {
    const wayOut = 'Set PERP_CONFIG_DIR to a folder of your own, or give the address in PERP_BASE_URL.';
    distrusted.set(config, { why: `${file} belongs to somebody else`, wayOut });
  } else if ((mode & 0o002) !== 0) {
    const wayOut = `Look at what it says, then: chmod 600 ${file}`;
    distrusted.set(config, { why: `Everybody on this machine can write to ${file}`, wayOut });
  }
}

/**
 * An address from the config: where credentials are sent, or where a login is approved. Throws a Failure when somebody
 * else on this machine could have written the file.
 */
export function configAddress<Key extends string>(
  config: { readonly [key in Key]?: string | number },
  key: Key,
): string | undefined {
  const address = config[key];
  const doubt = distrusted.get(config);
  if (address === undefined) return undefined;
  if (doubt === undefined) return String(address);
  const message = `${doubt.why}, so its ${key} is not used: it says where credentials go.`;
  throw new Failure({ exit: exitCodes.notAllowed, code: 'config', message, hint: doubt.wayOut });
}

import { statSync } from 'node:fs';
import { stateFolder, type Variables, variable } from '../../../base/files/folders.ts';
import { quoted } from '../../../base/text/plain-text.ts';

/** What a user has to know of this machine before any result: sentences, mostly none. */
export function surroundings(variables: Variables): string[] {
  return [openFolder(stateFolder(variables)), unknownZone(variables)].filter((text) => text !== undefined);
}

/** A state folder whose content another user can exchange: simulations, kept writes, mandates. */
function openFolder(folder: string): string | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  try {
    const { uid, mode } = statSync(folder);
    if (uid !== own && uid !== 0)
      return `${folder} belongs to another user, who can change what perp keeps there. Set PERP_STATE_DIR to a folder that you own.`;
    return (mode & 0o022) === 0
      ? undefined
      : `Other users can write to ${folder}, and so change what perp keeps there: chmod 700 ${folder}`;
  } catch {
    // It is not there yet.
    return undefined;
  }
}

/** A time zone by its rules, as POSIX writes it, is unknown here, and times are in UTC then. */
function unknownZone(variables: Variables): string | undefined {
  const zone = variable(variables, 'TZ')?.replace(/^:/, '');
  // Names such as Europe/Berlin have no digits but in Etc/GMT+3 and EST5EDT, which are known.
  if (zone === undefined || !/[\d,<]/.test(zone)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return `TZ is ${quoted(zone)}, which perp does not know: times are in UTC. Name the place, as in TZ=Europe/Berlin.`;
  }
}

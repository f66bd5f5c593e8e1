import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formerPlacesOf, placeOf, stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
import { isAlive } from './intent-files.ts';
import type { Destination } from './note.ts';

/** A side of a simulation that is being served, by its service file. */
interface Side {
  readonly place: string;
  readonly address: string;
}

const ending = '.service.json';

/**
 * The names of the place of a destination. The first one names stored files: the simulation itself, however it is
 * reached, with the side of its port; otherwise the address; otherwise the environment. A process that excludes others
 * holds them all.
 */
export function placesOf(
  variables: Variables,
  { environment, baseUrl, state }: Destination,
): readonly [place: string, ...others: string[]] {
  if (baseUrl !== undefined) {
    const address = placeOf(baseUrl);
    const sides = address.includes('//127.0.0.1') ? servedSides(variables) : [];
    const own = sides.filter((side) => side.address === address).map(({ place }) => place);
    return [...own, address, ...formerPlacesOf(baseUrl)] as [string, ...string[]];
  }
  if (state === undefined) return [environment];
  const place = `sim ${state} live`;
  const sides = sidesIn(join(stateFolder(variables), state + ending));
  return [place, ...sides.filter((side) => side.place === place).map(({ address }) => address)];
}

function servedSides(variables: Variables): Side[] {
  const folder = stateFolder(variables);
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(ending));
    return files.flatMap((name) => sidesIn(join(folder, name)));
  } catch {
    return [];
  }
}

/** A file that a killed service left proves nothing: its port may be someone else's. */
function sidesIn(file: string): Side[] {
  let service: Record<string, unknown>;
  try {
    service = jsonObjectIn(readRegularFile(file, 1 << 16).text) ?? {};
  } catch {
    return [];
  }
  const { state, pid, baseUrl, sandboxUrl } = service;
  if (typeof pid !== 'number' || !isAlive(pid)) return [];
  const sides = [
    ['live', baseUrl],
    ['test', sandboxUrl],
  ] as const;
  return sides.flatMap(([side, address]) =>
    typeof address === 'string' && URL.canParse(address)
      ? [{ place: `sim ${state} ${side}`, address: placeOf(address) }]
      : [],
  );
}

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formerPlacesOf, placeOf, stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile, renameFormer, writePrivateFile } from '../../base/files/private-files.ts';
import type { SimulationFill } from '../../wire/contract/simulation-history.ts';

/** The known part of one of a host's lists, newest first, in stretches; items are missing between two stretches. */
export interface Stretch<Item> {
  items: Item[];
  /** Cursor of the page after its last item; undefined if the list ends there. */
  cursor?: string | undefined;
}

/** The part of a closed position that fills do not contain. */
export interface ClosedPosition {
  id: string;
  market_id: string;
  side: 'long' | 'short';
  opened_at: number;
  closed_at: number;
  /** Null if the host does not report them. */
  fees: number | null;
  funding: number | null;
}

/** A local copy of a host's data about an account. */
export interface FillCopy {
  fills: Stretch<SimulationFill>[];
  positions: Stretch<ClosedPosition>[];
}

/** The account that a copy is of. */
export interface CopyOf {
  readonly environment: string;
  readonly baseUrl: string;
  readonly accountId: string;
}

/** In format 1, fees and carry that were not reported were 0. */
const format = 2;

/** The file of an account's copy: private, one per host and account. */
export function copyFile(variables: Variables, { environment, baseUrl, accountId }: CopyOf): string {
  const fileAt = (where: string) =>
    join(
      stateFolder(variables),
      'history',
      `${sha256(JSON.stringify([environment, where, accountId])).slice(0, 32)}.json`,
    );
  const file = fileAt(placeOf(baseUrl));
  for (const former of formerPlacesOf(baseUrl)) renameFormer(fileAt(former), file);
  return file;
}

/**
 * The copy in a file; empty if there is none. A damaged copy is deleted and reported, because everything in it can be
 * read again.
 */
export function readCopy(file: string, damaged: () => void): FillCopy {
  try {
    const { text } = readRegularFile(file);
    const end = text.indexOf('\n');
    const head = JSON.parse(text.slice(0, end));
    const body = text.slice(end + 1);
    const isWhole = head.sha256 === sha256(body);
    if (isWhole && head.format === format) return JSON.parse(body);
    if (isWhole && head.format === 1) return { fills: [], positions: [] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { fills: [], positions: [] };
  }
  rmSync(file, { force: true });
  damaged();
  return { fills: [], positions: [] };
}

/** Replaces a copy: writes a checksum, then the lists. */
export function writeCopy(file: string, copy: FillCopy): void {
  const body = JSON.stringify(copy);
  writePrivateFile(file, `${JSON.stringify({ format, sha256: sha256(body) })}\n${body}`, 'quick');
}

/**
 * Brings the stretches of a list up to date: reads pages from the newest item to the first known one, then continues
 * where an earlier read was interrupted. The stretches are consistent after each page, so reading may stop anywhere.
 */
export async function extend<Item>(
  stretches: Stretch<Item>[],
  idOf: (item: Item) => string,
  fetchPage: (cursor: string | undefined) => Promise<{ items: Item[]; cursor: string | undefined }>,
): Promise<void> {
  const first: Stretch<Item> = { items: [] };
  let isBegun = false;
  for (;;) {
    const page = await fetchPage(first.cursor);
    const known = stretches[isBegun ? 1 : 0];
    const knownId = known?.items[0] === undefined ? undefined : idOf(known.items[0]);
    const meets = page.items.findIndex((item) => idOf(item) === knownId);
    first.items.push(...(meets < 0 ? page.items : page.items.slice(0, meets)));
    first.cursor = page.cursor;
    if (!isBegun) stretches.unshift(first);
    isBegun = true;
    if (meets >= 0) {
      for (const item of known!.items) first.items.push(item);
      first.cursor = known!.cursor;
      stretches.splice(1, 1);
    }
    if (first.cursor === undefined) {
      stretches.length = 1;
      return;
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

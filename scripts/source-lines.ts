/**
 * Turns places in the bundle into places in the sources: for the report of a user, whose package has no source maps.
 * Build the version that the user has, then give it the report.
 *
 *   git checkout v0.1.0 && npm ci && node scripts/source-lines.ts < report.txt
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceStack } from '../src/base/failure/report.ts';

const bundle = pathToFileURL(join(import.meta.dirname, '../dist')).href;
for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const [, place] = /\b(dist\/[\w/.-]+:\d+:\d+)/.exec(line) ?? [];
  const stack = `    at (${bundle}${place?.slice('dist'.length)})`;
  const found = place === undefined ? undefined : /\((.*)\)/.exec(sourceStack({ name: '', message: '', stack }))?.[1];
  console.log(found === undefined ? line : line.replace(place!, found));
}

import { readFileSync } from 'node:fs';

/**
 * The chart library of the report's page, as one script. The build replaces this file by one with its text. It is a
 * separate file because the bundle has the text in place of it (scripts/bundled-source.ts).
 */
export function chartLibrary(): string {
  const library = import.meta.resolve('lightweight-charts');
  return readFileSync(new URL('lightweight-charts.standalone.production.js', library), 'utf8');
}

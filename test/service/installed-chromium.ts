import { existsSync } from 'node:fs';

/** Chromium on this machine; undefined if there is none. */
export const chromiumPath = [
  process.env.PERP_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path));

/** Why browser tests are skipped; false if they are not. */
export const noChromium = chromiumPath === undefined && 'needs Chromium (PERP_CHROMIUM)';

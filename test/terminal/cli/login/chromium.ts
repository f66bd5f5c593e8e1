import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** The system's Chromium; undefined if there is none. */
const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout?.trim())
  .find((path) => path !== undefined && path !== '');

/** Why browser tests can't run on this machine; false if they can. */
export const noChromium: string | false = executable === undefined && 'not installed: chromium';

/** A headless browser; Chromium has no sandbox when run as root. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executable!, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/**
 * Another web site, which serves a given page. It is on this machine too, so that the browser has no other reason to
 * refuse it.
 */
export async function hostileSite(t: Context, html: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

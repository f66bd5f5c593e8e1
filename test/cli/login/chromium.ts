import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** Chromium as the system has it; undefined where it has none. */
const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout?.trim())
  .find((path) => path !== undefined && path !== '');

/** Why the tests with a browser cannot run on this machine; false when they can. */
export const noChromium: string | false = executable === undefined && 'not installed: chromium';

/** A headless browser; as root it has no sandbox to run in. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executable!, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** Somebody else's web site: the page that it serves, on this machine too, so that the browser holds no other grudge. */
export async function hostileSite(t: Context, html: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

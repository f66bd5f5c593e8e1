import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { isPart, startOf } from '../../../base/self/self.ts';
import type { Page } from './outside.ts';

/** Hands the address of a server over to a process that outlives this one and answers every request with a page. */
export async function leavePage(server: Server, page: Page): Promise<void> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  // It gets no variables: they may hold credentials.
  const [program, ...words] = startOf('left-page').words;
  const child = spawn(program, words, { detached: true, stdio: [...stdio], env: {}, cwd: '/' });
  await new Promise<void>((resolve) => {
    // Without it, the browser finds nothing, as with any other end.
    child.once('error', () => resolve());
    child.send(page, server, {}, () => resolve());
  });
  if (child.connected) child.disconnect();
  child.unref();
}

/** How long the page remains for a browser that reloads it, ms. */
const forMs = 60_000;

function show({ status, headers, html }: Page, socket: Server): void {
  const options = { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 16384 };
  const server = createServer(options, (request, response) => {
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : html);
  });
  server.listen(socket);
  process.disconnect();
}

if (isPart('left-page')) {
  process.once('message', (page: Page, socket) => show(page, socket as Server));
  setTimeout(() => process.exit(), forMs);
}

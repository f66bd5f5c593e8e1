import { spawn } from 'node:child_process';
import type { Server } from 'node:http';
import type { Page } from './outside.ts';

/** How long the page is there for a browser that loads it again, ms. */
const forMs = 60_000;

const program = `
process.once('message', ({ status, headers, html }, socket) => {
  const options = { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 16384 };
  const server = require('node:http').createServer(options, (request, response) => {
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : html);
  });
  server.listen(socket);
  process.disconnect();
});
setTimeout(() => process.exit(), ${forMs});
`;

/** Hands the address of a server over to a process that outlives this one and answers everything with a page. */
export async function leavePage(server: Server, page: Page): Promise<void> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  // It gets no variables: they may hold credentials.
  const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: [...stdio], env: {}, cwd: '/' });
  await new Promise<void>((resolve) => {
    // Without it, the browser finds nothing, as after any other end.
    child.once('error', () => resolve());
    child.send(page, server, {}, () => resolve());
  });
  if (child.connected) child.disconnect();
  child.unref();
}

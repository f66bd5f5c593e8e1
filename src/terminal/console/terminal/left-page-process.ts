import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { isPart } from '../../../base/self/self.ts';
import type { Page } from './outside.ts';

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

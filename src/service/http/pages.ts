import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostUrls } from '../operations.ts';
import type { RateLimit } from '../rate-limit.ts';
import { newRequestId } from '../request-id.ts';
import type { Simulation } from '../simulation.ts';
import type { PageHandler } from './server.ts';

/**
 * Pages that the hosts serve besides the API: its OpenAPI document and, on live, the page that approves a command-line
 * login. The page has its own rate limit, so that guessing there does not lock out commands.
 */
export function pages(simulation: Simulation, urls: HostUrls, rateLimit: RateLimit | null): PageHandler {
  let approval: Promise<import('./approval.ts').ApprovalPages> | null = null;
  return (request, response, host) => {
    const path = (request.url ?? '').split('?', 1)[0];
    if (path === '/openapi.json' && isRead(request)) return sendDescription(numbered(response), urls);
    if (path === '/cli/authorize' && host.environment === 'live') {
      approval ??= import('./approval.ts').then(({ ApprovalPages }) => new ApprovalPages(simulation, rateLimit));
      return approval.then((pages) => pages.handle(request, numbered(response)));
    }
    return null;
  };
}

/** With its own request id, as every response has (API 1). */
function numbered(response: ServerResponse): ServerResponse {
  return response.setHeader('x-request-id', newRequestId());
}

async function sendDescription(response: ServerResponse, urls: HostUrls): Promise<void> {
  const { openApiDocument } = await import('../../contract/openapi.ts');
  const text = JSON.stringify(openApiDocument({ baseUrl: urls.live, sandboxUrl: urls.test }));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

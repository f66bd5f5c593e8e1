import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** No operation accepts more. */
const maxBodyBytes = 256 * 1024;

/** A body as received: text, or why there is none; `aborted` needs no answer. */
export type Body = { text: string } | { problem: 'too_large' | 'not_utf8' | 'aborted' };

const none: Body = { text: '' };

/** Reads a request's whole body, but keeps no more of it than any operation accepts. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return none;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else resolve({ problem: 'too_large' });
    });
    request.on('end', () => {
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      resolve(isUtf8(whole) ? { text: whole.toString('utf8') } : { problem: 'not_utf8' });
    });
    request.on('close', () => resolve({ problem: 'aborted' }));
  });
}

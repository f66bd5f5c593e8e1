import { once } from 'node:events';
import net from 'node:net';

/** A server without an HTTP library: the test writes every byte of the answer. */
export interface RawServer {
  url: string;
  port: number;
  /** Every complete request that arrived, as text. */
  requests: string[];
  connections(): number;
  close(): Promise<void>;
}

/** Calls `answer` for each complete request, with the socket to answer on and the number of the request, from 0. */
export async function rawServer(
  answer: (socket: net.Socket, index: number, request: string) => void,
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let buffered = '';
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      for (let end = requestEnd(buffered); end !== undefined; end = requestEnd(buffered)) {
        const request = buffered.slice(0, end);
        buffered = buffered.slice(end);
        requests.push(request);
        answer(socket, requests.length - 1, request);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The end of the first request in the text, if it is complete. */
function requestEnd(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length >= end ? end : undefined;
}

/** An HTTP answer as text. */
export function httpAnswer(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`;
}

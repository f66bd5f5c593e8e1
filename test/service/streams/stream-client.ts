import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape.
export type Frame = any;

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** An independent WebSocket client that keeps every frame it receives. */
export class StreamClient {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  /** Code and reason, once it is closed. */
  closed: { code: number; reason: string } | null = null;
  #nextId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.frames.push(JSON.parse(String(data))));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    socket.on('error', () => {});
  }

  static async open(
    t: Context,
    url: string,
    options: { headers?: Record<string, string> } = {},
  ): Promise<StreamClient> {
    const client = new StreamClient(new WebSocket(url.replace(/^http/, 'ws'), options));
    t.after(() => client.socket.terminate());
    await once(client.socket, 'open');
    return client;
  }

  /** The market-data stream of a host. */
  static market(t: Context, baseUrl: string): Promise<StreamClient> {
    return StreamClient.open(t, `${baseUrl}/v1/market-data`);
  }

  /** The account stream of a host's live accounts. */
  static account(t: Context, baseUrl: string, key: string, query = ''): Promise<StreamClient> {
    return StreamClient.open(t, `${baseUrl}/v1/stream${query}`, { headers: { authorization: `Bearer ${key}` } });
  }

  send(frame: Frame): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Subscribes and waits until the subscription is live; returns everything received for it so far. */
  async subscribe(channel: string, payload: Frame): Promise<{ id: number; sub: string; events: Frame[] }> {
    this.#nextId += 1;
    const id = this.#nextId;
    this.send({ op: 'sub', id, channel, payload });
    const accepted = await this.until((frame) => frame.id === id);
    if (accepted.op !== 'sub_ok') throw new Error(JSON.stringify(accepted));
    if (accepted.snapshotBoundary) await this.until((frame) => frame.op === 'snapshot_end' && frame.id === id);
    else await this.request('ping');
    return { id, sub: accepted.sub, events: this.eventsOf(accepted.sub) };
  }

  /** The answer to a request, `res` or `err`. */
  request(method: string, payload?: Frame): Promise<Frame> {
    this.#nextId += 1;
    const id = this.#nextId;
    this.send({ op: 'req', id, method, ...(payload !== undefined && { payload }) });
    return this.until((frame) => frame.id === id);
  }

  /** Every event that came for a subscription. */
  eventsOf(sub: string): Frame[] {
    return this.frames.filter((frame) => frame.op === 'events' && frame.sub === sub).flatMap(({ events }) => events);
  }

  /** The first matching frame, past or future. */
  async until(isIt: (frame: Frame) => boolean, what = 'a frame'): Promise<Frame> {
    await waitFor(() => this.frames.some(isIt) || this.closed !== null, what);
    const found = this.frames.find(isIt);
    if (found === undefined) throw new Error(`${what} did not arrive: ${JSON.stringify(this.closed)}`);
    return found;
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    await waitFor(() => this.closed !== null, 'the close');
    return this.closed!;
  }
}

/** Waits for a condition. */
export async function waitFor(isIt: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !isIt(); waited += 5) {
    if (waited > 60_000) throw new Error(`waited for ${what}`);
    await delay(5);
  }
}

/** Status and body of an upgrade that is refused. */
export async function refusedUpgrade(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Frame; headers: Frame }> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text), headers: response.headers };
}

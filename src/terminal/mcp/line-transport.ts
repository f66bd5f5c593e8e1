import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../base/terms/json-object.ts';
import { linesOf } from '../../base/text/lines.ts';
import { parseJson } from '../../wire/contract/json.ts';

/** The codes of JSON-RPC 2.0 for a message that can't be read. */
const codes = { parse: -32_700, request: -32_600 } as const;

/**
 * JSON-RPC messages as lines. A line that can't be read is answered with an error, and the next one is read. After the
 * last line, `settled` is awaited before the connection closes: what was asked is answered.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves once the connection is closed. */
  readonly closed: Promise<void>;
  readonly #input: AsyncIterable<Uint8Array>;
  readonly #write: (line: string) => void;
  readonly #settled: () => Promise<void>;
  readonly #end: () => void;
  /** Requests that are not answered yet. */
  readonly #open = new Set<string | number>();
  #hasAnswered: (() => void) | undefined;
  #isClosed = false;

  constructor(input: AsyncIterable<Uint8Array>, write: (line: string) => void, settled: () => Promise<void>) {
    this.#input = input;
    this.#write = write;
    this.#settled = settled;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#end = resolve;
  }

  async start(): Promise<void> {
    this.#read().catch((error: Error) => this.onerror?.(error));
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(this.#input)) {
        if (this.#isClosed) return;
        if ('problem' in line) this.#refuse(codes.parse, line.problem);
        else if (line.text.trim() !== '') this.#take(line.text);
      }
    } finally {
      await this.#settled();
      await this.#answered();
      await this.close();
    }
  }

  /** Resolves once every request is answered. A subscription lasts, and gets no answer before the end. */
  async #answered(): Promise<void> {
    while (this.#open.size > 0 && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#hasAnswered = resolve;
      await promise;
    }
  }

  #isOver(id: unknown): void {
    if (this.#open.delete(id as string)) this.#hasAnswered?.();
  }

  #deliver(message: JSONRPCMessage): void {
    const { id, method, params } = message as {
      id?: string | number;
      method?: string;
      params?: { requestId?: unknown };
    };
    if (id !== undefined && method !== undefined && method !== 'subscriptions/listen') this.#open.add(id);
    if (method === 'notifications/cancelled') this.#isOver(params?.requestId);
    this.onmessage?.(message);
  }

  #take(text: string): void {
    const read = parseJson(text);
    const problem = read.ok ? problemOf(read.value) : undefined;
    if (!read.ok) this.#refuse(codes.parse, `The line is not JSON: ${read.issues[0]!.field} ${read.issues[0]!.issue}.`);
    else if (problem === undefined) this.#deliver(read.value as JSONRPCMessage);
    else this.#refuse(codes.request, problem, idOf(read.value));
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#write(`${JSON.stringify(message)}\n`);
    if (!('method' in message)) this.#isOver(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#hasAnswered?.();
    this.onclose?.();
    this.#end();
  }
}

/** The reason why a value isn't a JSON-RPC 2.0 message. */
function problemOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Batches are not part of this protocol: write one message a line.';
  if (!isJsonObject(value)) return 'A message is a JSON object.';
  const { jsonrpc, id, method, params, result, error } = value;
  if (jsonrpc !== '2.0') return 'A message has "jsonrpc": "2.0".';
  const isNumbered = typeof id === 'string' || Number.isSafeInteger(id);
  if (id !== undefined && !isNumbered) return 'An id is a string or an integer.';
  if (method === undefined)
    return isNumbered && (result ?? error) !== undefined ? undefined : 'A request has a method.';
  if (typeof method !== 'string') return 'A method is a string.';
  return params === undefined || isJsonObject(params) ? undefined : 'The params of a message are an object.';
}

function idOf(value: unknown): string | number | null {
  const { id } = isJsonObject(value) ? value : {};
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

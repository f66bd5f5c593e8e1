/** The parts of the protocol library that are used, so that types do not depend on what is installed. */
declare module '@modelcontextprotocol/server' {
  /** A message of JSON-RPC 2.0. */
  export interface JSONRPCMessage {
    readonly jsonrpc: '2.0';
    readonly id?: string | number;
    readonly method?: string;
    readonly params?: object;
  }

  /** What carries messages. */
  export interface Transport {
    onclose?: () => void;
    onerror?: (error: Error) => void;
    onmessage?: (message: JSONRPCMessage) => void;
    start(): Promise<void>;
    send(message: JSONRPCMessage): Promise<void>;
    close(): Promise<void>;
  }

  /** What a handler knows of its request. */
  export interface RequestContext {
    readonly mcpReq: { readonly signal: AbortSignal };
  }

  /** The requests that perp answers, with their parameters. */
  export interface Requests {
    'tools/list': object;
    'tools/call': { readonly name: string; readonly arguments?: Record<string, unknown> };
    'resources/list': object;
    'resources/templates/list': object;
    'resources/read': { readonly uri: string };
  }

  /** One end of a connection. */
  export class Server {
    constructor(
      info: { name: string; title: string; version: string },
      options: { capabilities: object; instructions: string },
    );
    setRequestHandler<Method extends keyof Requests>(
      method: Method,
      handler: (request: { readonly params: Requests[Method] }, context: RequestContext) => object | Promise<object>,
    ): void;
  }

  /** An error of the protocol, by its code. */
  export class ProtocolError extends Error {
    constructor(code: number, message: string);
  }

  /** The codes of such errors. */
  export const ProtocolErrorCode: { readonly InvalidParams: number };

  /** There is no such resource. */
  export class ResourceNotFoundError extends ProtocolError {
    constructor(uri: string);
  }
}

declare module '@modelcontextprotocol/server/stdio' {
  import type { Server, Transport } from '@modelcontextprotocol/server';

  /** Serves one connection, in the era of the protocol that its first message is of. */
  export function serveStdio(
    factory: () => Server,
    options: { transport: Transport; onerror: (error: Error) => void },
  ): { close(): Promise<void> };
}

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Desk, Run } from '../cli/practice.ts';

type Terminal = Parameters<Desk['perp']>[1];

/** A message of the protocol. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the tools answer.
export type Message = any;

/** What an agent's program sends first, in the older era of the protocol. */
export const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'a-client', version: '1' },
};

/** An agent's program, connected to `perp mcp` by lines of JSON-RPC. */
export class Agent implements AsyncDisposable {
  readonly input = new PassThrough();
  /** Every line on standard output. */
  readonly lines: string[] = [];
  readonly run: Promise<Run>;
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  #unfinished = '';
  #next = 1;

  constructor(desk: Desk, argv: readonly string[] = [], more: Terminal = {}) {
    const printed = (text: string) => this.#heard(text);
    this.run = desk.perp(['mcp', ...argv], { ...more, input: this.input, printed });
  }

  /** Connected as clients connect. */
  static async connected(...given: ConstructorParameters<typeof Agent>): Promise<Agent> {
    const agent = new Agent(...given);
    await agent.ask('initialize', hello);
    agent.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return agent;
  }

  #heard(text: string): void {
    const parts = (this.#unfinished + text).split('\n');
    this.#unfinished = parts.pop()!;
    for (const line of parts) {
      this.lines.push(line);
      const message = JSON.parse(line) as Message;
      this.#waiting.get(message.id)?.(message);
    }
  }

  /** Writes a message, or text that is none. */
  say(message: unknown): void {
    this.input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** The whole answer to a request. */
  async answer(method: string, params?: unknown, id: unknown = this.#next++): Promise<Message> {
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#waiting.set(id, resolve);
    this.say({ jsonrpc: '2.0', id, method, params });
    const ended = this.run.then(({ exit, err }) => assert.fail(`perp mcp ended with ${exit}: ${err}`));
    return Promise.race([promise, ended]);
  }

  /** The result of a request. */
  async ask(method: string, params?: unknown): Promise<Message> {
    const { result, error } = await this.answer(method, params);
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  }

  /** What a tool answers: its text, which its structured content repeats; `isError` is added. */
  async call(name: string, args: unknown = {}): Promise<Message> {
    const { structuredContent, isError, content } = await this.ask('tools/call', { name, arguments: args });
    const answer = JSON.parse(content[0].text);
    // Clients of the older protocol check structured content by the output schema, which is that of a success.
    if (isError === true) assert.equal(structuredContent, undefined, 'an error has no structured content');
    else assert.deepEqual(answer, structuredContent, 'the text is the same');
    return { ...answer, isError: isError === true };
  }

  /** Closes standard input and waits for the end. */
  async end(): Promise<Run> {
    this.input.end();
    return this.run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

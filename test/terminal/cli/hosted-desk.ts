import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realTiming } from '../../../src/base/sockets/timing.ts';
import { type InProcess, inProcessTransport } from '../../../src/service/public.ts';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import { clientSilenceMs, streamPaths, type TradeEvent } from '../../../src/wire/contract/streams.ts';
import type { OpenedStream, StreamEvents, Transport } from '../../../src/wire/contract/wire.ts';
import { beginning } from '../../seed.ts';
import { perpFromSource, type Run, type Terminal } from './practice.ts';

/**
 * A user's machine whose host is one simulation in this process, opened once for all commands. Each command runs the
 * code that it runs against any host, several times as fast as with a simulation of its own.
 */
export class HostedDesk implements Disposable {
  /** What a host's own tools may do. */
  readonly client: Client;
  readonly #folder: string;
  readonly #host: InProcess;
  readonly #pings: NodeJS.Timeout[] = [];
  /** Answers to requests for past candles, until time advances. */
  readonly #histories = new Map<string, string>();

  private constructor(folder: string, host: InProcess) {
    this.#folder = folder;
    this.#host = host;
    this.client = createClient({ transport: host.transport });
  }

  /** Its markets stand still until `advance`. */
  static async open(options: { seed: number; accounts: number; plan?: string }): Promise<HostedDesk> {
    const folder = mkdtempSync(join(tmpdir(), 'perp-hosted-'));
    const { startTime } = beginning;
    const host = await inProcessTransport({ stateDir: join(folder, 'host'), clock: 'manual', startTime, ...options });
    return new HostedDesk(folder, host);
  }

  async advance(duration_ms: number): Promise<void> {
    this.#histories.clear();
    await this.client.call('simAdvance', { body: { duration_ms } });
  }

  /** Runs a command line. Its host's books lack what the account of `--account` took, as a real host's books would. */
  perp(argv: readonly string[], terminal: Terminal = {}): Promise<Run> {
    const { transport } = this.#host;
    const account = argv[argv.indexOf('--account') + 1]!;
    const ownQuotes: Transport = (request, options) => {
      const isOwn = argv.includes('--account') && /^\/v1\/markets\/[^/]+\/quote/.test(request.target);
      const also = request.target.includes('?') ? '&' : '?';
      return transport(
        isOwn ? { ...request, target: `${request.target}${also}account_id=${account}` } : request,
        options,
      );
    };
    const stage = {
      timers: realTiming,
      http: () => Object.assign(ownQuotes, { close: async () => {} }),
      stream: () => (target: string, events: StreamEvents) => this.#open(target, events),
      run: async () => undefined,
    };
    const variables = {
      HOME: this.#folder,
      NO_COLOR: '1',
      PERP_CONFIG_DIR: join(this.#folder, 'config'),
      PERP_STATE_DIR: join(this.#folder, 'state'),
      PERP_ENV: 'sandbox',
      PERP_SANDBOX_URL: 'https://host.example',
      PERP_MARKET_STREAM_URL: 'wss://host.example',
      PERP_ACCOUNT_STREAM_URL: 'wss://host.example',
      PERP_API_KEY: 'perp_test_0123456789abcdef',
    };
    return perpFromSource(argv, {
      ...terminal,
      variables: { ...variables, ...terminal.variables },
      outside: { stage, ...terminal.outside },
    });
  }

  /** The JSON output of a command that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the commands print.
  async json(...argv: string[]): Promise<any> {
    const run = await this.perp([...argv, '--json']);
    if (run.exit !== 0) throw new Error(`perp ${argv.join(' ')} ended with ${run.exit}: ${run.err}`);
    return run.json;
  }

  /** The trades of a market from now on, as its stream sends them; they end with the host. */
  prints(coin: string): readonly TradeEvent[] {
    const all: TradeEvent[] = [];
    const stream = this.#host.stream(streamPaths.marketData, {
      opened: () => stream.send(JSON.stringify({ op: 'sub', id: 1, channel: 'trades', payload: { symbols: [coin] } })),
      text: (text) => {
        const frame: { events?: TradeEvent[] } = JSON.parse(text);
        all.push(...(frame.events ?? []));
      },
      closed: () => {},
    });
    // Whoever is silent for long is disconnected.
    this.#pings.push(setInterval(() => stream.send('{"op":"req","id":2,"method":"ping"}'), clientSilenceMs / 4));
    return all;
  }

  /** A stream of the host; what it has said about the past, it says again without computing it. */
  #open(target: string, events: StreamEvents): OpenedStream {
    const asked = new Map<number, string>();
    const opened = this.#host.stream(target, {
      ...events,
      text: (text) => {
        const id = Number(/^\{"op":"res","id":(\d+),/.exec(text)?.[1]);
        const request = asked.get(id);
        if (request !== undefined) this.#histories.set(request, text.slice(text.indexOf(',"result"')));
        events.text(text);
      },
    });
    return {
      close: () => opened.close(),
      send: (text) => {
        const { id, ...request } = JSON.parse(text);
        if (request.method !== 'candles.history') return opened.send(text);
        const key = JSON.stringify(request);
        const known = this.#histories.get(key);
        if (known !== undefined) return queueMicrotask(() => events.text(`{"op":"res","id":${id}${known}`));
        asked.set(id, key);
        opened.send(text);
      },
    };
  }

  [Symbol.dispose](): void {
    for (const ping of this.#pings) clearInterval(ping);
    this.#host.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

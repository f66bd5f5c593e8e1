import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { perpFromSource, type Run } from '../../../terminal/cli/practice.ts';
import { StagedHost } from './staged-host.ts';
import { VirtualTime } from './virtual-time.ts';

/** A wall clock at virtual time 0: noon in New York. */
const beginning = Date.UTC(2026, 5, 10, 16);

/** An alert as the program received it, with the virtual time. */
export interface Told {
  at: number;
  // biome-ignore lint/suspicious/noExplicitAny: alerts of every kind.
  alert: any;
}

/** A machine on which perp runs in virtual time, against a staged host. */
export class StagedDesk implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'perp-staged-'));
  readonly time: VirtualTime;
  readonly host: StagedHost;
  readonly told: Told[] = [];
  /** How far the machine's clock is set off, ms. */
  clockOff = 0;
  /** How long the alert program takes, ms. */
  alertMs = 5;

  constructor(seed: number) {
    this.time = new VirtualTime(seed);
    this.host = new StagedHost(this.time, beginning);
  }

  get state(): string {
    return join(this.folder, 'state');
  }

  /** Runs perp until it ends; time passes only in `time.during`. */
  perp(argv: readonly string[]): Promise<Run> {
    const { time, host } = this;
    const variables = {
      PERP_CONFIG_DIR: join(this.folder, 'config'),
      PERP_STATE_DIR: this.state,
      PERP_ENV: 'live',
      PERP_BASE_URL: 'https://host.example',
      PERP_MARKET_STREAM_URL: 'wss://host.example',
      PERP_ACCOUNT_STREAM_URL: 'wss://host.example',
      PERP_API_KEY: 'perp_live_0123456789abcdef',
    };
    const stage = {
      timers: time.timers,
      http: () => Object.assign(host.transport, { close: async () => {} }),
      stream: () => host.stream,
      run: async (_: readonly string[], input: string) => {
        this.told.push({ at: time.now, alert: JSON.parse(input) });
        await time.sleep(this.alertMs);
        return undefined;
      },
    };
    const outside = {
      stage,
      now: () => beginning + time.now + this.clockOff,
      sleep: (ms: number, signal: AbortSignal | undefined) => time.sleep(ms, signal),
    };
    return perpFromSource(argv, { variables, outside });
  }

  /** Sends the newest run a signal, as Ctrl-C or `kill` does. */
  signal(name: 'SIGTERM' | 'SIGINT'): void {
    process.listeners(name).at(-1)!(name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

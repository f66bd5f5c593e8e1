import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { streamPaths } from '../../../src/wire/contract/streams.ts';
import { Failure } from '../../../src/wire/hosting/failure.ts';
import { Origins } from '../../../src/wire/hosting/origins.ts';
import { ownNames } from '../../../src/wire/hosting/read-request.ts';
import { listen } from '../../../src/wire/hosting/server.ts';
import type { StreamConnection } from '../../../src/wire/hosting/stream-host.ts';
import { trial } from '../../tiers.ts';

/** A host that gets one frame of a client done in each turn of the event loop. */
class Slow implements StreamConnection {
  waiting = 0;
  most = 0;
  readonly done: number[] = [];
  readonly #frames: number[] = [];
  readonly #expected: number;
  readonly #all = Promise.withResolvers<void>();

  constructor(expected: number) {
    this.#expected = expected;
  }

  get all(): Promise<void> {
    return this.#all.promise;
  }

  receive(text: string): void {
    if (this.#frames.push(Number.parseInt(text, 10)) === 1) setImmediate(() => this.#next());
    this.waiting = this.#frames.length;
    this.most = Math.max(this.most, this.waiting);
  }

  pinged(): void {}

  end(): void {}

  #next(): void {
    this.done.push(this.#frames.shift()!);
    this.waiting = this.#frames.length;
    if (this.waiting > 0) setImmediate(() => this.#next());
    if (this.done.length === this.#expected) this.#all.resolve();
  }
}

trial('a client that sends faster than its frames get done has to wait: few are kept, and none is lost', async (t) => {
  const count = 4_000;
  const connection = new Slow(count);
  const host = await listen({
    answer: () => assert.fail('no request'),
    onError: assert.fail,
    environment: 'live',
    port: 0,
    page: () => null,
    streams: {
      isStopping: false,
      admit: async () => () => connection,
      failureOf: () => new Failure('internal', 'none'),
    },
    origins: new Origins([]),
    names: ownNames,
    log: null,
  });
  t.after(() => host.stop());
  const client = new WebSocket(`${host.url.replace(/^http/, 'ws')}${streamPaths.marketData}`);
  await once(client, 'open');
  for (let frame = 0; frame < count; frame++) client.send(String(frame).padEnd(2_000));
  await connection.all;
  assert.deepEqual(connection.done, [...connection.done.keys()]);
  // What was read at once is kept, too: up to 64 KiB, 32 frames.
  assert.ok(connection.most > 200 && connection.most < 400, `${connection.most} frames were kept`);
});

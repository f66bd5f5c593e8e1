import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { inProcessTransport } from '../../src/service/public.ts';
import { streamPaths } from '../../src/wire/contract/streams.ts';
import { cannotFail, FaultyDisk } from '../faulty-disk/faulty-disk.ts';
import { ask } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

type Context = Parameters<typeof temporaryDirectory>[0];

const programs = new URL('programs/', import.meta.url);
const files = ['default.db', 'default.db-wal'];

describe('what a served simulation tells is on disk', { skip: cannotFail }, () => {
  it('while a commit is being synced, no answer, no frame and no other process tells of it', async (t) => {
    const { disk, service, reader } = await desk(t);
    const frames = await service.follow(t);
    disk.holdSyncs(true);
    const answers: string[] = [];
    const told = async (who: string, answer: Promise<unknown>) => {
      await answer;
      answers.push(who);
    };
    const order = told('order', service.place('held'));
    await until(() => disk.heldSyncs > 0);
    const list = told('list', service.count('held'));
    const refusal = told('refusal', service.place('held', { side: 'sell' }));
    const other = told('other process', reader.count('held'));
    await until(() => disk.heldSyncs > 1);
    // The service goes on: what depends on nothing is answered.
    assert.equal((await fetch(`${service.url}/openapi.json`)).status, 200);
    assert.deepEqual(answers, []);
    assert.equal(
      frames.some((frame) => frame.includes('"held"')),
      false,
    );
    disk.holdSyncs(false);
    await Promise.all([order, list, refusal, other]);
    await until(() => frames.some((frame) => frame.includes('"held"')));
    assert.equal(await service.count('held'), 1);
    assert.equal(await reader.count('held'), 1);
  });

  it('if its sync fails, there is no answer, and streams start over with what is there', async (t) => {
    const { disk, service } = await desk(t);
    const frames = await service.follow(t);
    disk.arm({ at: 1, onlySyncs: true });
    await assert.rejects(service.place('doubtful'));
    await until(() => frames.some((frame) => frame.startsWith('closed')));
    assert.equal(
      frames.some((frame) => frame.includes('"doubtful"')),
      false,
    );
    assert.equal(frames.at(-1), 'closed 1012');
    const found = await service.count('doubtful');
    const again = await service.place('doubtful');
    assert.equal(again, found === 1 ? 200 : 201);
    const later = await service.follow(t);
    await service.place('later');
    await until(() => later.some((frame) => frame.includes('"later"')));
  });

  it('whatever call fails between a commit and its answer, what was done is acknowledged', async (t) => {
    const { disk, service, stateDir } = await desk(t);
    const other = await inProcessTransport({ stateDir });
    t.after(() => other.close());
    // It has checkpointed the log, as the reader did.
    assert.equal(await service.place('third'), 201);
    for (let at = 2; at <= 12; at++) {
      disk.arm();
      disk.holdSyncs(true);
      const order = service.place(`order ${at}`).catch(() => null);
      await until(() => disk.heldSyncs > 0);
      // Another process writes, so that the service knows nothing by heart when it answers.
      other.simulation.write(({ store }) => store.setSetting('written', String(at)));
      const { calls } = disk;
      const list = service.count('first').catch(() => null);
      await until(() => disk.calls > calls);
      await fetch(`${service.url}/openapi.json`);
      disk.arm({ at, isPersistent: true });
      disk.holdSyncs(false);
      const status = await order;
      await list;
      disk.arm();
      const found = await service.count(`order ${at}`);
      assert.deepEqual([status, found], [201, 1], `call ${at}`);
    }
  });

  it('after a power failure, everything that was answered is there', { timeout: 600_000 }, async (t) => {
    const folder = temporaryDirectory(t);
    const disk = new FaultyDisk();
    t.after(() => disk.remove());
    const answered = new Set<string>();
    let stateDir = join(folder, 'state');
    let name = 0;
    // The longest round fills the log, so that it is checkpointed.
    for (const orders of [1, 40, 1_000]) {
      const synced = join(folder, `synced-${name}`);
      mkdirSync(synced, { mode: 0o700 });
      if (existsSync(stateDir)) cpSync(stateDir, synced, { recursive: true });
      const service = await Service.start(t, stateDir, disk.variables(stateDir, synced));
      await service.allowMany();
      for (const known of [...answered].slice(-50)) assert.equal(await service.count(known), 1, known);
      for (const file of files)
        if (!existsSync(join(synced, file))) copyFileSync(join(stateDir, file), join(synced, file));
      const senders = Array.from({ length: 8 }, async () => {
        for (let sent = 0; ; sent++) {
          const own = `order ${++name}`;
          try {
            assert.equal(await service.place(own, { side: sent % 2 === 0 ? 'buy' : 'sell' }), 201);
            answered.add(own);
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error;
            return;
          }
        }
      });
      const goal = answered.size + orders;
      await until(() => answered.size >= goal);
      await service.kill();
      await Promise.all(senders);
      stateDir = synced;
    }
    const service = await Service.start(t, stateDir, {});
    for (const known of answered) assert.equal(await service.count(known), 1, known);
  });
});

/** A served state with two orders, a process that reads it beside the service, and the disk of both. */
async function desk(t: Context) {
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const stateDir = temporaryDirectory(t);
  const service = await Service.start(t, stateDir, disk.variables(stateDir));
  assert.equal(await service.place('first'), 201);
  const reader = new Reader(t, stateDir, disk.variables(stateDir));
  assert.equal(await reader.count('first'), 1);
  // The reader has checkpointed the log; the first commit after that begins it again, with a sync of SQLite's own.
  assert.equal(await service.place('second'), 201);
  return { disk, service, reader, stateDir };
}

/** A process that reads a state on request. */
class Reader {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #isOpen: Promise<unknown>;

  constructor(t: Context, stateDir: string, variables: Record<string, string>) {
    const program = fileURLToPath(new URL('read-on-request.ts', programs));
    const env = { ...process.env, ...variables };
    this.#child = spawn(process.execPath, [program, stateDir], { stdio: ['pipe', 'pipe', 'inherit'], env });
    t.after(() => this.#child.kill('SIGKILL'));
    this.#lines = createInterface(this.#child.stdout!)[Symbol.asyncIterator]();
    this.#isOpen = this.#lines.next();
  }

  async count(name: string): Promise<number> {
    await this.#isOpen;
    this.#child.stdin!.write(`${name}\n`);
    return Number((await this.#lines.next()).value);
  }
}

/** A served state, in a process of its own. */
class Service {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #key: string;
  readonly #account: string;

  private constructor(child: ChildProcess, url: string, key: string, account: string) {
    this.#child = child;
    this.url = url;
    this.#key = key;
    this.#account = account;
  }

  static async start(t: Context, stateDir: string, variables: Record<string, string>): Promise<Service> {
    const program = fileURLToPath(new URL('serve.ts', programs));
    const env = { ...process.env, ...variables };
    // A backup would checkpoint the log, and the next commit begin it again, with a sync of SQLite's own.
    const argv = [program, stateDir, String(2 ** 31 - 1)];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'], env });
    t.after(() => child.kill('SIGKILL'));
    const [line] = await once(createInterface(child.stdout!), 'line');
    const { url, key } = JSON.parse(line as string) as { url: string; key: string };
    const { body } = await ask(`${url}/v1/accounts`, key);
    return new Service(child, url, key, body.data[0].id);
  }

  async allowMany(): Promise<void> {
    const limits = { trades_per_minute: 1e9, trades_per_hour: 1e9, trades_per_day: 1e9 };
    const json = { account_id: this.#account, limits };
    assert.equal((await ask(`${this.url}/sim/policy`, this.#key, { method: 'POST', json })).status, 200);
  }

  /** The status; rejects without an answer. */
  async place(name: string, { side = 'buy' } = {}): Promise<number> {
    const size = { market_id: 'binance|BTCUSDT', size: 0.001, leverage: 1, margin_mode: 'cross' };
    const { status } = await ask(`${this.url}/v1/orders`, this.#key, {
      method: 'POST',
      json: { account_id: this.#account, ...size, side, client_order_id: name },
      headers: { 'idempotency-key': name },
    });
    return status;
  }

  async count(name: string): Promise<number> {
    const { status, body } = await ask(`${this.url}/v1/orders?client_order_id=${encodeURIComponent(name)}`, this.#key);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.length;
  }

  /** Every frame of the account stream, and its end, as they come; returns once the snapshot has. */
  async follow(t: Context): Promise<string[]> {
    const frames: string[] = [];
    const url = `${this.url.replace('http', 'ws')}${streamPaths.live}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${this.#key}` } });
    t.after(() => socket.terminate());
    socket.on('message', (data) => frames.push(String(data)));
    socket.on('close', (code) => frames.push(`closed ${code}`));
    await until(() => frames.some((frame) => frame.includes('snapshot_end')));
    return frames;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(2);
}

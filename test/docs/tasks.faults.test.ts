import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, issueKey, served } from '../service/serving.ts';
import { temporaryDirectory } from '../service/temporary-directory.ts';
import { bin, buildPerp, builtCache } from '../terminal/cli/built-perp.ts';
import { type FaultProxy, faultProxy } from '../wire/client/fault-proxy.ts';

const docs = resolve(import.meta.dirname, '../../docs');
const missing = (program: string) => spawnSync(program, ['--version']).status !== 0 && `not installed: ${program}`;
const noPython = missing('python3');
const noCurl = missing('curl');

/** A program of a page, by the name in its block. */
function program(page: string, name: string): string {
  const whole = readFileSync(join(docs, page), 'utf8');
  const [, code] = new RegExp(`^\`\`\`\\w+ ${RegExp.escape(name)}\\n(.*?)^\`\`\`$`, 'ms').exec(whole) ?? [];
  assert.ok(code, `${page} has no ${name}`);
  return code;
}

const interpreters: Readonly<Record<string, string>> = { py: 'python3', mjs: process.execPath, sh: 'bash' };

/** A user with an account at a service, whose connections can break. */
class User {
  readonly folder: string;
  readonly proxy: FaultProxy;
  readonly account: string;
  readonly #key: string;
  readonly #baseUrl: string;
  readonly #running = new Set<ChildProcessWithoutNullStreams>();

  private constructor(folder: string, proxy: FaultProxy, key: string, baseUrl: string, account: string) {
    this.folder = folder;
    this.proxy = proxy;
    this.#key = key;
    this.#baseUrl = baseUrl;
    this.account = account;
  }

  static async at(t: TestContext): Promise<User> {
    const serving = await served(t);
    const key = issueKey(serving);
    const proxy = await faultProxy(serving.baseUrl);
    const { body } = await ask(`${serving.baseUrl}/v1/accounts`, key);
    const user = new User(temporaryDirectory(t), proxy, key, serving.baseUrl, body.data[0].id);
    t.after(async () => {
      for (const child of user.#running) child.kill('SIGKILL');
      await proxy.close();
    });
    return user;
  }

  /** Starts a program of a page, through the proxy. */
  start(page: string, name: string, args: readonly string[] = [], url = this.proxy.url): Program {
    const file = join(this.folder, name);
    writeFileSync(file, program(page, name));
    const interpreter = interpreters[name.split('.')[1] ?? 'sh']!;
    const env = {
      HOME: this.folder,
      PATH: [join(this.folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      XDG_CACHE_HOME: builtCache,
      PERP_BASE_URL: url,
      PERP_API_KEY: this.#key,
    };
    const child = spawn(interpreter, [file, ...args], { env, cwd: this.folder });
    this.#running.add(child);
    return new Program(child);
  }

  /** perp on the PATH, a day that does not end, and the file with the key that the cron job reads. */
  install(): void {
    mkdirSync(join(this.folder, 'bin'));
    writeFileSync(join(this.folder, 'bin/date'), '#!/bin/sh\necho 2026-11-17\n', { mode: 0o755 });
    symlinkSync(bin, join(this.folder, 'bin/perp'));
    mkdirSync(join(this.folder, '.config/perp'), { recursive: true, mode: 0o700 });
    const file = join(this.folder, '.config/perp/buy-daily.key');
    writeFileSync(file, this.#key);
    chmodSync(file, 0o600);
  }

  /** A gateway in front of the service that answers the first order with a page of its own. */
  async badGateway(t: TestContext): Promise<string> {
    let isBad = true;
    const gateway = createServer(async (request, response) => {
      const { method, url, headers } = request;
      const body = method === 'POST' ? await text(request) : null;
      const answer = await fetch(`${this.#baseUrl}${url}`, { method: method!, headers: headers as never, body });
      const page = method === 'POST' && isBad ? '<h1>Bad gateway</h1>' : null;
      if (page !== null) isBad = false;
      response.writeHead(page === null ? answer.status : 502).end(page ?? (await answer.text()));
    });
    gateway.listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    t.after(() => gateway.close());
    return `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  }

  async buy(name: string): Promise<string> {
    const body = { account_id: this.account, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01, leverage: 2 };
    const answer = await ask(`${this.#baseUrl}/v1/orders`, this.#key, {
      method: 'POST',
      json: { ...body, margin_mode: 'cross' },
      headers: { 'idempotency-key': name },
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id;
  }

  async fills(): Promise<string[]> {
    const { body } = await ask(`${this.#baseUrl}/v1/fills?account_id=${this.account}`, this.#key);
    return body.data.map(({ id }: { id: string }) => id).reverse();
  }
}

class Program {
  out = '';
  err = '';
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number>;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.ended = once(child, 'close').then(([exit]) => exit);
  }

  /** Waits until its output or its errors match. */
  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.out) && !pattern.test(this.err)) {
      if (this.child.exitCode !== null) assert.fail(`it ended without ${pattern}: ${this.out}${this.err}`);
      await Promise.race([once(this.child.stdout, 'data'), once(this.child.stderr, 'data'), this.ended]);
    }
  }
}

const filled = /\bfilled buy 0\.01 BTC at [\d.]+,? (ord_\w+)\n$/;

for (const [name, skip] of [['order.py', noPython] as const, ['order.mjs', false] as const])
  describe(`docs/place-an-order.md, ${name}`, { skip }, () => {
    it('places one order', async (t) => {
      const user = await User.at(t);
      const run = user.start('place-an-order.md', name);
      assert.equal(await run.ended, 0, run.err);
      assert.deepEqual(await user.fills(), [filled.exec(run.out)?.[1]]);
    });

    it('places one order when the answer is lost, and finds it', async (t) => {
      const user = await User.at(t);
      user.proxy.arm({ side: 'response', kind: 'cut', position: 0, write: 0 });
      const run = user.start('place-an-order.md', name);
      assert.equal(await run.ended, 0, run.err);
      assert.match(run.err, /looking for \w\w-/);
      assert.deepEqual(await user.fills(), [filled.exec(run.out)?.[1]]);
    });

    it('places one order when the request is lost', async (t) => {
      const user = await User.at(t);
      user.proxy.arm({ side: 'request', kind: 'reset', position: 20, write: 0 });
      const run = user.start('place-an-order.md', name);
      assert.equal(await run.ended, 0, run.err);
      assert.deepEqual(await user.fills(), [filled.exec(run.out)?.[1]]);
    });

    it('places one order when a gateway answers 502 in place of the service', async (t) => {
      const user = await User.at(t);
      const run = user.start('place-an-order.md', name, [], await user.badGateway(t));
      assert.equal(await run.ended, 0, run.err);
      assert.deepEqual(await user.fills(), [filled.exec(run.out)?.[1]]);
    });
  });

describe('docs/place-an-order.md, order.sh', { skip: noCurl }, () => {
  it('places one order, also when the answer is lost', async (t) => {
    const user = await User.at(t);
    user.proxy.arm({ side: 'response', kind: 'cut', position: 0, write: 0 });
    const run = user.start('place-an-order.md', 'order.sh', [user.account]);
    assert.equal(await run.ended, 0, run.err);
    const { data } = JSON.parse(run.out);
    assert.equal(data.status, 'filled');
    assert.deepEqual(await user.fills(), [data.id]);
  });

  it('ends with the refusal', async (t) => {
    const user = await User.at(t);
    const run = user.start('place-an-order.md', 'order.sh', ['acc_000000099']);
    assert.equal(await run.ended, 1, run.err);
    assert.equal(JSON.parse(run.out).error.code, 'not_found');
  });
});

describe('docs/follow-your-fills.md, fills.mjs', () => {
  it('prints each fill once, also those made while it was disconnected', async (t) => {
    const user = await User.at(t);
    user.proxy.arm({ side: 'response', kind: 'cut', position: 1_500 });
    const run = user.start('follow-your-fills.md', 'fills.mjs');
    await run.says(/^following$/m);
    const orders = [await user.buy('first')];
    await run.says(/^resumed$/m);
    orders.push(await user.buy('second'));
    await run.says(new RegExp(orders[1]!));
    assert.deepEqual(run.out.match(/ord_\w+/g), orders);
  });
});

describe('docs/follow-your-fills.md, fills.py', { skip: noPython }, () => {
  it('prints each fill once, also after it was killed', async (t) => {
    const user = await User.at(t);
    const orders = [await user.buy('first')];
    const run = user.start('follow-your-fills.md', 'fills.py');
    await run.says(new RegExp(orders[0]!));
    // It prints first: killed before it has noted the fill, it prints that once more.
    const place = join(user.folder, 'fills.place');
    while (!existsSync(place) || readFileSync(place, 'utf8') !== orders[0]) await delay(10);
    run.child.kill('SIGKILL');
    await run.ended;
    orders.push(await user.buy('second'), await user.buy('third'));
    const next = user.start('follow-your-fills.md', 'fills.py');
    await next.says(new RegExp(orders[2]!));
    assert.deepEqual((run.out + next.out).match(/ord_\w+/g), orders);
  });
});

describe('docs/cron-job.md, buy-daily', () => {
  before(buildPerp);

  it('buys once a day, whatever happens to a run', async (t) => {
    const user = await User.at(t);
    user.install();
    const down = user.start('cron-job.md', 'buy-daily', [], 'http://127.0.0.1:9');
    assert.equal(await down.ended, 7, down.err);
    assert.match(down.err, /exit 7, buying/);

    user.proxy.arm({ side: 'response', kind: 'cut', position: 0, write: 0 });
    const first = user.start('cron-job.md', 'buy-daily');
    assert.equal(await first.ended, 0, first.err);
    const second = user.start('cron-job.md', 'buy-daily');
    assert.equal(await second.ended, 0, second.err);
    assert.equal(second.out, first.out);
    assert.deepEqual(await user.fills(), [filled.exec(first.out)?.[1]]);
  });
});

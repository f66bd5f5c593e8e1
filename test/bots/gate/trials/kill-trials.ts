import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BotsFile, gateFolder } from '../../../../src/bots/gate/bots-file.ts';
import { mandateText, type NamedMandate } from '../../../../src/desk/mandate/mandate-file.ts';
import { signMandate } from '../../../../src/desk/mandate/signed.ts';
import type { Chance } from '../../../exchange/engine/chance.ts';
import {
  BuiltRun,
  beginWorld,
  buildPerp,
  machine,
  type Served,
  servedWorld,
} from '../../../terminal/cli/built-perp.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources as they are answered.
type Resource = any;

const market = 'binance|BTCUSDT';
const minuteMs = 60_000;

/** What a bot sends orders for. */
interface Account {
  readonly bot: string;
  readonly account: string;
  readonly key: string;
}

/** A gate as its own program, which is killed and started again on the same port. */
class KilledGate {
  readonly url: string;
  kills = 0;
  /** Requests that were sent to it. */
  sent = 0;
  readonly #argv: readonly string[];
  readonly #variables: Record<string, string>;
  #run: BuiltRun | undefined;

  constructor(port: number, files: readonly string[], variables: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    const mandates = files.flatMap((file) => ['--mandate', file]);
    this.#argv = ['gate', 'serve', '--port', String(port), '--rate-limit', 'off', '--json', ...mandates];
    this.#variables = variables;
  }

  async start(): Promise<void> {
    this.#run = new BuiltRun(this.#argv, this.#variables);
    await this.#run.printed(/\}\s*$/);
  }

  async kill(): Promise<void> {
    this.kills += 1;
    this.#run!.process.kill('SIGKILL');
    await this.#run!.ended;
  }

  /** The answer; undefined: none came. */
  async ask({ key }: Account, method: string, path: string, body?: object, name?: string) {
    this.sent += 1;
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(name !== undefined && { 'idempotency-key': name }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Resource };
    } catch {
      return undefined;
    }
  }

  /** Asks until there is an answer, always under the same key. */
  async insist(bot: Account, method: string, path: string, body?: object, name?: string) {
    for (;;) {
      const answer = await this.ask(bot, method, path, body, name);
      if (answer !== undefined && answer.status !== 503 && answer.status !== 504 && answer.status !== 429)
        return answer;
      await delay(20);
    }
  }
}

/** What the service lists in the end, and what bots were told. */
export interface Outcome {
  readonly kills: number;
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Ids by the names that the service has. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** Orders of the bot with a low rate, as the service got them, Unix ms. */
  readonly slow: readonly number[];
  /** Orders of the bot that has lost what it may, after it was told so. */
  readonly afterLoss: number;
  readonly refusedForLoss: number;
  /** Ids of equal ladders, each canceled before the next: as their bot was told, and as the service lists them. */
  readonly ladders: { readonly told: readonly string[]; readonly listed: readonly string[] };
}

/** How many orders a minute the slow bot was allowed. */
export const slowRate = 12;

/** Kills a gate in the middle of orders so many times, while bots try again under their keys. */
export async function killed(t: TestContext, kills: number, chance: Chance): Promise<Outcome> {
  buildPerp();
  const { folder, variables, remove } = machine();
  t.after(remove);
  await beginWorld(variables, { accounts: 4 });
  const world = await servedWorld(variables);
  t.after(() => world.stop());
  const accounts = ((await direct(world, '/v1/accounts')) as Resource[]).map(({ id }) => id).sort();
  const often = 100_000;
  const bots = {
    busy: bot('busy', accounts[0], { ordersPerMinute: often }),
    slow: bot('slow', accounts[1], { ordersPerMinute: slowRate }),
    losing: bot('losing', accounts[2], { ordersPerMinute: often, lossPerDayUsd: 2 }),
    laddering: bot('laddering', accounts[3], { ordersPerMinute: often }),
  };
  const files = Object.values(bots).map(({ mandate }) => {
    const file = join(folder, `${mandate.name}.toml`);
    writeFileSync(file, mandateText(mandate));
    signMandate(variables, mandate, Date.now());
    return file;
  });
  const keys = new BotsFile(gateFolder(variables));
  const account = (name: keyof typeof bots): Account => {
    const { text } = keys.add(name, 'live', Date.now(), Date.now() + 3_600_000);
    return { bot: name, account: bots[name].account, key: text };
  };
  const gate = new KilledGate(await freePort(), files, variables);
  t.after(() => gate.kill());
  const places = {
    busy: account('busy'),
    slow: account('slow'),
    losing: account('losing'),
    laddering: account('laddering'),
  };
  await gate.start();

  const acknowledged = new Map<string, string>();
  let isOver = false;
  let names = 0;
  const busy = async () => {
    while (!isOver) {
      const name = `order-${names++}`;
      const order = trade(places.busy, names % 2 === 0 ? 'buy' : 'sell', 0.001);
      const { status, body } = await gate.insist(places.busy, 'POST', '/v1/orders', order, name);
      assert.ok(status === 200 || status === 201, JSON.stringify(body));
      acknowledged.set(name, body.data.id);
    }
  };
  const slow = async () => {
    for (let at = 0; !isOver; at += 1) {
      await gate.insist(places.slow, 'POST', '/v1/orders', trade(places.slow, 'buy', 0.0001 * 10), `slow-${at}`);
      await delay(10);
    }
  };
  const loss = { after: 0, refused: 0 };
  const losing = async () => {
    for (let at = 0; !isOver; at += 1) {
      const order = trade(places.losing, 'buy', 0.05);
      const entry = await gate.insist(places.losing, 'POST', '/v1/orders', order, `losing-${at}`);
      if (entry.body.error?.rule_id?.startsWith('mandate-loss')) loss.refused += 1;
      else if (entry.status < 300) {
        if (loss.refused > 0) loss.after += 1;
        const exit = { ...trade(places.losing, 'sell', 0.05), reduce_only: true };
        await gate.insist(places.losing, 'POST', '/v1/orders', exit, `losing-exit-${at}`);
      }
      await delay(loss.refused > 0 ? 30 : 1);
    }
  };
  const told: string[] = [];
  const laddering = async () => {
    const { type: _, ...order } = trade(places.laddering, 'buy', 0.1);
    const ladder = { ...order, start_price: 1_000, end_price: 2_000, rung_count: 2, distribution: 'flat' };
    for (let at = 0; !isOver; at += 1) {
      const { status, body } = await gate.insist(places.laddering, 'POST', '/v1/scaled-orders', ladder, `ladder-${at}`);
      assert.ok(status < 300, JSON.stringify(body));
      told.push(body.data.id);
      await gate.insist(places.laddering, 'DELETE', `/v1/scaled-orders/${body.data.id}`);
    }
  };
  const working = [busy(), busy(), busy(), busy(), slow(), losing(), laddering()];
  // What was lost before the first kill must still count after the last one.
  const refusedAgain = async () => {
    for (const before = loss.refused; loss.refused === before; ) await delay(5);
  };
  await refusedAgain();
  while (gate.kills < kills) {
    const until = gate.sent + chance.between(8, 40);
    while (gate.sent < until) await new Promise((resolve) => setImmediate(resolve));
    await gate.kill();
    await gate.start();
  }
  await refusedAgain();
  isOver = true;
  await Promise.all(working);
  const all = await listOf(world, '/v1/orders', accounts);
  const listed = new Map<string, string[]>();
  for (const { client_order_id: name, id } of all)
    if (name !== undefined) listed.set(name, [...(listed.get(name) ?? []), id]);
  const slowAt = all.filter(({ client_order_id: name }) => name?.startsWith('gate-slow_') === true);
  return {
    kills: gate.kills,
    acknowledged,
    listed,
    slow: slowAt.map(({ requested_at }) => requested_at).sort((one, other) => one - other),
    afterLoss: loss.after,
    refusedForLoss: loss.refused,
    ladders: { told, listed: (await listOf(world, '/v1/scaled-orders', accounts)).map(({ id }) => id) },
  };
}

/** The most orders in any minute. */
export function mostInAMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minuteMs).length));
}

function bot(name: string, account: string, terms: Partial<NamedMandate>) {
  const mandate: NamedMandate = {
    name,
    accounts: [account],
    markets: [market],
    sides: ['buy', 'sell'],
    largestOrderUsd: 10_000,
    largestPositionUsd: 50_000,
    lossPerDayUsd: 2_500,
    ordersPerMinute: 60,
    until: Date.now() + 86_400_000,
    ...terms,
  };
  return { account, mandate };
}

function trade({ account }: Account, side: string, size: number): Record<string, unknown> {
  return { account_id: account, market_id: market, side, size, type: 'market', leverage: 1, margin_mode: 'cross' };
}

async function direct({ baseUrl, key }: Served, path: string): Promise<Resource> {
  const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as Resource).data;
}

/** Every order or ladder that the service ever got for these accounts. */
async function listOf({ baseUrl, key }: Served, path: string, accounts: readonly string[]): Promise<Resource[]> {
  const all: Resource[] = [];
  for (const account of accounts) {
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const url = `${baseUrl}${path}?account_id=${account}&limit=100${more}`;
      const page = (await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()) as Resource;
      all.push(...page.data);
      cursor = page.has_more ? page.next_cursor : undefined;
    }
  }
  return all;
}

/** A port that stays free while nothing listens on it: systems give out only higher ones by themselves. */
async function freePort(): Promise<number> {
  const server = createServer();
  for (;;) {
    const port = randomInt(20_000, 32_000);
    server.listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

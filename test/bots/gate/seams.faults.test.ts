import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Gate } from '../../../src/bots/gate/gate.ts';
import { takeAccounts } from '../../../src/bots/gate/mandate-files.ts';
import { auditPlace, newestRecords } from '../../../src/desk/audit/chain.ts';
import type { Destination } from '../../../src/desk/intents/note.ts';
import { writeServiceFile } from '../../../src/service/state/service-file.ts';
import { makeStateDirectory, stateFiles } from '../../../src/service/state/state-directory.ts';
import { NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import { sentIn } from '../../../src/wire/contract/errors.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { GateWorld } from './gate-world.ts';

const wanted = process.env.PERP_LONG ? 10_000 : 500;
const perWorld = 125;
const limitUsd = 3_000;
const bots = ['one', 'two', 'three', 'four'] as const;
const address = 'http://127.0.0.1:7400';
/** One service, by name and at its address, as people and programs write it. */
const spellings: readonly Destination[] = [
  { environment: 'sim', state: 'default', prices: 'synthetic' },
  ...[address, 'http://localhost:7400/', 'http://127.1:7400', 'HTTP://LOCALHOST:7400//'].map(
    (baseUrl): Destination => ({ environment: 'live', baseUrl }),
  ),
];

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

/** What happens to a service and to the gate before it, with how often; the seams between a first and a second path. */
interface Totals {
  attempts: number;
  done: number;
  again: number;
  resets: number;
  restores: number;
  restarts: number;
  steps: number;
  spellings: number;
  forgotten: number;
  lost: number;
}

/**
 * Four bots share one account and its room, and repeat their keys, while answers and requests are lost, the service
 * forgets keys, is reset or put back to an older backup, the gate restarts, and its clock steps. The service's own
 * database says what they got.
 */
test('whatever is repeated after whatever has happened, nothing is beyond a mandate or without a record', async (t) => {
  const totals: Totals = {
    attempts: 0,
    done: 0,
    again: 0,
    resets: 0,
    restores: 0,
    restarts: 0,
    steps: 0,
    spellings: 0,
    forgotten: 0,
    lost: 0,
  };
  for (let round = 0; totals.attempts < wanted; round += 1) {
    const trial = await Trial.open(t, new Chance(seed * 1_000 + round), totals, `seed ${seed}, round ${round}`);
    for (let attempt = 0; attempt < perWorld; attempt += 1) await trial.attempt(attempt);
  }
  t.diagnostic(`seed ${seed}: ${JSON.stringify(totals)}`);
  for (const [what, count] of Object.entries(totals)) assert.ok(count > 0, what);
});

class Trial {
  readonly #world: GateWorld;
  readonly #chance: Chance;
  readonly #totals: Totals;
  readonly #where: string;
  readonly #asked: { bot: string; request: WireRequest }[] = [];
  /** How many writes of this attempt have reached the service. */
  #delivered = 0;
  #gate!: Gate;
  #restore: (() => Promise<void>) | undefined;

  private constructor(world: GateWorld, chance: Chance, totals: Totals, where: string) {
    this.#world = world;
    this.#chance = chance;
    this.#totals = totals;
    this.#where = where;
  }

  static async open(t: Parameters<typeof GateWorld.open>[0], chance: Chance, totals: Totals, where: string) {
    const world = await GateWorld.open(t, { accounts: 1 });
    for (const bot of bots) world.mandates.set(bot, world.allowing(undefined, { largestPositionUsd: limitUsd }));
    const trial = new Trial(world, chance, totals, where);
    world.keepsKeys = chance.chance(0.5);
    if (!world.keepsKeys) {
      world.destination = { environment: 'live', baseUrl: address };
      tellAddress(world);
    }
    world.carry = (request, limits) => trial.#carry(request, limits);
    trial.#gate = await world.gate();
    return trial;
  }

  async attempt(number: number): Promise<void> {
    this.#totals.attempts += 1;
    await this.#event();
    const isAgain = this.#asked.length > 0 && this.#chance.chance(0.4);
    if (isAgain) this.#totals.again += 1;
    const one = isAgain ? this.#chance.pick(this.#asked) : this.#next(number);
    this.#asked.push(one);
    this.#delivered = 0;
    const answer = await this.#gate.handle(one.bot, one.request);
    const where = `${this.#where}, attempt ${number}`;
    if (answer.status < 300) this.#totals.done += 1;
    const { details } = ((answer.body as Body).error ?? {}) as Body;
    if (sentIn(details) === 'no') assert.equal(this.#delivered, 0, `${where}: "not sent", but it was`);
    await this.#check(where);
  }

  /**
   * A request on its way, which may be lost, and so may its answer; a host that forgets takes each key for a new one.
   */
  async #carry(request: WireRequest, limits: Parameters<GateWorld['carry']>[1]): Promise<WireResponse> {
    const { transport } = this.#world.simulation;
    if (request.method === 'GET') return await transport(request, limits);
    const fate = this.#chance.next();
    if (fate < 0.08) this.#totals.lost += 1;
    if (fate < 0.04) throw new NoAnswerError('lost on the way');
    this.#delivered += 1;
    const isForgotten = !this.#world.keepsKeys && this.#chance.chance(0.5);
    if (isForgotten) this.#totals.forgotten += 1;
    const key = `${request.headers['idempotency-key']}-${this.#totals.forgotten}`;
    const headers = isForgotten ? { ...request.headers, 'idempotency-key': key } : request.headers;
    const answer = await transport({ ...request, headers }, limits);
    if (fate < 0.08) throw new NoAnswerError('the answer was lost');
    return answer;
  }

  #next(number: number): { bot: string; request: WireRequest } {
    const key = `key-${number}`;
    const bot = this.#chance.pick(bots);
    const side = this.#chance.pick(['buy', 'buy', 'sell']);
    const order = this.#world.order({ side, size: this.#chance.pick([0.003, 0.008, 0.02]) }, key);
    if (!this.#chance.chance(0.15)) return { bot, request: order };
    const prices = { start_price: 50_000 + number, end_price: 51_000 };
    const ladder = { ...prices, rung_count: 2, distribution: 'flat', side: 'buy' };
    const { body } = this.#world.order({ ...ladder, size: 0.004 }, key);
    return { bot, request: { ...order, target: '/v1/scaled-orders', body } };
  }

  async #event(): Promise<void> {
    const world = this.#world;
    const event = this.#chance.next();
    if (event < 0.02) {
      this.#totals.resets += 1;
      await world.reset();
    } else if (event < 0.04) {
      this.#totals.restarts += 1;
      await this.#gate[Symbol.asyncDispose]();
      this.#gate = await world.gate();
    } else if (event < 0.06) {
      this.#totals.steps += 1;
      const step = this.#chance.pick([-600_000, 0, 60_000]);
      world.now = () => Date.now() + step;
    } else if (event < 0.1) {
      if (this.#restore === undefined) this.#restore = world.backUp();
      else {
        this.#totals.restores += 1;
        await this.#restore();
        this.#restore = undefined;
      }
    } else if (event < 0.12 && !world.keepsKeys) {
      this.#totals.spellings += 1;
      using _ = takeAccounts(world.variables, world.destination, world.accounts);
      const other = this.#chance.pick(spellings);
      assert.throws(() => takeAccounts(world.variables, other, world.accounts), /Another gate/);
    }
  }

  async #check(where: string): Promise<void> {
    const world = this.#world;
    const [account] = world.accounts;
    const positions = dataOf(await world.direct({ target: `/v1/positions?account_id=${account}` }));
    for (const { size, entry_price: price } of positions)
      assert.ok(size * price <= limitUsd * 1.02, `${where}: ${size * price} USD`);
    const records = [...newestRecords(auditPlace(world.variables))].filter(
      (one) => one.kind === 'asked' && one.decision === 'allowed',
    );
    const recorded = new Set(records.map((one) => one.kind === 'asked' && one.upstream?.clientOrderId));
    const ids = ordersIn(world);
    assert.equal(new Set(ids).size, ids.length, `${where}: an order was doubled`);
    for (const id of ids) assert.ok(recorded.has(id), `${where}: ${id} has no record`);
    const ladders = dataOf(await world.direct({ target: `/v1/scaled-orders?account_id=${account}&limit=100` }));
    // A strategy carries no id of its bot: each was asked for with a price of its own.
    const prices: number[] = ladders.map(({ start_price: price }: Body) => price);
    assert.equal(new Set(prices).size, prices.length, `${where}: a ladder was doubled`);
    const bodies = records.map((one) => (one.kind === 'asked' ? (one.upstream?.body ?? '') : '')).join();
    for (const price of prices)
      assert.ok(bodies.includes(`"start_price":${price},`), `${where}: a ladder has no record`);
  }
}

/** The file in which a service says where it is. */
function tellAddress({ variables }: GateWorld): void {
  const folder = variables.PERP_STATE_DIR!;
  makeStateDirectory(folder);
  const service = { baseUrl: address, sandboxUrl: 'http://127.0.0.1:7401', key: 'none', source: 'synthetic' };
  writeServiceFile(stateFiles(folder, 'default'), { state: 'default', pid: process.pid, firstTime: null, ...service });
}

/** The client order ids that bots have at the service, as its database has them. */
function ordersIn({ simulation }: GateWorld): string[] {
  const database = new DatabaseSync(simulation.simulation.store.file, { readOnly: true });
  try {
    const rows = database.prepare("SELECT client_order_id AS id FROM orders WHERE client_order_id LIKE 'gate-%'").all();
    return rows.map(({ id }) => String(id));
  } finally {
    database.close();
  }
}

function dataOf({ body }: WireResponse): Body {
  return (body as { data: unknown }).data;
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AccountCache, type SentWrite } from '../../../../src/bots/gate/cache/account-cache.ts';
import type { Exposed, GateWrite } from '../../../../src/desk/mandate/mandate.ts';
import { type InProcess, inProcessTransport } from '../../../../src/service/public.ts';
import type { WriteId } from '../../../../src/wire/client/writes.ts';
import type { Operation } from '../../../../src/wire/contract/operation.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { streamPaths } from '../../../../src/wire/contract/streams.ts';
import { Router } from '../../../../src/wire/contract/target.ts';
import type { Transport, WireRequest, WireResponse } from '../../../../src/wire/contract/wire.ts';
import { Chance } from '../../../exchange/engine/chance.ts';
import { startTime } from '../../../service/serving.ts';
import { RandomTrader } from '../../../service/streams/random-trading.ts';
import { temporaryDirectory } from '../../../service/temporary-directory.ts';
import { trial } from '../../../tiers.ts';
import { HandHeldStream, HandHeldTime, sessionOver } from '../hand-held.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of every shape.
type Resource = any;

const runs = { numRuns: process.env.PERP_LONG ? 200 : 2, endOnFailure: true };
/** No frame takes longer, ms. */
const slowestMs = 10_000;
const router = new Router<Operation>(Object.values(operations));

/** Requests of bots, as a gate passes them on: answers arrive when the test says so, or never. */
class Passing {
  readonly transport: Transport;
  #waiting: (() => void)[] = [];
  readonly #chance: Chance;
  sent = 0;

  constructor(inner: Transport, cache: () => AccountCache, world: World, chance: Chance) {
    this.#chance = chance;
    this.transport = async (request, options) => {
      const write = await world.writeOf(request);
      if (write === undefined) return inner(request, options);
      const order = write.body?.client_order_id as string | undefined;
      const sent = cache().sending('one', write, 1, order);
      const answer = await inner(request, options);
      this.#arrives(sent, answer);
      return answer;
    };
  }

  /** Some of the answers arrive, in any order. */
  arrive(): void {
    this.#waiting = this.#waiting.filter((deliver) => {
      if (this.#chance.chance(0.5)) return true;
      deliver();
      return false;
    });
  }

  #arrives(sent: SentWrite, { status, body }: WireResponse): void {
    this.sent += 1;
    this.#waiting.push(() => {
      if (status < 300) sent.answered((body as { data: unknown }).data);
      else sent.notDone();
    });
  }
}

/** What the simulation really has. */
class World {
  readonly #transport: Transport;

  constructor({ transport }: InProcess) {
    this.#transport = transport;
  }

  async get(target: string): Promise<Resource> {
    return ((await this.#transport({ method: 'GET', target, headers: {} }, { timeoutMs: 1 })).body as Resource).data;
  }

  /** A request as the gate understands it; undefined: it is no write of the API. */
  async writeOf({ method, target, body }: WireRequest): Promise<GateWrite | undefined> {
    if (method === 'GET') return undefined;
    const found = router.find(method, target.split('?')[0]!);
    if (found.operation === null) return undefined;
    const { operation, path } = found;
    const fields = body === undefined ? undefined : JSON.parse(body);
    const account = path.account_id ?? fields?.account_id ?? (await this.#ownerOf(path));
    return { operation: operation.id as WriteId, account: account ?? '', path, body: fields };
  }

  async #ownerOf({ order_id: order, position_id: position }: Record<string, string>): Promise<string | undefined> {
    if (order !== undefined) return (await this.get(`/v1/orders/${order}`))?.account_id;
    if (position !== undefined) return (await this.get(`/v1/positions/${position}`))?.account_id;
    return undefined;
  }
}

/** The largest position of a market that may come about, base asset, by side. */
type Reach = Map<string, { long: number; short: number }>;

interface Part {
  market_id: string;
  side: string;
  size: number;
}

/** From positions, and everything that may add to them. */
function reachOf(positions: readonly Part[], adding: readonly Part[]): Reach {
  const reach: Reach = new Map();
  const add = ({ market_id, side, size }: Part) => {
    const known = reach.get(market_id) ?? { long: 0, short: 0 };
    if (side === 'long' || side === 'buy') known.long += size;
    else known.short += size;
    reach.set(market_id, known);
  };
  for (const part of [...positions, ...adding]) add(part);
  return reach;
}

const restOf = (twap: Resource): Part => ({ ...twap, size: twap.total_size - twap.filled_size });
const adds = ({ reduce_only }: Resource) => reduce_only !== true;

/** What the pending writes of an account may add at worst. */
function addedBy({ pending, working }: Exposed): Part[] {
  return pending.flatMap(({ operation, path, body }): Part[] => {
    if (['createOrder', 'createTwapOrder', 'createScaledOrder'].includes(operation))
      return adds(body) ? [body as unknown as Part] : [];
    if (operation !== 'modifyOrder' || body?.size === undefined) return [];
    const order = working!.find(({ id }) => id === path?.order_id);
    return order === undefined ? [] : [{ ...order, size: body.size as number }];
  });
}

function known(exposed: Exposed): Reach {
  const { positions, working, twaps } = exposed;
  const waiting = [...working!.filter(adds), ...twaps!.filter(adds).map(restOf)] as Part[];
  return reachOf(positions as unknown as Part[], [...waiting, ...addedBy(exposed)]);
}

/** What the account really has is within what the cache says it may have. */
async function assertCovers(world: World, cache: AccountCache, account: string, when: string): Promise<boolean> {
  const exposed = cache.exposed('one', account);
  if (exposed.positions === undefined || exposed.twaps === undefined) return false;
  const [positions, working, twaps] = await Promise.all([
    world.get(`/v1/positions?account_id=${account}`),
    world.get(`/v1/orders?account_id=${account}&status=working`),
    world.get(`/v1/twap-orders?account_id=${account}`),
  ]);
  const running = twaps.filter(({ status }: Resource) => status === 'running');
  const real = reachOf(positions, [...working.filter(adds), ...running.filter(adds).map(restOf)]);
  const said = known(exposed);
  for (const [market, { long, short }] of real) {
    const most = said.get(market) ?? { long: 0, short: 0 };
    const about = `${when}: ${account} ${market}: really ${long} and ${short}, said ${most.long} and ${most.short}`;
    assert.ok(long <= most.long + 1e-6 && short <= most.short + 1e-6, about);
  }
  return true;
}

trial('what a cache says covers what is really there, whatever is late, lost or in another order', async (t) => {
  const totals = { compared: 0, unknown: 0, breaks: 0, sent: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const chance = new Chance(seed);
      const stateDir = temporaryDirectory(t);
      const start = { stateDir, seed: chance.between(1, 1e6), clock: 'manual', startTime, accounts: 3 } as const;
      const desk = await inProcessTransport({
        ...start,
        plan: 'none',
        onBug: (error) => {
          throw error;
        },
      });
      const accounts = desk.simulation.read(({ store }) => store.accounts('local', 'live').map(({ id }) => id));
      const time = new HandHeldTime();
      const stream = new HandHeldStream(desk.stream, time);
      const world = new World(desk);
      const session = sessionOver({
        transport: desk.transport,
        streams: { account: stream.transport, market: desk.stream },
        accountPath: streamPaths.live,
        time,
      });
      const wanted = { accounts, markets: [], gaps: [] };
      const opening = AccountCache.open({ session, wanted: () => wanted, now: () => time.now, note() {} });
      const cache = await whileDelivering(opening, stream);
      const passing = new Passing(desk.transport, () => cache, world, chance);
      const trader = new RandomTrader(chance, passing.transport, accounts);
      try {
        for (let step = 0; step < 60; step++) {
          await trader.act();
          passing.arrive();
          if (chance.chance(0.6)) stream.deliver(chance.between(0, 6));
          if (chance.chance(0.04)) stream.break();
          time.pass(chance.between(100, 2_000));
          await settled();
          stream.deliver(0, slowestMs);
          await settled();
          // What a follower gets is judged where its lead trades.
          for (const account of accounts.filter((_, at) => at !== 1))
            if (await assertCovers(world, cache, account, `seed ${seed}, step ${step}`)) totals.compared += 1;
            else totals.unknown += 1;
        }
        totals.breaks += stream.breaks;
        totals.sent += passing.sent;
      } finally {
        await cache[Symbol.asyncDispose]();
        desk.close();
      }
    }),
    runs,
  );
  for (const [what, count] of Object.entries(totals)) assert.ok(count > 0, `${what}: ${count}`);
});

/** Lets everything that was begun go on as far as it can without more frames. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function whileDelivering<T>(work: Promise<T>, stream: HandHeldStream): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) {
    stream.deliver(Number.POSITIVE_INFINITY);
    await settled();
  }
  return work;
}

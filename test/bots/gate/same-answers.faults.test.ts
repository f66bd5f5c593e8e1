import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handling } from '../../../src/bots/gate/cache/handling.ts';
import type { Gate } from '../../../src/bots/gate/gate.ts';
import { type OperationId, operations } from '../../../src/wire/contract/operations.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { RandomTrader } from '../../service/streams/random-trading.ts';
import { GateWorld } from './gate-world.ts';

const steps = process.env.PERP_LONG ? 5_000 : 120;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

/**
 * Two simulations that begin alike: one is asked directly, the other through a gate whose mandate allows everything.
 */
class Twins {
  readonly #direct: GateWorld;
  readonly #behind: GateWorld;
  readonly #gate: Gate;
  readonly tried = new Set<string>();

  private constructor(direct: GateWorld, behind: GateWorld, gate: Gate) {
    this.#direct = direct;
    this.#behind = behind;
    this.#gate = gate;
  }

  static async open(t: Parameters<typeof GateWorld.open>[0]): Promise<Twins> {
    const direct = await GateWorld.open(t);
    const behind = await GateWorld.open(t);
    const markets = ['BTC', 'ETH', 'DOGE'].map((symbol) => behind.market(symbol));
    behind.mandates.set('bot', behind.allowing(behind.accounts, { markets }));
    const gate = await behind.gate();
    for (const duration of behind.advances) await direct.advance(duration);
    return new Twins(direct, behind, gate);
  }

  get accounts(): readonly string[] {
    return this.#direct.accounts;
  }

  /** The direct answer, once it was compared with the gate's. */
  async send(request: WireRequest): Promise<WireResponse> {
    const direct = await this.#direct.direct(request);
    if (request.target.startsWith('/sim/')) {
      await this.#behind.direct(request);
      return direct;
    }
    const through = await this.#gate.handle('bot', request);
    if (errorOf(through).rule_id === 'mandate-writes') {
      // Copy groups trade for other accounts: no mandate allows a change of them.
      assert.equal(request.target, '/v1/copy-trading');
      await this.#behind.direct(request);
      return direct;
    }
    const what = `${request.method} ${request.target} ${request.body ?? ''} (seed ${seed})`;
    assert.deepEqual(comparable(through), comparable(direct), what);
    assert.equal(through.headers['x-request-id']?.length, 36);
    if (through.status >= 400) assert.equal(errorOf(through).request_id, through.headers['x-request-id'], what);
    return direct;
  }

  async get(target: string): Promise<Body> {
    return ((await this.send({ method: 'GET', target, headers: {} })).body as Body).data;
  }
}

/** Without what differs from request to request, and what tells of accounts that a bot may not know. */
function comparable({ status, headers, body }: WireResponse) {
  const { 'x-request-id': _, 'x-sim-endings': __, 'x-sim-run': ____, ...others } = headers;
  const { request_id: ___, ...error } = errorOf({ body });
  const { next_cursor: cursor, ...rest } = body as Body;
  // Each state has cursors of its own.
  return { status, headers: others, body: status < 400 ? { ...rest, cursor: cursor !== undefined } : { error } };
}

function errorOf({ body }: { body: unknown }): Body {
  return (body as Body).error ?? {};
}

test('through the gate, every answer to a bot that may do everything is the service’s own', async (t) => {
  const twins = await Twins.open(t);
  const asked = new Set<OperationId>();
  const transport = (request: WireRequest) => {
    for (const operation of Object.values(operations))
      if (isOf(operation, request)) asked.add(operation.id as OperationId);
    return twins.send(request);
  };
  const trader = new RandomTrader(new Chance(seed), transport, twins.accounts);
  for (let step = 0; step < steps; step += 1) {
    await trader.act();
    if (step % 200 === 199) await readEverything(twins, transport);
  }
  await readEverything(twins, transport);
  const untried = (Object.keys(handling) as OperationId[]).filter((id) => !asked.has(id));
  // What every walk has; the rest is in the conformance suite, which runs through a gate, too.
  const reads = untried.filter((id) => operations[id].method === 'GET');
  assert.deepEqual(reads, []);
});

function isOf({ method, path }: { method: string; path: string }, request: WireRequest): boolean {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
  return method === request.method && pattern.test(request.target.split('?')[0]!);
}

/** Every read, of everything that there is, of what does not exist, and of what is not valid. */
async function readEverything(twins: Twins, transport: (request: WireRequest) => Promise<WireResponse>): Promise<void> {
  const get = async (target: string) => ((await transport({ method: 'GET', target, headers: {} })).body as Body).data;
  for (const target of ['/v1', '/v1/restricted-countries', '/v1/accounts', '/v1/copy-trading', '/v1/markets'])
    await get(target);
  await get('/v1/markets/binance%7CBTCUSDT');
  await get('/v1/markets/binance%7CBTCUSDT/quote?side=buy&size=0.1');
  await get('/v1/markets/nope%7CX/quote');
  for (const target of ['/v1/orders/nope', '/v1/positions/nope', '/v1/twap-orders/nope', '/v1/nope', '/v1/fills'])
    await get(target);
  await get('/v1/orders?limit=0');
  await get('/v1/orders?status=working');
  for (const account of twins.accounts) {
    await get(`/v1/accounts/${account}`);
    await get(`/v1/accounts/${account}/trading-policy`);
    for (const [list, one] of [
      [`/v1/orders?account_id=${account}&limit=3`, '/v1/orders/'],
      [`/v1/orders?account_id=${account}&status=working`, '/v1/orders/'],
      [`/v1/fills?account_id=${account}&limit=3`, '/v1/orders/'],
      [`/v1/positions?account_id=${account}`, '/v1/positions/'],
      [`/v1/positions?account_id=${account}&status=closed&limit=2`, '/v1/positions/'],
      [`/v1/twap-orders?account_id=${account}`, '/v1/twap-orders/'],
      [`/v1/scaled-orders?account_id=${account}`, '/v1/scaled-orders/'],
    ] as const) {
      const rows = await get(list);
      if (rows?.[0] !== undefined) await get(`${one}${rows[0].id}`);
    }
    await get(`/v1/scaled-orders/nope`);
  }
}

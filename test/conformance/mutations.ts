import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { inProcessTransport } from '../../src/service/public.ts';
import type { Operation } from '../../src/wire/contract/operation.ts';
import { operations } from '../../src/wire/contract/operations.ts';
import type { Schema } from '../../src/wire/contract/schema.ts';
import { simulationOperations } from '../../src/wire/contract/simulation.ts';
import { pathNames } from '../../src/wire/contract/target.ts';
import { anyText } from '../any-text.ts';
import { anyBody, anyQuery, mutantsOf } from '../wire/contract/arbitrary.ts';
import { type Answer, Api } from './api.ts';
import { everyWay } from './every-way.ts';
import { startTime } from './targets.ts';

/** One of everything that requests refer to. */
interface Scene {
  api: Api;
  stateHash: () => string;
  ids: Record<string, string[]>;
  close: () => void | Promise<void>;
}

/** How a scene is opened, and the operations that are tried on it. */
export interface Stage {
  readonly all: readonly Operation[];
  readonly open: () => Promise<Scene>;
}

/** In process, where every refusal must leave the state as it was. */
export const inProcess: Stage = {
  all: [...Object.values(operations), ...Object.values(simulationOperations)],
  open: openScene,
};

/** All ways at once, which must answer alike; a gate exchanges no codes of a login. */
export const everywhere: Stage = {
  all: Object.values<Operation>(operations).filter(({ id }) => id !== 'exchangeCliAuthorizationCode'),
  async open() {
    const { transport, headers, close } = await everyWay();
    const api = new Api(transport, headers);
    return { api, stateHash: () => '', ids: await furnish(api), close };
  },
};

async function openScene(): Promise<Scene> {
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-mutations-'));
  const bugs: unknown[] = [];
  const opened = await inProcessTransport({
    stateDir,
    seed: 7,
    clock: 'manual',
    startTime,
    accounts: 3,
    plan: 'none',
    // A request may start the clock, and the state would then change over time; the clock stands still.
    wall: () => startTime,
    onBug: (error) => bugs.push(error),
  });
  const api = new Api(async (request, limits) => {
    const answer = await opened.transport(request, limits);
    assert.deepEqual(bugs, [], `${request.method} ${request.target} ${request.body}`);
    return answer;
  });
  return {
    api,
    stateHash: () => opened.simulation.read(({ exchange }) => exchange.stateHash()),
    ids: await furnish(api),
    close() {
      opened.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

async function furnish(api: Api): Promise<Record<string, string[]>> {
  const accounts: string[] = (await api.get('/v1/accounts')).body.data.map(({ id }: { id: string }) => id).reverse();
  const { bid, ask } = (await api.get('/v1/markets/binance|BTCUSDT/quote')).body.data;
  const order = (changes: Record<string, unknown> = {}) => ({
    account_id: accounts[0],
    market_id: 'binance|BTCUSDT',
    side: 'buy',
    size: 0.02,
    leverage: 3,
    margin_mode: 'cross',
    ...changes,
  });
  const made = async (path: string, body: unknown) => {
    const answer = await api.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id as string;
  };
  const orders = [
    await made('/v1/orders', order({ client_order_id: 'named' })),
    await made('/v1/orders', order({ market_id: 'binance|ETHUSDT', size: 0.5, margin_mode: 'isolated' })),
    await made('/v1/orders', order({ type: 'limit', limit_price: Math.round(bid * 0.9) })),
    await made('/v1/orders', order({ type: 'stop_market', trigger_price: Math.round(ask * 1.1) })),
  ];
  const positions = (await api.get(`/v1/positions?account_id=${accounts[0]}`)).body.data;
  const twap = await made('/v1/twap-orders', { ...order({ size: 0.2 }), expected_price: bid, duration_minutes: 60 });
  const ladder = {
    start_price: Math.round(bid * 0.95),
    end_price: Math.round(bid * 0.9),
    rung_count: 4,
    distribution: 'flat',
  };
  const scaled = await made('/v1/scaled-orders', { ...order({ size: 0.1 }), ...ladder });
  const group = {
    enabled: false,
    source_account_id: accounts[0],
    targets: [{ account_id: accounts[1], multiplier_bps: 10_000 }],
  };
  const saved = await api.post('/v1/copy-trading', { groups: [group], deleted_config_ids: [] });
  return {
    account_id: accounts,
    source_account_id: accounts,
    market_id: ['binance|BTCUSDT', 'binance|ETHUSDT', 'hyperliquid|xyz:GOLD'],
    trigger_market_id: ['binance|ETHUSDT'],
    order_id: orders,
    position_id: positions.map(({ id }: { id: string }) => id),
    target_position_id: positions.map(({ id }: { id: string }) => id),
    twap_order_id: [twap],
    scaled_order_id: [scaled],
    config_id: saved.body.data.config_ids,
    client_order_id: ['named'],
  };
}

/** Numbers that are plausible here, so that requests pass more than the first rule. */
const plausible: Record<string, fc.Arbitrary<unknown>> = {
  size: fc.constantFrom(0.001, 0.02, 0.5, 1, 0.0005, 1e-9, 1e12),
  expected_position_size: fc.constantFrom(0.02, 0.5),
  leverage: fc.constantFrom(1, 3, 10, 2.5, 1000),
  price: fc.constantFrom(50_000, 92_000, 100_000.5, 3_000, 1e-9),
  limit_price: fc.constantFrom(50_000, 92_000, 100_000.5, 3_000),
  trigger_price: fc.constantFrom(50_000, 92_000, 150_000),
  take_profit_price: fc.constantFrom(50_000, 150_000),
  stop_loss_price: fc.constantFrom(50_000, 150_000),
  start_price: fc.constantFrom(60_000, 80_000),
  end_price: fc.constantFrom(60_000, 70_000),
  extra_margin: fc.constantFrom(0, 10, 1e6),
  duration_ms: fc.constantFrom(1, 250, 60_000, 0.5, 1e15),
  to: fc.constantFrom(startTime - 1, startTime, startTime + 60_000, 1e15),
};

type Fields = Record<string, unknown>;

/** A valid value in which most ids and numbers are those of the scene. */
function localized(value: unknown, ids: Scene['ids'], random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => localized(item, ids, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = ids[name];
      if (known !== undefined && random() < 0.8) return [name, known[Math.floor(random() * known.length)]];
      if (plausible[name] !== undefined && random() < 0.8 && typeof member === 'number')
        return [name, fc.sample(plausible[name], { numRuns: 1, seed: Math.floor(random() * 1e9) })[0]];
      return [name, localized(member, ids, random)];
    }),
  );
}

/** A small seeded generator: every run sends the same requests. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const strangeText = fc
  .sample(anyText({ maxLength: 30 }), { numRuns: 50, seed: 5 })
  .filter((text) => text.isWellFormed());

function targetOf(
  operation: Operation,
  { ids }: Scene,
  random: () => number,
  { query, isPathKnown }: { query: Fields; isPathKnown: boolean },
): string {
  let path: string = operation.path;
  for (const name of pathNames(operation)) {
    const known = ids[name] ?? ['x'];
    const strange = strangeText[Math.floor(random() * strangeText.length)]!;
    const value = random() < 0.9 || isPathKnown ? known[Math.floor(random() * known.length)]! : strange;
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** A value with one error, and its place; null if nothing can be wrong. */
function spoiled(schema: Schema, value: unknown, random: () => number): { field: string; value: unknown } | null {
  const mutants = [...mutantsOf(schema, value)];
  return mutants.length === 0 ? null : mutants[Math.floor(random() * mutants.length)]!;
}

/** Sends this many requests to every operation, about half of them with one error. */
export function mutatedRequests({ all, open }: Stage, requestsToEach: number): void {
  describe(`${requestsToEach} requests to each operation, half of them with one error`, () => {
    for (const operation of all) {
      describe(operation.id, () => {
        let scene: Scene;
        before(async () => {
          scene = await open();
        });
        after(() => scene.close());

        test('never a 500, and refusals do not change the state', async () => {
          const random = seeded(operation.id.length * 7_919 + operation.path.length);
          const settings = { numRuns: requestsToEach, seed: 11 };
          const nothing: Fields[] = Array.from({ length: requestsToEach }, () => ({}));
          const bodies =
            operation.body === null ? nothing : fc.sample(anyBody(operation as Operation & { body: Schema }), settings);
          const queries =
            operation.query === null
              ? nothing
              : fc.sample(anyQuery(operation as Operation & { query: Schema }), settings);
          let hash = scene.stateHash();
          for (const [index, drawn] of bodies.entries()) {
            const body = localized(drawn, scene.ids, random);
            const query = localized(queries[index], scene.ids, random) as Fields;
            const mutant = operation.body !== null && random() < 0.5 ? spoiled(operation.body, body, random) : null;
            const target = targetOf(operation, scene, random, { query, isPathKnown: mutant !== null });
            const answer = await scene.api.send(operation.method, target, {
              ...(operation.body !== null && { body: mutant === null ? body : mutant.value }),
            });
            if (mutant !== null) assertNamed(answer, mutant.field);
            const now = scene.stateHash();
            // When a rule refuses a well-formed order, its record stays, and uses up a number.
            if (answer.status >= 400 && answer.body.error?.order_id === undefined)
              assert.equal(
                now,
                hash,
                `${operation.method} ${target} ${JSON.stringify(body)} -> ${JSON.stringify(answer.body)}`,
              );
            hash = now;
          }
        });
      });
    }
  });
}

function assertNamed({ status, body }: Answer, field: string): void {
  const told = `${field}: ${status} ${JSON.stringify(body).slice(0, 400)}`;
  assert.equal(status, 400, told);
  const details = (body.error ?? body).details as { field: string }[];
  assert.ok(
    details.some((detail) => detail.field === field || (field === 'body' && detail.field === 'body')),
    told,
  );
}

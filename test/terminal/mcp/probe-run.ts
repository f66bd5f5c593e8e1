import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mandateText, type NamedMandate } from '../../../src/desk/mandate/mandate-file.ts';
import { signMandate } from '../../../src/desk/mandate/signed.ts';
import type { Desk } from '../cli/practice.ts';
import type { Agent, Message } from './agent.ts';
import type { HostedWorld } from './hosted-world.ts';

/** One call of a probe, and what must come of it. */
export interface ProbeCall {
  tool?: string;
  args?: Record<string, unknown>;
  /** The code or the rule of the refusal. */
  refused?: string;
  /** Only calls after so many are refused. */
  refused_after?: number;
  /** The order's status. */
  status?: string;
  not_filled?: boolean;
  times?: number;
  at_once?: boolean;
  /** The second agent, on another account. */
  bot?: 2;
  /** Another agent on the same account can't start, with these words. */
  second?: 'refused';
  why?: string;
  restart?: true;
  equals?: Record<string, unknown>;
  at_most?: Record<string, number>;
  says?: string;
}

/** A request in words, the calls that an agent makes of it, and what is true afterwards. */
export interface Probe {
  class: string;
  words: string;
  mandate?: Partial<NamedMandate>;
  calls: ProbeCall[];
  after: { positions: Record<string, number>; working: number; fills: number };
}

const ids: Readonly<Record<string, string>> = { BTC: 'binance|BTCUSDT', ETH: 'binance|ETHUSDT' };

/** The terms that a probe has unless it says otherwise. */
export function termsOf(
  accounts: readonly string[],
  name: string,
  { markets, ...more }: Partial<NamedMandate> = {},
): NamedMandate {
  return {
    name,
    accounts,
    markets: (markets ?? ['BTC', 'ETH']).map((symbol) => ids[symbol]!),
    sides: ['buy', 'sell'],
    largestOrderUsd: 1_000,
    largestPositionUsd: 2_000,
    lossPerDayUsd: 1_000,
    ordersPerMinute: 1_000,
    until: Date.now() + 86_400_000,
    ...more,
  };
}

/** Signs a mandate, as its owner does, and returns its file. */
export function signed(desk: Desk, mandate: NamedMandate): string {
  const file = join(desk.folder, `${mandate.name}.toml`);
  writeFileSync(file, mandateText(mandate));
  signMandate(desk.variables, mandate, Date.now());
  return file;
}

/** Connects an agent under a mandate. */
export function withMandate(world: HostedWorld, mandate: NamedMandate, argv: readonly string[] = []): Promise<Agent> {
  return world.agent([...argv, '--mandate', signed(world.desk, mandate)]);
}

/** Whether a probe can share its agent's program and mandate with others, each on an account of its own. */
export function isPlain({ mandate, calls }: Probe): boolean {
  return (
    mandate === undefined &&
    calls.every(({ restart, bot, second }) => restart === undefined && bot === undefined && second === undefined)
  );
}

/** Where a probe runs. */
interface Ground {
  readonly account: string;
  /** Of its second agent. */
  readonly spare: string;
  readonly shared: Agent;
  /** Of its mandate. */
  readonly name: string;
}

/** Runs a probe on an account of its own, and checks what is true afterwards. */
export async function runProbe(
  world: HostedWorld,
  probe: Probe,
  { account, spare, shared, name }: Ground,
): Promise<void> {
  const start = (bot: string, of = account) => withMandate(world, termsOf([of], bot, probe.mandate), ['--account', of]);
  const agents = isPlain(probe) ? [shared] : [await start(name)];
  try {
    const filled = { 1: argumentsFor(account), 2: argumentsFor(spare) };
    for (const call of probe.calls) {
      if (call.restart) {
        await agents[0]!.end();
        agents[0] = await start(name);
        continue;
      }
      if (call.second !== undefined) {
        await assert.rejects(start(`${name}-b`), new RegExp(call.why!));
        continue;
      }
      if (call.bot === 2) agents[1] ??= await start(`${name}-b`, spare);
      const agent = agents[(call.bot ?? 1) - 1]!;
      const one = async () => agent.call(call.tool!, await filled[call.bot ?? 1](agent, call));
      const results: Message[] = [];
      if (call.at_once) results.push(...(await Promise.all(Array.from({ length: call.times! }, one))));
      else for (let nth = 0; nth < (call.times ?? 1); nth++) results.push(await one());
      for (const [nth, result] of results.entries()) check(call, result, nth);
    }
    await checkAfter(world, account, probe);
  } finally {
    await Promise.all(agents.filter((agent) => agent !== shared).map((agent) => agent.end()));
  }
}

/** What a call sends: its account and keys, and prices in place of multiples of the mark. */
function argumentsFor(account: string) {
  let keys = 0;
  const marks = new Map<string, number>();
  return async (agent: Agent, { tool, args = {} }: ProbeCall): Promise<Record<string, unknown>> => {
    const all: Record<string, unknown> = { ...args };
    if (typeof all.idempotency_key === 'string' && all.idempotency_key !== '') {
      const key = all.idempotency_key === '#' ? `${++keys}` : all.idempotency_key;
      all.idempotency_key = `${key}-${account}`.slice(0, 64);
    }
    if (tool !== 'list_markets' && tool !== 'get_quote') all.account ??= account;
    for (const [field, value] of Object.entries(args)) {
      if (field === 'order' && value !== undefined && !String(value).startsWith('ord_'))
        all[field] = `${value}-${account}`;
      const times = typeof value === 'string' ? /^([\d.]+) mark$/.exec(value)?.[1] : undefined;
      if (times === undefined) continue;
      const market = String(args.market ?? 'ETH');
      if (!marks.has(market)) marks.set(market, (await agent.call('get_quote', { market })).quote.mark);
      all[field] = Number((Number(times) * marks.get(market)!).toFixed(1));
    }
    return all;
  };
}

function check(call: ProbeCall, result: Message, nth: number): void {
  const shown = `${call.tool} ${JSON.stringify(call.args)}: ${JSON.stringify(result)}`;
  assert.equal(result.environment, 'live', shown);
  assert.ok('account' in result && 'room_usd' in result, shown);
  if (call.refused !== undefined && nth >= (call.refused_after ?? 0)) {
    assert.ok(result.isError, shown);
    assert.ok([result.error.code, result.error.rule_id].includes(call.refused), shown);
    return;
  }
  assert.ok(!result.isError, shown);
  const isRepeated = /^Nothing was (sent|done) again/.test(result.summary);
  if (typeof result.repeated === 'boolean') assert.equal(isRepeated, result.repeated, shown);
  if (call.status !== undefined) assert.equal(result.order.status, call.status, shown);
  if (call.not_filled) assert.ok(result.order.status !== 'filled' && result.order.filled.base === 0, shown);
  if (call.says !== undefined) assert.ok(result.summary.includes(call.says), shown);
  for (const [path, value] of Object.entries(call.equals ?? {})) assert.deepEqual(at(result, path), value, shown);
  for (const [path, most] of Object.entries(call.at_most ?? {})) assert.ok(at(result, path) <= most, shown);
}

/** As the service itself has it, not as tools show it. */
async function checkAfter({ client }: HostedWorld, account_id: string, { after }: Probe): Promise<void> {
  const [positions, orders, fills] = await Promise.all([
    client.call('listOpenPositions', { query: { account_id } }),
    client.call('listOrders', { query: { account_id, status: 'working' } }),
    client.call('listFills', { query: { account_id } }),
  ]);
  const held = Object.fromEntries(positions.data.map((one) => [one.market_id, one.size * one.entry_price]));
  const known = Object.keys(after.positions).map((symbol) => ids[symbol]);
  assert.deepEqual(Object.keys(held).sort(), known.sort(), 'positions');
  // A fill is a little off the mark.
  for (const [symbol, most] of Object.entries(after.positions))
    assert.ok(held[ids[symbol]!]! <= most * 1.01, `${symbol}: ${held[ids[symbol]!]}`);
  assert.equal(orders.data.length, after.working, 'working orders');
  assert.equal(fills.data.length, after.fills, 'fills');
}

/** What is at a path such as `order.filled.base` or `fills.length`. */
function at(value: Message, path: string): Message {
  return path.split('.').reduce((part, name) => part?.[name], value);
}

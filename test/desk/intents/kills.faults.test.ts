import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { unsettledWrites } from '../../../src/desk/intents/intent-files.ts';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../../terminal/cli/built-perp.ts';
import { placeLimit } from '../../wire/client/write-trials.ts';
import { type Gate, gate } from './gate.ts';

const kills = process.env.PERP_LONG === '1' ? 5_000 : 30;
/** Parallel runs, which also interfere with each other. */
const atATime = 4;

const here = machine();
const inProcess = machine();
let served: Served;
let entrance: Gate;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  await freshWorld(inProcess.variables, 1);
  const most = ['trades_per_minute', 'trades_per_hour', 'trades_per_day', 'max_resting_orders'];
  const limits = Object.fromEntries(most.map((limit) => [limit, 1e9]));
  const { exit, err } = await new BuiltRun(['sim', 'policy', JSON.stringify({ limits })], inProcess.variables).ended;
  assert.equal(exit, 0, err);
  served = await servedWorld(here.variables);
  entrance = await gate(served.baseUrl, () => false);
});
after(async () => {
  await entrance.close();
  await served.stop();
  here.remove();
  inProcess.remove();
});

interface Killed {
  price: number;
  /** Whether it had printed the order. */
  isShown: boolean;
  wasKilled: boolean;
}

/** Starts a command that places an order, and kills it after some time, or once its order has been sent. */
async function placeAndKill(
  variables: Record<string, string>,
  price: number,
  after: number | Promise<void>,
): Promise<Killed> {
  const run = new BuiltRun([...placeLimit(price), '--json'], variables);
  const isOver = new AbortController();
  const moment = typeof after === 'number' ? delay(after, undefined, { signal: isOver.signal }) : after;
  moment.then(
    () => run.process.kill('SIGKILL'),
    () => {},
  );
  const { exit, out } = await run.ended;
  isOver.abort();
  assert.ok(exit === null || exit === 0, `${exit} ${run.err}`);
  return { price, isShown: out.trimEnd().endsWith('}'), wasKilled: exit === null };
}

interface Place {
  variables: Record<string, string>;
  /** Resolves when the order at a price is in flight without an answer, if that can be detected. */
  sent?(price: number): Promise<void>;
  /** Prices of all working orders. */
  prices(): Promise<number[]>;
}

/** The outcome of each order according to `pending resume`, by its price. */
async function resume(variables: Record<string, string>): Promise<Map<number, string>> {
  const { exit, out, err } = await new BuiltRun(['pending', 'resume', '--json'], variables).ended;
  assert.equal(exit, 0, out + err);
  const rows = JSON.parse(out) as { what: string; outcome: string }[];
  return new Map(rows.map(({ what, outcome }) => [Number(/ at ([\d.]+)/.exec(what)![1]), outcome]));
}

/**
 * Kills commands until `kills` of them were killed. Checks that every order exists once or not at all, and that
 * `pending resume` knows about every one that a killed command did not show. Returns how many were killed while their
 * write was open.
 */
async function killMany({ variables, sent, prices }: Place, kills: number): Promise<number> {
  const sum = { killed: 0, unsettled: 0 };
  let steps = 200_000;
  // Finds the moment of the write itself, however busy the machine is.
  let aroundMs = 150;
  while (sum.killed < kills) {
    const begun = Array.from({ length: atATime }, (_, nth) => {
      steps += 1;
      const price = steps / 10;
      const share = ((steps * 37) % 101) / 100;
      return placeAndKill(variables, price, (nth === 0 && sent?.(price)) || aroundMs * (0.88 + 0.24 * share));
    });
    const ended = await Promise.all(begun);
    // Requests in flight when their sender was killed arrive now or never.
    await delay(20);
    const { writes } = unsettledWrites(`${variables.PERP_STATE_DIR}/intents`);
    const told = await resume(variables);
    assert.equal(told.size, writes.length);
    const there = await prices();
    for (const { price: own, isShown, wasKilled } of ended) {
      const isThere = told.has(own) ? told.get(own) === 'done' : isShown;
      const orders = there.filter((other) => other === own).length;
      assert.equal(orders, Number(isThere), `at ${own}: ${told.get(own)}, shown: ${isShown}`);
      sum.killed += Number(wasKilled);
      sum.unsettled += Number(told.has(own));
      if (!told.has(own)) aroundMs *= isShown ? 0.97 : 1.03;
    }
  }
  return sum.unsettled;
}

test(`killed ${kills} times, the command never loses an order or sends it twice, and knows each outcome`, {
  timeout: 3_600_000,
}, async () => {
  const remote = { PERP_ENV: 'live', PERP_BASE_URL: entrance.url, PERP_API_KEY: served.key };
  const sent = (price: number) => entrance.sent(new RegExp(`"limit_price":${price}[,}]`));
  const prices = async () => {
    const working = await served.world.workingOrders();
    await served.world.tidy();
    return working.map((order) => order.limit_price!);
  };
  const unsettled = await killMany({ variables: { ...here.variables, ...remote }, sent, prices }, kills);
  assert.ok(unsettled >= kills / atATime, `only ${unsettled} of them while their write was open`);
});

test('killed during an in-process simulation, the command never loses an order or sends it twice', async () => {
  const { variables } = inProcess;
  const prices = async () => {
    const { out } = await new BuiltRun(['order', 'list', '--status', 'working', '--json'], variables).ended;
    return (JSON.parse(out) as { limit_price: number }[]).map((order) => order.limit_price);
  };
  await killMany({ variables, prices }, kills / 10);
});

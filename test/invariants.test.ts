import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Invariant, InvariantBroken, invariants } from '../src/base/terms/invariants.ts';
import { coverOf } from '../src/desk/account/means.ts';
import { IntentFile } from '../src/desk/intents/intent-file.ts';
import { PriceLadder } from '../src/desk/ladder/price-ladder.ts';
import { lockAccount } from '../src/desk/lock/trading-lock.ts';
import { judgeWrite } from '../src/desk/mandate/judge-write.ts';
import { Book } from '../src/exchange/engine/book/book.ts';
import type { OpenState } from '../src/exchange/engine/commands.ts';
import { Exchange, openWorld, takeChangesOf } from '../src/exchange/engine/exchange.ts';
import { assertExitsFit } from '../src/exchange/engine/exits/exits.ts';
import { bookTaking, fill } from '../src/exchange/engine/fills/take.ts';
import { firesAbove, firingMark, RankedOrders } from '../src/exchange/engine/indexes/triggers.ts';
import type { Order } from '../src/exchange/engine/model.ts';
import { consequences } from '../src/exchange/engine/moments.ts';
import { meetBook } from '../src/exchange/engine/order-handling/place-order.ts';
import { end } from '../src/exchange/engine/orders/working-orders.ts';
import { book } from '../src/exchange/engine/positions/positions.ts';
import { countSliceFill } from '../src/exchange/engine/strategies/twap.ts';
import { RestingOrders } from '../src/exchange/engine/world/market.ts';
import { type Fill, marketOf, portfolioOf, touchAccount } from '../src/exchange/engine/world/world.ts';
import { Cells } from '../src/exchange/markets/synthetic/cells.ts';
import { Writer } from '../src/exchange/store/query.ts';
import { soundAnswer } from '../src/service/handlers/service.ts';
import { Simulation } from '../src/service/simulation/simulation.ts';
import { position as heldPosition } from './desk/guard/views.ts';
import { noteOf, orderIntent } from './desk/intents/writes.ts';
import { btc, exposed, place } from './desk/mandate/exposures.ts';
import { noRates, Scenario } from './exchange/engine/scenario.ts';
import { definition, type Level } from './exchange/engine/scripted-source.ts';
import { changes, remembered } from './exchange/store/samples.ts';
import { newStore } from './exchange/store/state-file.ts';
import { assertCalls } from './mutants.ts';
import { temporaryDirectory } from './service/temporary-directory.ts';
import { test, trial } from './tiers.ts';

const levels = (price: number, size: number): Level[] => [[price, size]];
const still = { time: 0, bids: levels(99, 100), asks: levels(101, 100) };

/** An account that holds ten lots with a stop and a target, and a bid that rests; a print comes at 5. */
function practice() {
  const scenario = new Scenario([still, { time: 5, print: [99, 500] as Level, aggressor: 'sell' }]).to(0);
  scenario.place('buy', 10, { takeProfitPrice: 150, stopLossPrice: 50 });
  const resting = scenario.place('buy', 5, { limitPrice: 99 });
  const open = scenario.exchange.openState();
  const [target, stop] = open.orders.filter(({ exitGroup }) => exitGroup !== null) as [Order, Order];
  return { scenario, open, resting, target, stop, world: worldOf(scenario, open) };
}

function worldOf({ source }: Scenario, open: OpenState, its = consequences) {
  const world = openWorld(source, open, noRates, its);
  const { account, ...portfolio } = [...world.portfolios.values()][0]!;
  return {
    world,
    account,
    portfolio: { account, ...portfolio },
    market: marketOf(world, source.definitions[0]!.marketId),
  };
}

/** Lets a changed state continue to the print at 5. */
function played(change: (open: OpenState, resting: Order) => void): void {
  const { scenario, open, resting } = practice();
  change(open, open.orders.find(({ id }) => id === resting.id)!);
  new Exchange(scenario.source, open, noRates).advance(9);
}

/** Closes lots of the position directly, with the given consequences. */
function reduced(lots: number, its = consequences, change: (open: OpenState) => void = () => {}): void {
  const { scenario, open } = practice();
  change(open);
  const { world, portfolio, market } = worldOf(scenario, open, its);
  const reducing = { ...scenario.place('sell', 1, { limitPrice: 120, reduceOnly: true }), size: lots };
  world.orders.set(reducing.id, reducing);
  market.resting('sell').add(reducing);
  fill({ world, portfolio, market, order: reducing }, lots, BigInt(lots), 'maker');
}

/**
 * How each invariant breaks, wherever it is asserted: by calling what must not be called, or with records that can't
 * be.
 */
const broken: Readonly<Record<Invariant, readonly ((t: TestContext) => unknown)[]>> = {
  'known-account': [() => portfolioOf(practice().world.world, 'acc_none')],
  'known-market': [
    () => marketOf(practice().world.world, 'binance|NONE'),
    () => Simulation.prototype.market.call({ markets: new Map() } as unknown as Simulation, 'binance|NONE'),
  ],
  'time-whole': [
    () => practice().scenario.exchange.advance(1.5),
    () => practice().scenario.exchange.advanceUntil(Number.NaN, {}),
  ],
  'time-forward': [
    () => {
      const { world, account } = practice().world;
      world.changedAt = world.now + 1;
      touchAccount(world, account);
    },
  ],
  'book-forward': [
    () => {
      const past = { bids: [], bidCount: 0, asks: [], askCount: 0 };
      const one = new Book();
      one.update(2, 1, past);
      one.update(1, 2, past);
    },
  ],
  'ledger-sum': [
    () => {
      const { world, account } = practice().world;
      account.balance += 1n;
      touchAccount(world, account);
      takeChangesOf(world);
    },
  ],
  'bankruptcy-covers': [
    () => {
      const { world, account } = practice().world;
      book(world, account, 'bankruptcy', -account.balance - 1n);
    },
  ],
  'fill-within-order': [
    () => {
      const { resting, world: at } = practice();
      fill({ ...at, order: at.world.orders.get(resting.id)! }, 6, 0n, 'maker');
    },
  ],
  'fill-after-order': [() => played((_, resting) => Object.assign(resting, { requestedAt: 6 }))],
  'walk-adds-up': [
    () => {
      const { resting, world: at } = practice();
      const walk = { filled: 5, notional: 0n, worstPrice: 98, levels: 1 };
      at.market.book.replace(1, 1, { bids: [], bidCount: 0, asks: [101, 4], askCount: 2 });
      bookTaking({ ...at, order: at.world.orders.get(resting.id)! }, walk, {});
    },
  ],
  'reduction-adds-nothing': [() => reduced(11)],
  'ends-once': [
    () => {
      const { resting, world: at } = practice();
      const order = at.world.orders.get(resting.id)!;
      end(at.world, order, 'canceled');
      end(at.world, order, 'canceled');
    },
  ],
  'kind-fits': [
    () => firesAbove({ ...practice().resting, mode: 'market' }),
    () => firingMark(definition(), { ...practice().stop, triggerPrice: null }),
    () => new RestingOrders(new Book().bids).rankOf({ ...practice().resting, limitPrice: null }),
    () => {
      const { resting, world: at } = practice();
      meetBook({ ...at, order: { ...resting, mode: 'liquidation' } });
    },
  ],
  'exits-fit': [() => reduced(4, { ...consequences, ofFill: (_world, fill) => assertExitsFit(fill) })],
  'oco-pair': [
    () => {
      const { scenario, open, target, stop } = practice();
      stop.ocoSiblingOrderId = null;
      const { world, portfolio, market } = worldOf(scenario, open);
      fill({ world, portfolio, market, order: world.orders.get(target.id)! }, 4, 0n, 'maker');
    },
  ],
  'queue-known': [() => played((_, resting) => Object.assign(resting, { queueAhead: -1 }))],
  'index-holds': [() => new RankedOrders().remove(1, practice().resting)],
  'parent-total': [
    () => {
      const { world } = practice().world;
      const twap = { id: 'twp_1', totalSize: 5, filledSize: 3, filledNotional: 0n };
      world.twaps.set(twap.id, twap as never);
      countSliceFill(world, { order: { twapOrderId: twap.id }, lots: 3, notional: 0n } as unknown as Fill);
    },
  ],
  'numbers-grow': [
    (t) => {
      const store = newStore(t);
      store.transaction(() => store.write(changes({ sequence: 9 })));
      store.transaction(() => store.write(changes({ sequence: 8 })));
    },
  ],
  'changes-in-transaction': [(t) => newStore(t).write(changes({}))],
  'row-written': [
    () => {
      const nothing = { run: () => ({ changes: 0 }) };
      const table = { name: 'orders', encode: () => [], insertIfNew: () => '', update: () => '' };
      new Writer({ prepare: () => nothing, gain() {} } as never, table as never).put({});
    },
  ],
  'key-once': [
    (t) => {
      const store = newStore(t);
      for (const time of [1, 2]) store.remember(remembered('a', { createdAt: time }));
    },
  ],
  'answer-numbers': [() => soundAnswer({ status: 200, body: { price: Number.NaN } })],
  'kept-before-sent': [
    (t) => {
      const intents = new IntentFile(temporaryDirectory(t));
      const note = noteOf(orderIntent('a'));
      intents.openAhead(note);
      intents.release(note.id);
    },
  ],
  'lock-grows': [
    (t) => {
      const folder = join(temporaryDirectory(t), 'locks');
      for (const until of [1, Number.NaN]) lockAccount(folder, { account: 'acc_1', since: 0, until, why: '' });
    },
  ],
  'cover-within-position': [
    () => {
      // A position that is smaller when it is read again stands for wrong arithmetic.
      const sizes = [3, 1];
      const shrinking = Object.defineProperty(heldPosition(), 'size', { get: () => sizes.shift() ?? 1 });
      const stop = { id: 'ord_1', mode: 'stop_market', size: 3, trigger_price: 1, target_position_id: 'pos_1' };
      coverOf(shrinking, [stop as never]);
    },
  ],
  'within-mandate': [
    () => {
      // Terms that are narrower when they are read again stand for a rule that is missing.
      const read = [9, 1];
      const mandate = {
        accounts: ['acc_1'],
        markets: [btc],
        sides: ['buy'],
        largestOrderUsd: 9,
        lossPerDayUsd: 1,
        ordersPerMinute: 1,
        until: 9,
      };
      const narrowing = Object.defineProperty(mandate, 'largestPositionUsd', {
        enumerable: true,
        get: () => read.shift(),
      });
      const order = place({ type: 'limit', size: 0.05, limit_price: 100 });
      judgeWrite(narrowing as never, exposed, order, 0);
    },
  ],
  'shown-price': [
    () => {
      const ladder = new PriceLadder();
      const [bids, asks] = [[{ px: '1', sz: '1' }], [{ px: '3', sz: '1' }]];
      const market = { marketId: 'm', tick: 1, orders: [], ahead: new Map(), lines: [], prints: [] };
      const draw = () => ladder.draw({ ...market, book: { bids, asks } as never }, 3, 0);
      draw();
      ladder.moveCursor(0);
      Object.assign(draw()!, { rows: [] });
      ladder.priceAtCursor();
    },
  ],
  'prints-add-up': [
    () => {
      const cells = { minute: { counts: [1, 1, 1, 1] }, used: [0, 1, 2, 3], prices: [0, 0, 0, 0], lots: [] };
      (Cells.prototype as unknown as { stretchPair: (...of: unknown[]) => void }).stretchPair.call(
        cells,
        9,
        0,
        [0, 1, 2, 3],
      );
    },
  ],
};

for (const [name, ways] of Object.entries(broken))
  test(`"${name}": ${invariants[name as Invariant]}`, (t) => {
    for (const way of ways)
      assert.throws(
        () => way(t),
        (error) => error instanceof InvariantBroken && error.invariant === name,
      );
  });

trial('every assert is one of an invariant, breaks above, and is in test/invariants.md with its file', () => {
  const calls = assertCalls();
  const asserted = calls.map(({ invariant, file }) => `| \`${invariant}\` | ${invariants[invariant]} | \`${file}\` |`);
  const lines = readFileSync('test/invariants.md', 'utf8').split('\n');
  assert.deepEqual(lines.filter((line) => line.startsWith('| `')).sort(), [...new Set(asserted)].sort());
  for (const [invariant, ways] of Object.entries(broken))
    assert.equal(ways.length, calls.filter((call) => call.invariant === invariant).length, invariant);
});

test('what holds over whole runs names the test that holds it', () => {
  const rows = readFileSync('test/invariants.md', 'utf8').matchAll(/^\| (\w+) \| .+ \| `(test\/\S+)`: "(.+)" \|$/gm);
  const held = [...rows].map(([, room, file, name]) => ({ room, file: file!, name: name! }));
  const isTest = ({ file, name }: (typeof held)[number]) =>
    new RegExp(`\\b(?:it|test|trial)\\(\\s*['"\`]${RegExp.escape(name)}`).test(readFileSync(file, 'utf8'));
  assert.deepEqual(
    held.filter((one) => !isTest(one)),
    [],
  );
  assert.deepEqual(new Set(held.map(({ room }) => room)), new Set(['gate', 'lab', 'sdk']));
});

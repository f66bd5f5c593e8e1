import { codeText, exitCodes, usageFailure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { counted, usd } from '../../base/text/format.ts';
import { exitsOf } from '../../desk/account/means.ts';
import { type Aim, planExits, type Snapshot } from '../../desk/preview/exit-plan.ts';
import { checkFarStops, checkSides } from '../../desk/preview/exit-preview.ts';
import { draftClose } from '../../desk/preview/order-draft.ts';
import { accountId, accountRisk, ofChosenAccount } from '../../desk/resolve/account.ts';
import { resolveOrder, resolvePosition, workingOrders } from '../../desk/resolve/holdings.ts';
import type { Size } from '../../desk/values/sizes.ts';
import { exitBatch, sendPlanned } from '../../desk/writes/exit-changes.ts';
import { flatten } from '../../desk/writes/flatten.ts';
import { asWhole } from '../../desk/writes/write-figures.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { array, boolean, closed, nullable, object, optional, positive, string } from '../../wire/contract/schema.ts';
import type { Console } from '../console/console.ts';
import { defineTool, type Tool } from './agent-console.ts';
import { keptBody, keyField, keyReused, placedBefore, placedResult, positionSentence, sent } from './placed.ts';
import { givenSize, OrderShape, orderShown, plainSizeFields, positionShown, Sized } from './shapes.ts';
import { accountField, marketField, marketNamed, standing } from './tools-reading.ts';

const cancelTool = defineTool({
  name: 'cancel_orders',
  description: 'Cancels working orders: those named, or all of a market. It never closes a position.',
  changes: true,
  input: closed({
    ...keyField,
    ...accountField,
    orders: optional(array(string(), undefined, { minItems: 1, maxItems: 50 })),
    market: optional(marketField),
  }),
  output: { canceled: array(string()), failed: array(object({ order: string() })) },
  async run(console, { orders, market }, call) {
    if ((orders === undefined) === (market === undefined)) throw usageFailure('Give orders or market, one of them.');
    const named = orders ?? (await workingIn(console, market!));
    const canceled: string[] = [];
    const failed: { order: string; code: string; message: string }[] = [];
    for (const name of new Set(named)) {
      call.stopIfCanceled();
      try {
        canceled.push(await cancelOne(console, name));
      } catch (error) {
        const { exit, code, message } = factsOf(error);
        if (exit === exitCodes.bug || exit === exitCodes.outcomeUnknown) throw error;
        failed.push({ order: name, code: codeText(code), message });
      }
    }
    console.memory.forget();
    const rest = failed.length === 0 ? '' : ` ${counted(failed.length, 'order')} could not be canceled.`;
    return { summary: `${counted(canceled.length, 'order')} canceled.${rest}`, canceled, failed };
  },
});

async function workingIn(console: Console, name: string): Promise<string[]> {
  const { market_id } = await marketNamed(console, name);
  const working = await workingOrders(console, await accountId(console));
  return working.filter((order) => order.market_id === market_id).map(({ id }) => id);
}

/** Cancels an order; an already canceled one is treated as canceled. */
async function cancelOne(console: Console, name: string): Promise<string> {
  const order = ofChosenAccount(console, await resolveOrder(console, name));
  if (order.status !== 'canceled') await console.call('cancelOrder', { path: { order_id: order.id } });
  return order.id;
}

const closeTool = defineTool({
  name: 'close_position',
  description: 'Closes a position at market, all of it or a size of it. It never opens one the other way.',
  changes: true,
  input: closed({ ...keyField, ...accountField, position: string('Id or symbol.'), ...plainSizeFields }),
  output: { order: OrderShape },
  async run(console, { position: name, ...size }, call) {
    const before = await placedBefore(console, call.key);
    if (before !== undefined) {
      if (!before.reduce_only) throw keyReused();
      return placedResult(console, before, true);
    }
    const request = await keptBody(call, async () => {
      const position = ofChosenAccount(console, await positionNamed(console, name));
      if (position.status === 'closed')
        throw usageFailure(`Position ${position.id} is closed already. Nothing was sent.`);
      const typed = { size: givenSize(size) as Size | undefined, crossOk: false, clientOrderId: call.key };
      const { body } = await draftClose(console, typed, position);
      return { path: { position_id: position.id }, body };
    });
    const { data } = await sent(call, () => console.call('closePosition', { ...request, idempotencyKey: call.key }));
    return placedResult(console, data, false);
  },
});

async function positionNamed(console: Console, name: string): Promise<Position> {
  if (!/^[\x21-\x7e]{1,64}$/.test(name)) await marketNamed(console, name);
  return resolvePosition(console, name);
}

const exitsTool = defineTool({
  name: 'set_exits',
  description:
    'Moves, places or (null) cancels the stop-loss and take-profit of an open position. A moved stop grows until it covers the position. What is omitted stays.',
  changes: true,
  input: closed({
    ...keyField,
    ...accountField,
    position: string('Id or symbol.'),
    stop_loss_price: optional(nullable(positive())),
    take_profit_price: optional(nullable(positive())),
  }),
  output: { position: nullable(object({ size: Sized })) },
  async run(console, { position: name, stop_loss_price: stop, take_profit_price: target }, call) {
    const found = ofChosenAccount(console, await positionNamed(console, name));
    if (found.status === 'closed') throw usageFailure(`Position ${found.id} is closed. Nothing was sent.`);
    const aims: Aim[] = [];
    if (target !== undefined) aims.push({ group: 'tp', price: target });
    if (stop !== undefined) aims.push({ group: 'sl', price: stop });
    if (aims.length === 0) throw usageFailure('Give stop_loss_price, take_profit_price or both. Nothing was sent.');
    const plan = async (now: Snapshot) => planExits(now, aims);
    const working = await workingOrders(console, found.account_id);
    const snapshot: Snapshot = { position: found, exits: exitsOf(found, working) };
    const operations = await plan(snapshot);
    if (operations.length > 0) {
      await checkFarStops(console, snapshot, operations, 'refuse');
      await checkSides(console, snapshot, operations);
      const request = { path: { position_id: found.id }, body: exitBatch(snapshot, operations) };
      await sent(call, () => sendPlanned(console, request, { snapshot, operations }, plan));
    }
    console.memory.forget();
    const seen = await standing(console);
    const held = seen.positions.find(({ id }) => id === found.id);
    return {
      summary: `${operations.length === 0 ? 'The exits are as wanted already; nothing was sent.' : 'The exits are changed.'} ${held === undefined ? 'The position is closed.' : positionSentence(held)}`,
      position: held === undefined ? null : positionShown(held, seen),
    };
  },
});

const flattenTool = defineTool({
  name: 'flatten',
  description:
    'Cancels every order and TWAP of the account and closes every position at market, until nothing is left.',
  changes: true,
  input: closed({ ...keyField, ...accountField }),
  output: { is_flat: boolean() },
  async run(console, _, call) {
    const { id } = await accountRisk(console);
    call.stopIfCanceled();
    const done = await flatten(console, id);
    console.memory.forget();
    const { positions = null, orders = null, twaps = null } = done.left ?? {};
    const isFlat = [positions, orders, twaps].every((list) => list?.length === 0);
    const paid = done.closed.reduce((sum, { fee = 0 }) => sum + fee, 0);
    return {
      summary: isFlat
        ? `Flat: ${counted(done.closed.length, 'position')} closed, ${counted(done.canceled.orders.length, 'order')} canceled, ${usd(paid)} USD of fees.`
        : 'Not flat: something is left, or could not be read.',
      is_flat: isFlat,
      left: { positions, orders, twaps },
      closed: done.closed.map((order) =>
        orderShown(asWhole(order), { mark: order.computed.average_price ?? undefined, risk: 0 }),
      ),
      canceled: done.canceled,
      failures: done.failures,
      outcome_unknown: done.outcome_unknown,
    };
  },
});

/** The tools that cancel, close, and change exits. */
export const closingTools: readonly Tool[] = [cancelTool, closeTool, exitsTool, flattenTool];

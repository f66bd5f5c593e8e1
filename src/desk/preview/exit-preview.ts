import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { type ExitGroup, exitGroupOf } from '../../base/terms/order-types.ts';
import { marketName, quantity, word } from '../../base/text/format.ts';
import type { ExitOperation, Position } from '../../wire/contract/positions.ts';
import { atRisk, coverOf, exitsOf } from '../account/means.ts';
import { oneROf } from '../reading/one-r.ts';
import { exitMarks, recentPolicy, twapsBefore } from '../reading/prospects.ts';
import { accountRisk } from '../resolve/account.ts';
import { positionsOf, workingOrders } from '../resolve/holdings.ts';
import { type Multiple, resolvePrice } from '../resolve/price.ts';
import { closeQuote, quoteOnce, sizedQuote, takerFeeBps } from '../resolve/quote.ts';
import { resolveSize } from '../resolve/size.ts';
import { endOf, outlookOf } from '../risk/outlook.ts';
import type { Session } from '../session/session.ts';
import { type ExitPlan, lotsOfTargets } from '../values/exit-plans.ts';
import type { Price } from '../values/prices.ts';
import type { Size } from '../values/sizes.ts';
import {
  type Closed,
  exitNames,
  exitsAfter,
  ordersAfter,
  type PlannedExit,
  riskPerUnit,
  type Snapshot,
  stopsBeyond,
} from './exit-plan.ts';
import type { FarStop } from './prospect.ts';
import { checkFarStop } from './protection.ts';

/** The exits of a position after a change, and their effect. */
export type ExitPreview = Awaited<ReturnType<typeof previewExits>>;

/**
 * The exits of a position after the operations, each with its price, and the figures of the position with them: its
 * account is judged as if they were working. `beyond`: for each stop that is reached only after the account or the
 * position has ended, a sentence. Throws a failure if an exit that is placed or moved would trigger at once.
 */
export async function previewExits(session: Session, snapshot: Snapshot, operations: readonly ExitOperation[]) {
  const { position } = snapshot;
  const { account_id, market_id } = position;
  const [account, positions, working, twaps, policy] = await Promise.all([
    accountRisk(session, account_id),
    positionsOf(session, account_id),
    workingOrders(session, account_id),
    twapsBefore(session, account_id),
    recentPolicy(session, account_id),
    checkSides(session, snapshot, operations),
  ]);
  const holdings = { positions, working: ordersAfter(snapshot, operations, working), twaps, policy };
  const marks = await exitMarks(session, holdings, undefined, (market_id, { side, size }) =>
    side === undefined || size === undefined
      ? quoteOnce(session, market_id)
      : sizedQuote(session, { market_id, account_id, side, size }),
  );
  const outlook = outlookOf(account, holdings, marks);
  const cover = coverOf(position, holdings.working, outlook);
  const mark = marks.get(market_id);
  const { loss } = atRisk(position, cover, mark, outlook);
  const beyond = stopsBeyond(position, exitsOf(position, holdings.working), endOf(position, outlook));
  const closed = await closedOf(session, snapshot);
  const exits = exitsAfter(snapshot.exits, operations);
  return { position, account, mark: mark?.price ?? null, closed, exits, cover, loss, beyond };
}

/** Checks that no exit that is placed or moved would trigger at once. */
export async function checkSides(
  session: Session,
  snapshot: Snapshot,
  operations: readonly ExitOperation[],
): Promise<void> {
  const { mid } = await closeQuote(session, snapshot.position);
  for (const exit of exitsAfter(snapshot.exits, operations)) checkSide(snapshot.position, exit, mid);
}

/** A position as its exits close it, with its 1R. */
async function closedOf(session: Session, { position, exits }: Snapshot): Promise<Closed> {
  const { side, entry_price: entry } = position;
  const feeBps = takerFeeBps(await closeQuote(session, position)) ?? 0;
  const working = await workingOrders(session, position.account_id).catch(() => exits);
  const oneR = await oneROf(session, position, coverOf(position, working), feeBps);
  return { side, entry, feeBps, entryFee: 0, paid: (entry * feeBps) / 1e4, oneR };
}

/** Checks the stops that operations place or move: one that is far from the mark may be a slip of the unit. */
export async function checkFarStops(
  session: Session,
  snapshot: Snapshot,
  operations: readonly ExitOperation[],
  farStop: FarStop,
): Promise<void> {
  const { position } = snapshot;
  const moved = exitsAfter(snapshot.exits, operations).filter(
    ({ group, id, was, price }) => group === 'sl' && (id === undefined || (was ?? price) !== price),
  );
  if (farStop === 'allow' || moved.length === 0) return;
  const { mid } = await closeQuote(session, position);
  const from = mid ?? position.entry_price;
  // One on the wrong side is refused for that.
  for (const { price } of moved)
    if (price < from === (position.side === 'long')) checkFarStop(session, price, from, farStop);
}

/** A stop above the mark of a long would trigger at once; so would a target below it. */
function checkSide({ side, symbol, entry_price }: Position, exit: PlannedExit, mark: number | null): void {
  const isUntouched = exit.id !== undefined && exit.was === undefined;
  const wantsBelow = (exit.group === 'sl') === (side === 'long');
  if (mark === null || isUntouched || (wantsBelow ? exit.price < mark : exit.price > mark)) return;
  const isAtEntry = exit.group === 'sl' && (side === 'long' ? entry_price >= mark : entry_price <= mark);
  throw new Failure({
    code: 'exit_side',
    ruleId: 'exit-side',
    message:
      `The ${exitNames[exit.group]} of a ${side} must be ${wantsBelow ? 'below' : 'above'} the mark ${quantity(mark)}; ` +
      `at ${quantity(exit.price)} it would trigger at once.${isAtEntry ? ' The position is losing.' : ''} Nothing was sent.`,
    hint: `Choose a price ${wantsBelow ? 'below' : 'above'} the mark, or close the position: perp positions close ${symbol}`,
  });
}

/** The price of an exit; a distance is measured from the position's entry, and R from its stops. */
export async function exitPrice<P extends Price | null>(
  session: Session,
  { position, exits }: Snapshot,
  price: P,
  { group, label, stop }: { group: ExitGroup; label: string; stop?: number | undefined },
): Promise<number | (P & null)> {
  if (price === null) return price as P & null;
  return resolvePrice(session, price, {
    label,
    marketId: position.market_id,
    side: position.side === 'long' ? 'sell' : 'buy',
    entry: () => position.entry_price,
    from: 'entry',
    exit: group === 'sl' ? 'stop' : 'target',
    multiple: () => multipleOf(session, { position, exits }, stop),
  });
}

/** 1R of a position: the loss at its first stops, or at a new one if it has had none. */
async function multipleOf(session: Session, snapshot: Snapshot, stop: number | undefined): Promise<Multiple> {
  const { position } = snapshot;
  const { market_id, size, symbol } = position;
  const closed = await closedOf(session, snapshot);
  const risk = riskPerUnit(closed, stop === undefined ? [] : [{ group: 'sl', price: stop, size }]);
  if (risk !== undefined) return { risk, entryFee: closed.paid ?? 0, exitFeeRate: closed.feeBps / 1e4 };
  const name = marketName(market_id, symbol);
  if (closed.oneR === null)
    throw usageFailure(
      `R is the loss at the first stop, but perp did not record the first stop of ${positionName(position)}.`,
      `Write a price, or set 1R in USD: perp journal one-r ${name} USD`,
    );
  throw usageFailure(
    `R is the loss at the stop, but ${positionName(position)} has no stop-loss at which it loses.`,
    `Write a price, or place a stop first, such as perp stop ${name} 1%.`,
  );
}

/** The size of an exit that trades at a price; undefined without one. */
export async function exitSize(
  session: Session,
  size: Size | undefined,
  position: Position,
  price: number,
): Promise<number | undefined> {
  if (size === undefined) return undefined;
  const market = { ...position, size_decimals: position.size_decimals ?? 8 };
  const side = position.side === 'long' ? 'sell' : 'buy';
  return resolveSize(session, size, { market, side, trigger: price, position });
}

/** `long 0.05 BTC`. */
export function positionName({ side, size, symbol }: Position): string {
  return `${word(side)} ${quantity(size)} ${word(symbol)}`;
}

/** A target of a plan for one position: a reduce-only order of whole lots at a price on the grid. */
export interface PlanLeg {
  /** Base asset. */
  readonly size: number;
  readonly price: number;
}

/** The targets of a plan for a position as it is now; a usage failure names the target that does not fit it. */
export async function planLegs(session: Session, snapshot: Snapshot, plan: ExitPlan): Promise<PlanLeg[]> {
  const { position } = snapshot;
  const decimals = position.size_decimals ?? 8;
  const lots = lotsOfTargets(plan.targets, Math.round(position.size * 10 ** decimals));
  const legs: PlanLeg[] = [];
  for (const [at, { price: typed, text }] of plan.targets.entries()) {
    const size = Number(`${lots[at]!}e-${decimals}`);
    if (size === 0)
      throw usageFailure(
        `Target ${at + 1} (${text}) is less than a lot: the position has ${quantity(position.size)} ${position.symbol}, in steps of ${quantity(10 ** -decimals)}.`,
        'Use fewer targets.',
      );
    const price = await exitPrice(session, snapshot, typed, { group: 'tp', label: `The price of target ${at + 1}` });
    const before = legs.at(-1)?.price;
    if (before !== undefined && (position.side === 'long' ? price <= before : price >= before))
      throw usageFailure(
        `Target ${at + 1} (${text}) is at ${quantity(price)}, which the price reaches before target ${at} at ${quantity(before)}.`,
        'Write targets in the order in which the price reaches them.',
      );
    legs.push({ size, price });
  }
  return legs;
}

/** The operations that put the targets of a plan in place of those that a position has. Its stops stay as they are. */
export function planOperations({ exits }: Snapshot, legs: readonly PlanLeg[]): ExitOperation[] {
  if (legs.length === 0) return [];
  const former = exits.filter(({ type }) => exitGroupOf(type) === 'tp');
  return [
    ...former.map(({ id }) => ({ kind: 'cancel' as const, order_id: id })),
    ...legs.map(({ size, price }) => ({
      ...{ kind: 'place' as const, group: 'tp' as const, execution_type: 'market' as const },
      ...{ price, size },
    })),
  ];
}

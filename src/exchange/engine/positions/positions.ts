import { directionOf, resultOfClose } from '../../../base/margin/holding.ts';
import { shareOf } from '../../../base/margin/notional.ts';
import { hourStart } from '../../../base/terms/day.ts';
import { assert } from '../../../base/terms/invariants.ts';
import type { Account, LedgerKind, Lots, Money, Position, Side } from '../model.ts';
import {
  idOf,
  nextSequence,
  type PositionEffect,
  type Ticket,
  touchAccount,
  touchPosition,
  type World,
} from '../world/world.ts';

/** Traded lots and their notional, and the fee on them. */
interface Execution {
  readonly lots: Lots;
  readonly notional: Money;
  readonly fee: Money;
}

/** The side that reduces a position. */
export function reducingSide(position: Position): Side {
  return position.direction === 'long' ? 'sell' : 'buy';
}

/**
 * Applies an execution to the account's one position in the market: adds, reduces, closes, or closes and opens the rest
 * on the other side at the fill price. Books realized profit and fee.
 */
export function applyExecution(ticket: Ticket, execution: Execution): PositionEffect {
  const { portfolio, market, order } = ticket;
  const before = portfolio.positions.get(market.id) ?? null;
  if (before === null || before.direction === directionOf(order.side)) {
    const after = addToPosition(ticket, before, execution);
    return { closedLots: 0, openedLots: execution.lots, realizedPnl: null, before, after };
  }
  const closedLots = Math.min(execution.lots, before.size);
  const closing = partOf(execution, closedLots);
  const realizedPnl = closePart(ticket, before, closing);
  const openedLots = execution.lots - closedLots;
  let after: Position | null = before.status === 'open' ? before : null;
  if (openedLots > 0) {
    const opening = {
      lots: openedLots,
      notional: execution.notional - closing.notional,
      fee: execution.fee - closing.fee,
    };
    after = addToPosition(ticket, null, opening);
  }
  return { closedLots, openedLots, realizedPnl, before, after };
}

function partOf(execution: Execution, lots: Lots): Execution {
  if (lots === execution.lots) return execution;
  return {
    lots,
    notional: shareOf(execution.notional, lots, execution.lots),
    fee: shareOf(execution.fee, lots, execution.lots),
  };
}

function addToPosition(ticket: Ticket, existing: Position | null, execution: Execution): Position {
  const { world, portfolio, order } = ticket;
  const position = existing ?? openPosition(ticket);
  position.size += execution.lots;
  position.cost += execution.notional;
  position.fees += execution.fee;
  book(world, portfolio.account, 'fee', -execution.fee, { orderId: order.id, positionId: position.id });
  touchPosition(world, position);
  return position;
}

/** Removes lots from a position; the last ones take the rest of the cost. */
function closePart({ world, portfolio, market, order }: Ticket, position: Position, execution: Execution): Money {
  const isLast = execution.lots === position.size;
  const { cost, realized } = resultOfClose(position, execution.lots, execution.notional);
  position.size -= execution.lots;
  position.cost -= cost;
  position.closedSize += execution.lots;
  position.closedNotional += execution.notional;
  position.closedCost += cost;
  position.realizedPnl += realized;
  position.realizedMarginBasis += shareOf(cost, 1, position.leverage);
  position.fees += execution.fee;
  const cause = { orderId: order.id, positionId: position.id };
  book(world, portfolio.account, 'realized_pnl', realized, cause);
  book(world, portfolio.account, 'fee', -execution.fee, cause);
  if (isLast) {
    position.status = 'closed';
    position.closedAt = world.now;
    portfolio.positions.delete(market.id);
    world.positions.delete(position.id);
  }
  touchPosition(world, position);
  return realized;
}

function openPosition({ world, portfolio, market, order }: Ticket): Position {
  const sequence = nextSequence(world);
  const position: Position = {
    id: idOf('pos', sequence),
    sequence,
    accountId: portfolio.account.id,
    owner: portfolio.account.owner,
    marketId: market.id,
    direction: directionOf(order.side),
    size: 0,
    cost: 0n,
    leverage: order.leverage,
    marginMode: order.marginMode,
    isolatedMarginExtra: 0n,
    status: 'open',
    openedAt: world.now,
    closedAt: null,
    closedSize: 0,
    closedNotional: 0n,
    closedCost: 0n,
    realizedPnl: 0n,
    realizedMarginBasis: 0n,
    fees: 0n,
    funding: 0n,
    carriedUntil: hourStart(world.now),
  };
  portfolio.positions.set(market.id, position);
  world.positions.set(position.id, position);
  return position;
}

/** Books one change of a balance. Balances change in no other way, so each is always the sum of its postings. */
export function book(
  world: World,
  account: Account,
  kind: LedgerKind,
  amount: Money,
  cause: { orderId?: string; positionId?: string } = {},
): void {
  if (amount === 0n) return;
  account.balance += amount;
  world.booked.set(account.id, (world.booked.get(account.id) ?? 0n) + amount);
  world.ledgerSequence += 1;
  world.changes.ledger.push({
    sequence: world.ledgerSequence,
    accountId: account.id,
    kind,
    amount,
    balanceAfter: account.balance,
    time: world.now,
    orderId: cause.orderId ?? null,
    positionId: cause.positionId ?? null,
  });
  touchAccount(world, account);
  assert(account.balance >= 0n || kind !== 'bankruptcy', 'bankruptcy-covers', account.id);
}

import type { SQLOutputValue } from 'node:sqlite';
import type { Lots, Money, Ms, Side } from '../engine/model.ts';
import type { Page, PageRequest } from './query.ts';
import type { StateDatabase } from './state-database.ts';

/** The fields of a filled record that a history needs. */
export interface BriefFill {
  /** Creation number of the order record. */
  sequence: number;
  /** Creation number of the order that this is an execution of; null: of itself. */
  partialOfOrderId: string | null;
  id: string;
  marketId: string;
  side: Side;
  size: Lots;
  notional: Money;
  fee: Money;
  realizedPnl: Money | null;
  settledAt: Ms;
  settleSequence: number;
  attachedStopLossPrice: number | null;
}

const columns = [
  ...['sequence', 'partial_of_order_id', 'id', 'market_id', 'side', 'size', 'notional', 'fee', 'realized_pnl'],
  ...['settled_at', 'settle_sequence', 'attached_stop_loss_price'],
];

const sql = `SELECT ${columns.join(', ')} FROM orders
  WHERE account_id = ?1 AND settle_sequence IS NOT NULL AND settle_sequence < ?2
  ORDER BY settle_sequence DESC LIMIT ?3`;

/**
 * A page of an account's fills, newest first. Reads only these columns, which takes a sixth of the time of whole rows.
 * The checksum of a row covers all of its columns, so it is not compared here: anyone who adds these fills up compares the
 * sum with the ledger.
 */
export function pageOfFills(
  database: StateDatabase,
  accountId: string,
  { limit, after }: PageRequest,
): Page<BriefFill> {
  const found = database.prepare(sql).rows(accountId, after?.sequence ?? Number.MAX_SAFE_INTEGER, limit + 1);
  const rows = found.map(fillOf);
  if (rows.length <= limit) return { rows, next: null };
  rows.pop();
  const { settledAt, settleSequence } = rows.at(-1)!;
  return { rows, next: { time: settledAt, sequence: settleSequence } };
}

function fillOf(row: SQLOutputValue[]): BriefFill {
  return {
    sequence: Number(row[0]),
    partialOfOrderId: row[1] as string | null,
    id: row[2] as string,
    marketId: row[3] as string,
    side: row[4] as Side,
    size: Number(row[5]),
    notional: row[6] as bigint,
    fee: row[7] as bigint,
    realizedPnl: row[8] as bigint | null,
    settledAt: Number(row[9]),
    settleSequence: Number(row[10]),
    attachedStopLossPrice: row[11] as number | null,
  };
}

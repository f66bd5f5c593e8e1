import type { Order } from '../../wire/contract/orders.ts';
import type { Session } from '../session/session.ts';
import type { AuditedAsk, AuditedOutcome, KeptRecord } from './record.ts';

/** The comparison of bots' records with the service's orders. */
export interface Comparison {
  /** Orders that carry the id of a bot, and have their record. */
  matched: number;
  /** Orders that carry the id of a bot without a record that allowed them. */
  unrecorded: { order_id: string; client_order_id: string; account_id: string }[];
  /** Records of orders that were placed, and that the service does not have. */
  missing: { seq: number; bot: string; client_order_id: string }[];
  /** Records that can't be compared: TWAPs and ladders carry no bot ids, and outcomes may be unknown. */
  cant_tell: number;
  /** Records of another run of the simulation: it was reset or restored since. */
  of_other_runs: number;
}

/** Client order ids of bots begin like this at the service. */
const ofBots = /^gate-/;

type Kept<R extends KeptRecord> = Extract<KeptRecord, { kind: R['kind'] }>;

/**
 * Compares each order that carries a bot's id with its record, and the other way round. Rejects as the session does.
 */
export async function compareWithService(session: Session, records: Iterable<KeptRecord>): Promise<Comparison> {
  const asked: Kept<AuditedAsk & { seq: number; prev: string }>[] = [];
  const outcomes = new Map<string, AuditedOutcome>();
  for (const record of records) {
    // The newest record of a write comes first.
    if (record.kind === 'outcome' && !outcomes.has(record.write)) outcomes.set(record.write, record);
    if (record.kind === 'asked' && record.decision === 'allowed') asked.push(record);
  }
  const orders = await ordersOfBots(session);
  const { run } = await session.access();
  const now = run();
  const seen = new Set<string>();
  const comparison: Comparison = { matched: 0, unrecorded: [], missing: [], cant_tell: 0, of_other_runs: 0 };
  for (const { seq, bot, write, upstream, operation } of asked) {
    const id = upstream?.clientOrderId;
    const outcome = outcomes.get(write);
    if (id === undefined) {
      if (operation === 'createTwapOrder' || operation === 'createScaledOrder') comparison.cant_tell += 1;
      continue;
    }
    seen.add(id);
    if (orders.has(id)) continue;
    if (outcome?.run !== undefined && now !== undefined && outcome.run !== now) comparison.of_other_runs += 1;
    else if (outcome?.outcome === 'done') comparison.missing.push({ seq, bot, client_order_id: id });
    else if (outcome === undefined || outcome.outcome === 'unknown') comparison.cant_tell += 1;
  }
  for (const [client_order_id, { id, account_id }] of orders)
    if (seen.has(client_order_id)) comparison.matched += 1;
    else comparison.unrecorded.push({ order_id: id, client_order_id, account_id });
  return comparison;
}

/** The orders of all accounts that carry the id of a bot, by that id. */
async function ordersOfBots(session: Session): Promise<Map<string, Order>> {
  const found = new Map<string, Order>();
  const { data: accounts } = await session.call('listAccounts', {});
  for (const { id: account_id } of accounts)
    for await (const order of session.pages('listOrders', { query: { account_id, limit: 100 } }))
      if (order.client_order_id !== undefined && ofBots.test(order.client_order_id))
        found.set(order.client_order_id, order);
  return found;
}

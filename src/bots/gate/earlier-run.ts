import { parsedJson } from '../../base/terms/json-object.ts';
import type { AuditedAsk, AuditedOutcome, KeptRecord } from '../../desk/audit/record.ts';
import { askedWrite, named } from './asked.ts';
import type { Bot } from './bot.ts';
import { type Going, goingOf } from './going.ts';
import type { Made } from './known-writes.ts';

/** A write of an earlier run of the gate. */
export interface EarlierWrite {
  readonly going: Going;
  /** `open`: its outcome is unknown. `done`: the service keeps it under its key. */
  readonly state: 'open' | 'done';
  /** Its result, if it was done. */
  readonly made: Made | undefined;
  /** As how many orders it counts against the rate of its bot. */
  readonly orders: number;
}

/** Older keys are judged again if their bots use them again. */
const rememberedMs = 86_400_000;
const mostRecords = 50_000;

/**
 * The writes of earlier runs that still matter, from the audit log, newest first: those whose outcome is open, those
 * that their keys still answer, and those that count against a rate. `now`: Unix ms.
 */
export function* earlierWrites(
  records: Iterable<KeptRecord>,
  botOf: (name: string) => Bot,
  now: number,
): Generator<EarlierWrite> {
  const outcomes = new Map<string, AuditedOutcome>();
  const seen = new Set<string>();
  let count = 0;
  for (const record of records) {
    count += 1;
    if (count > mostRecords || record.time < now - rememberedMs) return;
    if (record.kind === 'outcome' && !outcomes.has(record.write)) outcomes.set(record.write, record);
    if (record.kind !== 'asked' || record.decision !== 'allowed') continue;
    const outcome = outcomes.get(record.write);
    outcomes.delete(record.write);
    const state = stateOf(outcome);
    // Of what was asked again, only what it made before still matters.
    const isAgain = seen.has(record.write);
    seen.add(record.write);
    if (isAgain && (outcome?.outcome !== 'done' || record.before === undefined)) continue;
    const going = goingAgain(record, botOf(record.bot));
    const made = state === 'done' ? { id: outcome?.ids?.[0], run: outcome?.run } : undefined;
    if (going !== undefined && state !== undefined) yield { going, state, made, orders: ordersOf(record) };
  }
}

/** Undefined: it was not done, and its key is free. */
function stateOf(outcome: AuditedOutcome | undefined): EarlierWrite['state'] | undefined {
  if (outcome === undefined || outcome.outcome === 'unknown') return 'open';
  // The rejection of an order that the service lists is kept under its key, too.
  return outcome.outcome === 'done' || outcome.ids !== undefined ? 'done' : undefined;
}

/** The write as it was sent; undefined for a record that this version can't read. */
function goingAgain(
  { request, upstream, account, time, before, write: name }: AuditedAsk,
  bot: Bot,
): Going | undefined {
  try {
    const { method, target, body, key } = request;
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
    const wire = { method: method as 'POST', target, headers, body };
    const asked = askedWrite(named(wire), wire, {});
    const { path } = named({ ...wire, target: upstream?.target ?? target });
    const going = goingOf(bot, asked, wire, { accounts: account === undefined ? [] : [account], path }, time);
    const sent = upstream?.body === undefined ? going.forwarded.body : parsedJson(upstream.body);
    return { ...going, name, forwarded: { ...going.forwarded, body: sent, before } };
  } catch {
    return undefined;
  }
}

function ordersOf({ preview }: AuditedAsk): number {
  const orders = (preview as { orders?: unknown } | undefined)?.orders;
  return typeof orders === 'number' ? orders : 1;
}

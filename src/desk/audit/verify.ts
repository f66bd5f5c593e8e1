import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { OwnerSecret } from '../../base/files/owner-secret.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Session } from '../session/session.ts';
import { type AuditPlace, type ChainEnd, emptyChain, linkAt, logFiles } from './chain.ts';
import { AuditHead, type ReadHead } from './head.ts';
import type { AuditedAsk, AuditedEvent, AuditedOutcome, KeptRecord } from './record.ts';

/** A place where the log has been altered. */
export interface AuditDamage {
  /** The file's name; null for the log as a whole. */
  file: string | null;
  /** The line, from 1. */
  line: number | null;
  says: string;
}

const mostDamages = 20;
/** Clocks are corrected by less all the time, ms. */
const clockStepMs = 1_000;

/**
 * Follows the whole chain, and compares it with the head, and with a record `known` from before: `kept` is a person's
 * note of an earlier check. Throws system errors.
 */
export function verifyAudit(place: AuditPlace, secret: OwnerSecret | undefined, known?: ChainEnd) {
  // The head first: meanwhile, a running gate only makes the log longer.
  const signed = secret === undefined ? undefined : new AuditHead(place.headFile, secret);
  const head: ReadHead = signed?.read() ?? 'missing';
  const chain = new FollowedChain([
    ...(typeof head === 'string' ? [] : [head.seq]),
    ...(known === undefined ? [] : [known.seq]),
  ]);
  const files = logFiles(place.folder);
  for (const { file, first } of files) chain.follow(readFileSync(file), basename(file), first);
  const { end } = chain;
  if (typeof head !== 'string') {
    // Falling back to the older of the two could hide a tail that was cut off.
    if (signed?.isWhole === false) chain.damage('one of the two copies of its head is not signed');
    if (end.seq < head.seq) chain.damage(`the last ${head.seq - end.seq} of its ${head.seq} records are missing`);
    else if (chain.hashOf(head.seq) !== head.hash)
      chain.damage(
        `record ${head.seq} is not the signed one: it or an earlier record was altered, and the chain was rewritten`,
      );
  } else if (files.length > 0)
    chain.damage(
      head === 'missing' ? `its head ${place.headFile} is missing` : "its head is not signed with the owner's secret",
    );
  if (known !== undefined && chain.hashOf(known.seq) !== known.hash)
    chain.damage(`record ${known.seq} is not the one with the hash ${known.hash}`);
  return {
    records: chain.records,
    files: files.length,
    bytes: chain.bytes,
    // The number and hash of the last record.
    last: end,
    // The reach of the signed head; null if there is none, or it isn't signed with the owner's secret.
    head: typeof head === 'string' ? null : head,
    // Records after the head: a running gate signs them within a second.
    unsigned: typeof head === 'string' ? chain.records : Math.max(0, end.seq - head.seq),
    // Records that were unsigned when a gate continued after them, according to the gate. Nothing tells who wrote them.
    taken_over: chain.takenOver(known?.seq ?? 0),
    // Bytes of a last line that is incomplete: it is being written, or a gate was stopped while writing it.
    incomplete: chain.incomplete,
    // The number of records older than their predecessor: this machine's clock was set back.
    clock_steps: chain.clockSteps,
    // The first faults, at most 20; empty: nothing was altered, removed, moved or added.
    damages: chain.damages,
  };
}

/** The findings of verifying an audit log. */
export type AuditCheck = ReturnType<typeof verifyAudit>;

/** The chain through all files. After a break it continues with the remaining records, to find the next one. */
class FollowedChain {
  end: ChainEnd = emptyChain;
  records = 0;
  bytes = 0;
  incomplete = 0;
  clockSteps = 0;
  readonly damages: AuditDamage[] = [];
  readonly #wanted: ReadonlySet<number>;
  readonly #hashes = new Map<number, string>([[0, emptyChain.hash]]);
  #time = Number.NEGATIVE_INFINITY;
  readonly #takeovers: { seq: number; records: number }[] = [];

  constructor(wanted: readonly number[]) {
    this.#wanted = new Set(wanted);
  }

  /** The hash of one of the wanted records. */
  hashOf(seq: number): string | undefined {
    return this.#hashes.get(seq);
  }

  damage(says: string, file: string | null = null, line: number | null = null): void {
    if (this.damages.length < mostDamages) this.damages.push({ file, line, says });
  }

  follow(bytes: Buffer, file: string, first: number): void {
    if (this.incomplete > 0) this.damage('the file before ends in the middle of a record', file, 1);
    this.incomplete = 0;
    this.bytes += bytes.length;
    let line = 0;
    let from = 0;
    while (from < bytes.length) {
      line += 1;
      const link = linkAt(bytes, from);
      const newline = link === undefined ? bytes.indexOf(10, from) : link.until - 1;
      if (newline < 0) {
        this.incomplete = bytes.length - from;
        return;
      }
      const lineStart = from;
      from = newline + 1;
      if (link === undefined) {
        this.damage('it is not a record', file, line);
        continue;
      }
      if (line === 1 && link.seq !== first) this.damage(`the file should begin with record ${first}`, file, line);
      this.#compare(link.seq, link.prev, file, line);
      this.end = { seq: link.seq, hash: link.hash };
      this.records += 1;
      this.#noteTakeover(bytes.subarray(lineStart, newline), link.seq);
      if (this.#wanted.has(link.seq)) this.#hashes.set(link.seq, link.hash);
      if (link.time < this.#time - clockStepMs) this.clockSteps += 1;
      this.#time = link.time;
    }
  }

  /** The number of records after this one that were unsigned when a gate took over. */
  takenOver(after: number): number {
    return this.#takeovers.filter(({ seq }) => seq > after).reduce((sum, { records }) => sum + records, 0);
  }

  #noteTakeover(bytes: Buffer, seq: number): void {
    if (!bytes.includes('"event":"unsigned"')) return;
    const { kind, event, facts } = JSON.parse(bytes.toString()) as Partial<AuditedEvent>;
    if (kind === 'event' && event === 'unsigned') this.#takeovers.push({ seq, records: Number(facts?.records) || 0 });
  }

  #compare(seq: number, prev: string, file: string, line: number): void {
    const wanted = this.end.seq + 1;
    if (seq > wanted) {
      const missing = seq - wanted === 1 ? `record ${wanted} is` : `records ${wanted} to ${seq - 1} are`;
      this.damage(`${missing} missing before record ${seq}`, file, line);
    } else if (seq < wanted) this.damage(`record ${seq} comes after record ${this.end.seq}`, file, line);
    else if (prev !== this.end.hash)
      this.damage(
        seq === 1 ? 'record 1 was altered' : `record ${seq - 1} or the beginning of record ${seq} was altered`,
        file,
        line,
      );
  }
}

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

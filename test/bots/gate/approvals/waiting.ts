import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerSecret } from '../../../../src/base/files/owner-secret.ts';
import {
  type ApprovalAnswer,
  type ApprovalFacts,
  type ApprovalRequest,
  approvalsFolder,
} from '../../../../src/bots/gate/approvals/approval-files.ts';
import { Approvals } from '../../../../src/bots/gate/approvals/approvals.ts';
import { type Decided, decide, waitingRequests } from '../../../../src/bots/gate/approvals/decide.ts';
import { AuditLog } from '../../../../src/desk/audit/audit-log.ts';
import type { AuditedDecision } from '../../../../src/desk/audit/record.ts';

/** The request of a bot for an order of a size. */
export function requestOf(size = 2, key: string | undefined = 'key-1'): ApprovalRequest {
  const body = JSON.stringify({ account_id: 'acc_1', market_id: 'BTC', side: 'buy', type: 'market', size });
  const write = `gate-alpha_${key ?? 'none'}`;
  return {
    bot: 'alpha',
    account: 'acc_1',
    operation: 'createOrder',
    method: 'POST',
    target: '/v1/orders',
    body,
    key,
    write,
  };
}

/** A folder of approvals with a clock, a mark, and gates in front of it. */
export class Waiting implements AsyncDisposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'perp-approvals-'));
  readonly variables = { PERP_STATE_DIR: this.#root };
  readonly folder = approvalsFolder(this.variables);
  readonly secret = ownerSecret(this.variables);
  /** Wall time, and time that nobody sets, ms. */
  wall = Date.UTC(2026, 5, 10, 14, 20);
  uptime = 1_000;
  mark: number | undefined = 95_000;
  readonly began: string[] = [];
  readonly #place = { folder: join(this.#root, 'audit'), headFile: join(this.#root, 'head') };
  readonly #audit = AuditLog.open(this.#place, { secret: this.secret });
  readonly #gates: Approvals[] = [];

  /** Another gate, or the same one after a restart. */
  gate(holdMs = 60_000): Approvals {
    const clocks = { now: () => this.wall, uptime: () => this.uptime };
    const { variables, secret } = this;
    const gate = new Approvals({ variables, secret, audit: this.#audit, holdMs, lookEveryMs: 5, ...clocks });
    this.#gates.push(gate);
    return gate;
  }

  facts = (): ApprovalFacts => ({ destination: 'SIM default, synthetic', mark: this.mark });

  ask(gate: Approvals, request = requestOf(), boundBps = 50, signal?: AbortSignal): Promise<ApprovalAnswer> {
    const began = (id: string) => void this.began.push(id);
    return gate.require(request, boundBps, { facts: this.facts, began }, signal);
  }

  pass(ms: number): void {
    this.wall += ms;
    this.uptime += ms;
  }

  /** Decides about the request that waits longest, seeing this mark. */
  async decide(decision: 'approved' | 'declined', mark = 95_000): Promise<Decided> {
    const [waiting] = this.waiting();
    const { folder, secret } = this;
    const clocks = { now: () => this.wall, sleep: () => sleep(5) };
    return decide({ folder, secret, kept: waiting!.kept, decision, mark, by: 'owner', ...clocks });
  }

  waiting() {
    return waitingRequests(this.folder, this.secret, this.wall);
  }

  /** What the audit log says about decisions. */
  decisions(): string[] {
    const [log] = readdirSync(this.#place.folder).filter((name) => name.endsWith('.ndjson'));
    const lines = readFileSync(join(this.#place.folder, log!), 'utf8').trim().split('\n');
    const records = lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditedDecision | { event: string });
    return records.map((record) => ('decision' in record ? record.decision : record.event));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const gate of this.#gates) gate[Symbol.dispose]();
    await this.#audit[Symbol.asyncDispose]();
    rmSync(this.#root, { recursive: true });
  }
}

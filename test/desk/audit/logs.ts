import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OwnerSecret } from '../../../src/base/files/owner-secret.ts';
import { AuditLog } from '../../../src/desk/audit/audit-log.ts';
import { type AuditPlace, emptyChain, logFileOf, nextLines } from '../../../src/desk/audit/chain.ts';
import { AuditHead } from '../../../src/desk/audit/head.ts';
import type { AuditedAsk } from '../../../src/desk/audit/record.ts';
import { type AuditCheck, verifyAudit } from '../../../src/desk/audit/verify.ts';

/** When the first record of a test was written. */
export const start = Date.UTC(2026, 5, 10, 14, 20);
/** An owner's secret. */
export const secret = new OwnerSecret(Buffer.alloc(32, 7));

/** The record of an order that a bot asked for. */
export function asked(number: number, time = start + number * 10): AuditedAsk {
  const body = JSON.stringify({
    account_id: 'acc_1',
    market_id: 'BTC',
    side: 'buy',
    type: 'market',
    size: number / 100,
  });
  return {
    kind: 'asked',
    time,
    bot: 'alpha',
    write: `gate-alpha_key-${number}`,
    mandate: { name: 'alpha', hash: '5f2b7e' },
    operation: 'createOrder',
    account: 'acc_1',
    request: { method: 'POST', target: '/v1/orders', body, key: `key-${number}` },
    decision: 'allowed',
  };
}

/** A log in a folder of its own. */
export class TriedLog implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'perp-audit-'));
  readonly notes: string[] = [];
  readonly place: AuditPlace = { folder: join(this.#folder, 'audit'), headFile: join(this.#folder, 'owner', 'head') };

  open(fileBytes?: number): AuditLog {
    return AuditLog.open(this.place, {
      secret,
      note: (text) => this.notes.push(text),
      now: () => start,
      ...(fileBytes !== undefined && { fileBytes }),
    });
  }

  /** Opens it, appends records, and closes it. */
  async append(...numbers: readonly number[]): Promise<void> {
    await using log = this.open();
    for (const number of numbers) log.append(asked(number));
  }

  check(known?: { seq: number; hash: string }): AuditCheck {
    return verifyAudit(this.place, secret, known);
  }

  file(first = 1): string {
    return logFileOf(this.place.folder, first);
  }

  /** The lines of its first file, each with its newline. */
  lines(): string[] {
    return readFileSync(this.file(), 'latin1').match(/[^\n]*\n/g)!;
  }

  write(...lines: readonly string[]): void {
    writeFileSync(this.file(), lines.join(''), 'latin1');
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** Fills a log with many records at once, as a gate would have over weeks; returns their lines. */
export function fill({ place }: TriedLog, count: number): Buffer[] {
  let end = emptyChain;
  const lines: Buffer[] = [];
  for (let number = 1; number <= count; number++) {
    const next = nextLines([asked(number)], end);
    lines.push(next.lines);
    end = next.end;
  }
  mkdirSync(place.folder, { recursive: true });
  mkdirSync(dirname(place.headFile), { recursive: true });
  writeFileSync(logFileOf(place.folder, 1), Buffer.concat(lines));
  const head = new AuditHead(place.headFile, secret);
  head.begin();
  head.advance(end);
  return lines;
}

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { OwnerSecret } from '../../../../src/base/files/owner-secret.ts';
import {
  ApprovalFiles,
  type ApprovalRequest,
  approvalLastsMs,
  type Decision,
  type KeptRequest,
  requestHash,
  requestLastsMs,
} from '../../../../src/bots/gate/approvals/approval-files.ts';
import type { Approvals } from '../../../../src/bots/gate/approvals/approvals.ts';
import { seed } from '../../../seed.ts';
import { requestOf, Waiting } from './waiting.ts';

/** A request that waits, with everything that could be misused. */
interface Tried {
  readonly waiting: Waiting;
  readonly gate: Approvals;
  readonly request: ApprovalRequest;
  readonly kept: KeptRequest;
  /** What a person would have signed. */
  readonly decision: Decision;
  readonly at: number;
}

/** Signs with another secret than the owner's. */
const stranger = new OwnerSecret(Buffer.alloc(32, 8));
const filesOf = ({ waiting: { folder, secret } }: Tried) => new ApprovalFiles(folder, secret);
const fileOf = ({ waiting: { folder }, kept: { id } }: Tried) => join(folder, `${id}.decision`);
const sign = (tried: Tried, change: Partial<Decision> = {}) =>
  filesOf(tried).create('decision', { ...tried.decision, ...change });

/**
 * Ways to a request without its approval. Each leaves something behind that must not count, or returns what to ask for.
 */
const ways: Readonly<Record<string, (tried: Tried) => unknown>> = {
  'signed by a stranger': (tried) => {
    new ApprovalFiles(tried.waiting.folder, stranger).create('decision', tried.decision);
  },
  'signed for another purpose': (tried) => {
    const text = JSON.stringify(tried.decision);
    writeFileSync(fileOf(tried), `${tried.waiting.secret.sign('approval facts', text)}\n${text}\n`);
  },
  unsigned: (tried) => writeFileSync(fileOf(tried), `\n${JSON.stringify(tried.decision)}\n`),
  'one byte altered': (tried) => {
    sign(tried);
    const bytes = readFileSync(fileOf(tried));
    // The newline at the end says nothing.
    const at = tried.at % (bytes.length - 1);
    bytes[at] = bytes[at]! ^ (1 << (tried.at % 8));
    writeFileSync(fileOf(tried), bytes);
  },
  cut: (tried) => {
    sign(tried);
    const bytes = readFileSync(fileOf(tried));
    writeFileSync(fileOf(tried), bytes.subarray(0, tried.at % (bytes.length - 1)));
  },
  'of another request': (tried) => {
    sign(tried, { requestHash: requestHash(requestOf(3, tried.request.key)) });
  },
  'of an earlier request with the same id': (tried) => {
    sign(tried, { nonce: '0'.repeat(32) });
  },
  'of another id, renamed': (tried) => {
    const other = { ...tried.decision, id: 'f'.repeat(32) };
    filesOf(tried).create('decision', other);
    const file = join(tried.waiting.folder, `${other.id}.decision`);
    writeFileSync(fileOf(tried), readFileSync(file));
    rmSync(file);
  },
  expired: (tried) => {
    sign(tried);
    tried.waiting.pass(approvalLastsMs);
  },
  'of a request that expired': (tried) => {
    tried.waiting.pass(requestLastsMs);
    sign(tried, { until: tried.waiting.wall });
  },
  'declined, then signed as approved': (tried) => {
    filesOf(tried).create('end', { ...endOf(tried), state: 'declined' });
    sign(tried);
  },
  'of a mark that has moved': (tried) => {
    sign(tried);
    tried.waiting.mark = 95_000 * (tried.at % 2 === 0 ? 1.00501 : 0.99499);
  },
  'of a mark that is no price': (tried) => {
    sign(tried, { mark: [0, -1, Number.NaN, Number.POSITIVE_INFINITY][tried.at % 4]! });
  },
  'used, its end removed by a stranger, and put back as another end': (tried) => {
    const end = endOf(tried);
    new ApprovalFiles(tried.waiting.folder, stranger).create('end', { ...end, state: 'expired' });
    sign(tried);
  },
  'of the same order with one digit changed': (tried) => {
    sign(tried);
    const body = tried.request.body!;
    const digits = [...body.matchAll(/\d/g)].map(({ index }) => index);
    const at = digits[tried.at % digits.length]!;
    return { ...tried.request, body: `${body.slice(0, at)}${(Number(body[at]) + 1) % 10}${body.slice(at + 1)}` };
  },
  'of the same order under another key': (tried) => {
    sign(tried);
    return { ...tried.request, key: `${tried.request.key}x` };
  },
  'of the same order of another bot': (tried) => {
    sign(tried);
    return { ...tried.request, bot: 'beta' };
  },
};

function endOf({ kept: { id, nonce } }: Tried) {
  return { id, nonce, state: 'used' as const, why: 'Its approval was used.', at: 0 };
}

/**
 * Draws attempts to get a request through without its approval; each must fail, and a true approval must still count.
 */
export async function tryForgeries(count: number): Promise<void> {
  const drawn = fc.sample(fc.tuple(fc.constantFrom(...Object.keys(ways)), fc.nat(1_000_000)), { seed, numRuns: count });
  const accepted: string[] = [];
  for (const [number, [way, at]] of drawn.entries()) {
    await using waiting = new Waiting();
    const gate = waiting.gate(0);
    const tried = await ask(waiting, gate, requestOf(2, `key-${number}`), at);
    const asked = (ways[way]!(tried) as ApprovalRequest | undefined) ?? tried.request;
    for (const asking of [gate, waiting.gate(0)]) {
      const { state } = await waiting.ask(asking, asked);
      if (state === 'approved') accepted.push(`${way}, attempt ${number}, seed ${seed}`);
    }
    if (number % 10 === 0) await useOnce(waiting, gate);
  }
  assert.deepEqual(accepted, []);
}

async function ask(waiting: Waiting, gate: Approvals, request: ApprovalRequest, at = 0): Promise<Tried> {
  waiting.mark = 95_000;
  assert.equal((await waiting.ask(gate, request)).state, 'waits');
  const id = requestHash(request).slice(0, 32);
  const kept = new ApprovalFiles(waiting.folder, waiting.secret).read(id, 'request') as KeptRequest;
  const decision: Decision = {
    ...{ id, nonce: kept.nonce, requestHash: requestHash(request), decision: 'approved', by: 'owner' },
    ...{ at: waiting.wall, until: waiting.wall + approvalLastsMs, mark: 95_000 },
  };
  return { waiting, gate, request, kept, decision, at };
}

/** What a person signed for the exact request counts, once: a copy of it does not. */
async function useOnce(waiting: Waiting, gate: Approvals): Promise<void> {
  const tried = await ask(waiting, gate, requestOf(1, 'honest'));
  sign(tried);
  const bytes = readFileSync(fileOf(tried));
  assert.equal((await waiting.ask(gate, tried.request)).state, 'approved');
  writeFileSync(fileOf(tried), bytes);
  for (const asking of [gate, waiting.gate(0)]) assert.equal((await waiting.ask(asking, tried.request)).state, 'used');
}

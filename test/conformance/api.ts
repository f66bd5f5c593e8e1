import assert from 'node:assert/strict';
import { ErrorEnvelope, WireError } from '../../src/wire/contract/errors.ts';
import type { Operation } from '../../src/wire/contract/operation.ts';
import { operations } from '../../src/wire/contract/operations.ts';
import { simulationOperations } from '../../src/wire/contract/simulation.ts';
import { Router } from '../../src/wire/contract/target.ts';
import { validate } from '../../src/wire/contract/validate.ts';
import type { Transport, WireRequest, WireResponse } from '../../src/wire/contract/wire.ts';
import { ajvOpinion } from '../wire/contract/ajv.ts';

/** The parts of a request besides method and path. */
export interface Sending {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  text?: string;
  /** Idempotency-Key; default: a new one if the operation requires one; null: none. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** An answer; `data` and `error` as the envelopes have them. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  // Tests read answers of every shape; each answer is checked against the contract before.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  body: any;
}

const router = new Router<Operation>([...Object.values(operations), ...Object.values(simulationOperations)]);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const outsideStatuses = [400, 413, 415, 429, 500];
let keys = 0;

/**
 * Sends requests and checks every answer against the contract: a status of the operation, a body that our validator and
 * Ajv find valid for that status, a request id on everything, the challenge on 401, and Retry-After where the contract
 * requires it.
 */
export class Api {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;
  /** Statuses seen, by operation. */
  readonly seen = new Map<string, Set<number>>();

  constructor(transport: Transport, headers: Record<string, string> = {}) {
    this.#transport = transport;
    this.#headers = headers;
  }

  get(target: string, sending: Sending = {}): Promise<Answer> {
    return this.send('GET', target, sending);
  }

  post(target: string, body?: unknown, sending: Sending = {}): Promise<Answer> {
    return this.send('POST', target, { body, ...sending });
  }

  put(target: string, body?: unknown, sending: Sending = {}): Promise<Answer> {
    return this.send('PUT', target, { body, ...sending });
  }

  patch(target: string, body?: unknown, sending: Sending = {}): Promise<Answer> {
    return this.send('PATCH', target, { body, ...sending });
  }

  delete(target: string, sending: Sending = {}): Promise<Answer> {
    return this.send('DELETE', target, sending);
  }

  async send(method: WireRequest['method'], target: string, { body, text, key, headers }: Sending): Promise<Answer> {
    const route = router.find(method, target.split('?', 1)[0]!);
    const needsKey = route.operation?.idempotent === true && key === undefined;
    const idempotencyKey = needsKey ? `key ${++keys} ${process.pid}` : key;
    const json = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const request: WireRequest = {
      method,
      target,
      headers: {
        ...this.#headers,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey != null && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      body: json,
    };
    const answer = await this.#transport(request, { timeoutMs: 30_000 });
    this.#check(`${method} ${target}`, route.operation, answer);
    return answer;
  }

  #check(what: string, operation: Operation | null, { status, headers, body }: WireResponse): void {
    const told = `${what} -> ${status} ${JSON.stringify(body)?.slice(0, 500)}`;
    assert.match(headers['x-request-id'] ?? '', uuid, told);
    assert.ok(headers['x-market-source'], told);
    if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer /, told);
    if (status === 202 || status === 429 || status === 503)
      assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/, told);
    if (operation !== null) {
      const seen = this.seen.get(operation.id) ?? new Set();
      this.seen.set(operation.id, seen.add(status));
    }
    const isKnown = operation === null || operation.responses[status] !== undefined || outsideStatuses.includes(status);
    assert.ok(isKnown || status === 404, `a status that the contract does not have: ${told}`);
    const isBare = operation?.id === 'exchangeCliAuthorizationCode' && status === 400;
    const schema = operation?.responses[status]?.schema ?? (isBare ? WireError : ErrorEnvelope);
    assert.deepEqual(validate(schema, body), [], told);
    assert.deepEqual([...ajvOpinion(schema, body).fields], [], `Ajv: ${told}`);
    if (status >= 400) {
      const error = isBare ? body : (body as { error: { request_id: string } }).error;
      assert.equal((error as { request_id: string }).request_id, headers['x-request-id'], told);
    }
  }
}

/** Asserts a refusal by its code, and by any given details. */
export function assertRefused(
  answer: Answer,
  status: number,
  code: string,
  { rule, fields }: { rule?: string; fields?: string[] } = {},
): void {
  const told = JSON.stringify(answer.body);
  assert.equal(answer.status, status, told);
  assert.equal(answer.body.error.code, code, told);
  if (rule !== undefined) assert.equal(answer.body.error.rule_id, rule, told);
  if (fields !== undefined)
    assert.deepEqual(
      answer.body.error.details.map(({ field }: { field: string }) => field).sort(),
      [...fields].sort(),
      told,
    );
}

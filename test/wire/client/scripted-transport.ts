import type { RetryOptions } from '../../../src/wire/client/retry.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';

/** The fate of one request: an answer, or the error that the transport fails with. */
export type ScriptedAnswer = WireResponse | Error | ((request: WireRequest) => WireResponse | Error);

/** A transport that answers from a list, in order; the last step is repeated. */
export interface ScriptedTransport extends Transport {
  requests: WireRequest[];
  renewals: number;
  renew(): void;
}

export function scriptedTransport(...steps: ScriptedAnswer[]): ScriptedTransport {
  const requests: WireRequest[] = [];
  const carry: Transport = async (request) => {
    const step = steps[Math.min(requests.length, steps.length - 1)]!;
    requests.push(request);
    const outcome = typeof step === 'function' ? step(request) : step;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const scripted = Object.assign(carry, { requests, renewals: 0, renew: () => void scripted.renewals++ });
  return scripted;
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): WireResponse {
  return {
    status,
    body,
    headers: { 'content-type': 'application/json', 'x-request-id': `request-${status}`, ...headers },
  };
}

/** An error in the form that the service sends. */
export function refusal(
  status: number,
  code: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): WireResponse {
  const error = { code, message: `it is ${code}`, request_id: `request-${status}`, ...more };
  return answer(status, { error }, headers);
}

/** A page of a proxy in front of the service. */
export function proxyPage(status: number, headers: Record<string, string> = {}): WireResponse {
  return { status, body: undefined, headers: { 'content-type': 'text/html', ...headers } };
}

/** A clock that advances only by waiting, and the recorded waits. */
export function stepClock(): { retry: RetryOptions; waits: number[] } {
  const waits: number[] = [];
  let now = Date.UTC(2026, 0, 5);
  const sleep = async (delayMs: number) => {
    waits.push(delayMs);
    now += delayMs;
  };
  return { waits, retry: { now: () => now, sleep, random: () => 0.5 } };
}

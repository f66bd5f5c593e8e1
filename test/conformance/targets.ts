import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProcessTransport, stateHealth } from '../../src/service/public.ts';
import { serve } from '../../src/service/serve.ts';
import type { SimulationOptions } from '../../src/service/simulation/options.ts';
import { httpTransport } from '../../src/wire/client/http-transport.ts';
import type { Target } from './target.ts';

/** A Tuesday at noon: no day start or full hour nearby. */
export const startTime = Date.UTC(2026, 10, 17, 12, 20);

/** How every state of a suite begins. */
export const begin = { seed: 7, startTime, accounts: 4 };

export function freshState(): SimulationOptions & { remove(): void } {
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-conformance-'));
  const remove = () => {
    // Whatever the requests were, the state must be sound afterward.
    for (const { state, problem } of stateHealth(stateDir))
      assert.equal(problem, null, `${state}: ${problem?.message}`);
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { stateDir, clock: 'manual', ...begin, remove };
}

/** A bug in the simulation fails the test that caused it, with its error. */
export function reportBug(error: unknown): void {
  console.error(error);
}

/** A new state on synthetic markets with a manual clock, in this process. */
export async function inProcessTarget(): Promise<Target> {
  const { remove, ...options } = freshState();
  const opened = await inProcessTransport({ ...options, onBug: reportBug });
  return {
    transport: opened.transport,
    headers: {},
    adminHeaders: {},
    async close() {
      opened.close();
      remove();
    },
  };
}

/** The same over HTTP, with an API key. */
export async function httpTarget(): Promise<Target> {
  const { remove, ...options } = freshState();
  const serving = await serve({ ...options, port: 0, sandboxPort: 0, rateLimit: 'off', onBug: reportBug });
  const transport = httpTransport(serving.baseUrl);
  const adminHeaders = { authorization: `Bearer ${serving.key}` };
  const issued = await transport(
    {
      method: 'POST',
      target: '/sim/keys',
      headers: { ...adminHeaders, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'conformance' }),
    },
    { timeoutMs: 10_000 },
  );
  const { api_key: key } = (issued.body as { data: { api_key: string } }).data;
  return {
    transport,
    headers: { authorization: `Bearer ${key}` },
    adminHeaders,
    async close() {
      await transport.close();
      await serving.stop();
      remove();
    },
  };
}

/** Another service at PERP_CONFORMANCE_URL with the key PERP_CONFORMANCE_KEY; null if they are not set. */
export function remoteTarget(): (() => Promise<Target>) | null {
  const url = process.env.PERP_CONFORMANCE_URL;
  const key = process.env.PERP_CONFORMANCE_KEY;
  if (!url || !key) return null;
  return async () => {
    const transport = httpTransport(url);
    return {
      transport,
      headers: { authorization: `Bearer ${key}` },
      adminHeaders: null,
      close: () => transport.close(),
    };
  };
}

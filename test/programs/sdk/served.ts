import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServeOptions, serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';

/** Serves a simulation of its own with a manual clock; `stop` removes it. */
export async function servedSimulation(options: Partial<ServeOptions> = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-sdk-'));
  const { seed, startTime } = beginning;
  const ports = { port: 0, sandboxPort: 0, rateLimit: 'off', drainMs: 0 } as const;
  const served = await serve({ stateDir, ...ports, clock: 'manual', seed, startTime, ...options });
  return {
    ...served,
    stateDir,
    streamUrl: served.baseUrl.replace('http', 'ws'),
    async [Symbol.asyncDispose]() {
      await served.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

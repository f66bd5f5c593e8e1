import { serve } from '../../../src/service/serve.ts';

/**
 * Serves the state in the folder given as its argument until it is stopped or killed; prints its address on the first
 * line. A second argument is how long the first daily backup waits, ms.
 */
const [, , stateDir, backupAfterMs] = process.argv;
const serving = await serve({
  stateDir: stateDir!,
  port: 0,
  sandboxPort: 0,
  rateLimit: 'off',
  ...(backupAfterMs !== undefined && { backupAfterMs: Number(backupAfterMs) }),
});
console.log(JSON.stringify({ url: serving.baseUrl, key: serving.key }));
await new Promise<void>((resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => serving.stop().then(resolve, reject));
});

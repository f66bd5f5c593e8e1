import { serve, stopOnSignal } from '../../../src/service/entry.ts';

/**
 * Serves the state in the folder given as its argument until it is stopped or killed; prints its address on the first
 * line.
 */
const serving = await serve({ stateDir: process.argv[2]!, port: 0, sandboxPort: 0, rateLimit: 'off' });
console.log(JSON.stringify({ url: serving.baseUrl, key: serving.key }));
await stopOnSignal(serving);

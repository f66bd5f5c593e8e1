import type { Serving } from './serve.ts';

/** Resolves when the service has stopped because of SIGINT or SIGTERM; a second signal ends the process at once. */
export function stopOnSignal(serving: Serving): Promise<void> {
  return new Promise((resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => serving.stop().then(resolve, reject));
    }
  });
}

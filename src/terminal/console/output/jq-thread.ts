import { isMainThread, type MessagePort, workerData } from 'node:worker_threads';

/** This module, which is the main file of a thread that runs jq. */
export const threadFile = new URL(import.meta.url);

/**
 * The thread's input and output: where texts come from, where results go, and the signal that wakes the waiting side.
 */
export interface JqThreadData {
  perpJq: MessagePort;
  done: Int32Array<SharedArrayBuffer>;
}

/** Output of jq, or the fact that it ran out of memory or stack. */
export type JqAnswer = { stdout: string; stderr: string; exitCode: number } | 'broke off';

async function serve({ perpJq: port, done }: JqThreadData): Promise<void> {
  // When its memory ends, jq prints so; that is told as an error.
  process.stderr.write = () => true;
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  const answer = (json: string, expression: string): JqAnswer => {
    try {
      return jq.raw(json, expression, ['-r', '-c']);
    } catch {
      return 'broke off';
    }
  };
  port.on('message', ([json, expression]: [string, string]) => {
    port.postMessage(answer(json, expression));
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
  port.postMessage('ready');
}

if (!isMainThread && (workerData as Partial<JqThreadData> | null)?.perpJq !== undefined)
  void serve(workerData as JqThreadData);

import { once } from 'node:events';
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { usageFailure } from '../../../base/failure/failure.ts';
import { plain } from '../../../base/text/plain-text.ts';

/** Filters a JSON text; prints strings without quotes, everything else as compact JSON, one result per line. */
export type JsonFilter = (json: string) => string;

/** How long an expression may take for one JSON text, ms; and when Ctrl-C ends the process at once. */
const atMostMs = 10_000;
const soonMs = 500;

/** The filter of a jq expression, checked now, before the command does anything. jq itself is loaded only here. */
export async function jqFilter(expression: string): Promise<JsonFilter> {
  const run = await jqThread();
  const filter: JsonFilter = (json) => {
    // The space keeps an expression that begins with a dash from being read as an option.
    const answer = run(json, ` ${expression}`);
    if (answer === 'broke off')
      throw refused('the expression needs more memory than there is, or recurses too deeply.');
    const { stdout, stderr, exitCode } = answer;
    if (exitCode !== 0) throw usageFailure(`--jq failed: ${said(stderr)}`, 'perp help values shows examples.');
    return stdout === '' ? '' : `${safeLines(stdout)}\n`;
  };
  // Without input, jq compiles the expression and evaluates nothing.
  filter('');
  return filter;
}

/** jq in its own thread, because only that can be stopped: an expression may loop forever. */
async function jqThread(): Promise<(json: string, expression: string) => JqAnswer> {
  const { port1: port, port2: perpJq } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const data: JqThreadData = { perpJq, done };
  // This module is also the main file of the thread.
  const thread = new Worker(new URL(import.meta.url), { workerData: data, transferList: [perpJq] });
  await Promise.race([once(port, 'message'), once(thread, 'error').then(([error]) => Promise.reject(error))]);
  thread.unref();
  port.unref();
  let isStopped = false;
  return (json, expression) => {
    if (!isStopped) {
      Atomics.store(done, 0, 0);
      port.postMessage([json, expression]);
      if (waitFor(done)) return receiveMessageOnPort(port)!.message;
      isStopped = true;
      void thread.terminate();
    }
    throw refused(`the expression was not done after ${atMostMs / 1_000}s.`);
  };
}

/** Waits without turns of the event loop, so signals get their default effect if it takes long. Whether it is done. */
function waitFor(done: Int32Array<SharedArrayBuffer>): boolean {
  if (Atomics.wait(done, 0, 0, soonMs) !== 'timed-out') return true;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const heard = signals.map((name) => [name, process.rawListeners(name)] as const);
  for (const name of signals) process.removeAllListeners(name);
  try {
    return Atomics.wait(done, 0, 0, atMostMs - soonMs) !== 'timed-out';
  } finally {
    for (const [name, listeners] of heard) for (const listener of listeners) process.on(name, listener as () => void);
  }
}

function refused(why: string): Error {
  return usageFailure(`--jq failed: ${why}`, 'Filter less at a time, or use the jq program on the JSON.');
}

function said(stderr: string): string {
  return stderr.trim().replace(/^jq: error(?: \(at [^)]*\))?: /, '') || 'jq reported no reason.';
}

/** Results may contain text from a server; tabs and line breaks come from @tsv and from several results. */
function safeLines(text: string): string {
  return text
    .split(/([\t\n])/)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');
}

/**
 * The thread's input and output: where texts come from, where results go, and the signal that wakes the waiting side.
 */
interface JqThreadData {
  perpJq: MessagePort;
  done: Int32Array<SharedArrayBuffer>;
}

/** Output of jq, or the fact that it ran out of memory or stack. */
type JqAnswer = { stdout: string; stderr: string; exitCode: number } | 'broke off';

async function serve({ perpJq: port, done }: JqThreadData): Promise<void> {
  // When it runs out of memory, jq prints a message; that is reported as an error.
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

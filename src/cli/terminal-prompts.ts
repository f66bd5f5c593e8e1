import { createInterface } from 'node:readline';
import { confirm } from '@inquirer/prompts';

/** Asks on the terminal; on stderr, so that stdout carries results only. Enter alone is a no. */
export function confirmOnTerminal(message: string): Promise<boolean> {
  if (process.env.TERM === 'dumb') return confirmOnLine(message);
  // Plain: a tick is no character of every locale.
  const theme = { prefix: { idle: '?', done: '?' } };
  return confirm({ message, default: false, theme }, { output: process.stderr });
}

/** The same for a terminal that only takes text: a question, and a line as its answer. */
function confirmOnLine(message: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const interrupted = () => reject(new DOMException('Interrupted.', 'AbortError'));
  process.once('SIGINT', interrupted);
  reader.question(`${message} (y/N) `, (answer) => resolve(/^\s*y(es)?\s*$/i.test(answer)));
  // The end of input answers nothing, which is a no.
  reader.once('close', () => resolve(false));
  return promise.finally(() => {
    process.off('SIGINT', interrupted);
    reader.close();
  });
}

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Asks on the terminal for a text that is typed or pasted unseen; the question goes to stderr. Rejects with an
 * AbortError at the signal. Ctrl-C arrives as a key here and is passed on as the signal that it stands for.
 */
export async function secretOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: unseen, terminal: true, historySize: 0 });
  reader.on('SIGINT', () => process.emit('SIGINT'));
  process.stderr.write(`${question}: `);
  try {
    return await reader.question('', { signal });
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}

import { createInterface } from 'node:readline';
import type { Prompts } from './outside.ts';

/** Questions on the terminal, on stderr so that stdout carries results only; @inquirer asks, loaded with the first one. */
export const terminalPrompts: Prompts = {
  async confirm(message) {
    if (process.env.TERM === 'dumb') return confirmOnLine(message);
    const { confirm } = await import('@inquirer/prompts');
    return confirm({ message, default: false, theme: plainTheme }, { output: process.stderr });
  },

  async secret(message, signal) {
    const { password } = await import('@inquirer/prompts');
    const theme = { ...plainTheme, style: { maskedText: '' } };
    try {
      return await password(
        { message: `${message}:`, mask: false, toggleMask: false, theme },
        { output: process.stderr, signal },
      );
    } catch (error) {
      // Ctrl-C arrives as a key here; it is passed on as the signal that it stands for.
      if ((error as Error).name === 'ExitPromptError') process.emit('SIGINT');
      throw error;
    }
  },
};

/** A tick is no character of every locale. */
const plainTheme = { prefix: { idle: '?', done: '?' } };

/** A question and a line as its answer, for a terminal that only takes text and would show what @inquirer draws with. */
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

import { createInterface } from 'node:readline';
import type { Prompts } from './outside.ts';

/** Prompts on stderr, so that stdout carries only results. @inquirer is loaded with the first one. */
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
      // Ctrl-C arrives as a key here; pass it on as the signal.
      if ((error as Error).name === 'ExitPromptError') process.emit('SIGINT');
      throw error;
    }
  },

  async choose(message, choices) {
    const { search, select } = await import('@inquirer/prompts');
    const shown = { message, theme: plainTheme, pageSize: 10 };
    if (choices.length <= 10) return select({ ...shown, choices: [...choices] }, { output: process.stderr });
    const source = (term = '') =>
      choices.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(term.toLowerCase()));
    return search({ ...shown, source }, { output: process.stderr });
  },

  async line(message, problem) {
    const { input } = await import('@inquirer/prompts');
    const validate = (text: string) => problem(text.trim()) ?? true;
    return (await input({ message: `${message}:`, validate, theme: plainTheme }, { output: process.stderr })).trim();
  },
};

/** Not every locale can show a check mark. */
const plainTheme = { prefix: { idle: '?', done: '?' } };

/** Asks in plain text, for terminals that can't show what @inquirer draws. */
function confirmOnLine(message: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const interrupted = () => reject(new DOMException('Interrupted.', 'AbortError'));
  process.once('SIGINT', interrupted);
  reader.question(`${message} (y/N) `, (answer) => resolve(/^\s*y(es)?\s*$/i.test(answer)));
  // End of input counts as no.
  reader.once('close', () => resolve(false));
  return promise.finally(() => {
    process.off('SIGINT', interrupted);
    reader.close();
  });
}

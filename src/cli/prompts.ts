import type { Prompts } from './context.ts';

/** Questions on the terminal; what asks them is loaded with the first question. */
export const terminalPrompts: Prompts = {
  async confirm(message) {
    const { confirmOnTerminal } = await import('./terminal-prompts.ts');
    return confirmOnTerminal(message);
  },
  async secret(message, signal) {
    const { secretOnTerminal } = await import('./secret-prompt.ts');
    return secretOnTerminal(message, signal);
  },
};

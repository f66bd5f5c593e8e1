import type { Prompts } from './outside.ts';
import type { Asked } from './question.ts';

/** Prompts on the terminal of this process; what asks is loaded with the first one. */
export const terminalPrompts: Prompts = {
  confirm: async (message) => (await asked({ kind: 'confirm', message })) === 'Yes',
  secret: (message, signal) => asked({ kind: 'secret', message }, signal),
  choose: (message, choices) => asked({ kind: 'choose', message, choices }),
  line: (message, problem) => asked({ kind: 'line', message, problem }),
};

async function asked(question: Asked, signal?: AbortSignal): Promise<string> {
  return (await import('./asking.ts')).ask(question, signal);
}

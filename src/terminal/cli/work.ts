import type { Asked } from '../console/terminal/asking.ts';
import type { Prompts } from '../console/terminal/outside.ts';

/** Everything needed to run a command, as opposed to printing help. One entry point, so one load. */

export { askFor, report, runCommand } from './run-command.ts';

/** Prompts on the terminal of this process; the code is loaded with the first one. */
export const terminalPrompts: Prompts = {
  confirm: async (message) => (await asked({ kind: 'confirm', message })) === 'Yes',
  secret: (message, signal) => asked({ kind: 'secret', message }, signal),
  choose: (message, choices) => asked({ kind: 'choose', message, choices }),
  line: (message, problem) => asked({ kind: 'line', message, problem }),
};

async function asked(question: Asked, signal?: AbortSignal): Promise<string> {
  return (await import('../console/terminal/asking.ts')).ask(question, signal);
}

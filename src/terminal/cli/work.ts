/** Everything needed to run a command, as opposed to printing help. One entry point, so one load. */

export { terminalPrompts } from '../console/terminal/prompts.ts';
export { askFor, report, runCommand } from './run-command.ts';

/** Everything needed to run a command, as opposed to printing help. One entry point, so one load. */
export { askFor, report, runCommand } from './run.ts';
export { terminalPrompts } from './terminal/prompts.ts';

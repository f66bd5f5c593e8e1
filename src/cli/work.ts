/** What the command line loads as soon as it has more to do than to print help: one door, so that it is one load. */
export { report, runCommand } from './run.ts';
export { terminalPrompts } from './terminal/prompts.ts';

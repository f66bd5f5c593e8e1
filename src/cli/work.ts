/** What the command line loads as soon as it has more to do than to print help: one door, so that it is one load. */
export { terminalPrompts } from './prompts.ts';
export { report } from './report.ts';
export { runCommand } from './run.ts';

import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf, rulesOption } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Watch an account and enforce your own rules',
  description:
    'Runs until Ctrl-C. Rules come from the rules file (perp guard init) and from these options; without a file, only from the options. Each rule that fires prints one line and is passed as JSON to the standard input of the --exec program. Only one guard at a time can be in charge of an account.',
  options: {
    ...rulesOption,
    trail: {
      value: 'DISTANCE',
      kind: 'text',
      summary: 'trail every stop by 1.5% or 200; stops only move closer',
    },
    heartbeat: { value: 'FILE', kind: 'text', summary: 'flatten when this file is no longer touched' },
    'max-age': { value: 'DURATION', kind: 'text', summary: 'maximum age of the heartbeat file (default 60s)' },
    exec: { value: 'COMMAND', kind: 'text', summary: 'program that receives every alert; started without a shell' },
    once: { summary: 'check once, act, and exit: for cron' },
  },
  examples: [
    ['perp guard', 'the rules of guard.toml'],
    ['perp guard --trail 1.5%', 'trailing stops for all positions'],
    ['perp guard --heartbeat ~/bot.alive --max-age 60s', "a dead man's switch"],
    ['perp guard --once --json', 'one check, from cron'],
    ['perp guard --dry-run', 'only report what would be done'],
  ],
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { runGuard } = await import('../../guard/run-guard.ts');
  return runGuard(console, input);
}

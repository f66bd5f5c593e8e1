import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { rulesOption } from '../../guard/options.ts';
import type { Result } from '../../output/result.ts';

export const command = defineCommand({
  summary: 'Watch an account and do what the rules say',
  description:
    'Runs until Ctrl-C. Rules come from the rules file (perp guard init) and from these options; without a file, from the options alone. Every rule that fires is printed, one line each, and handed to the program of --exec as JSON on its standard input. One guard at a time is in charge of an account.',
  options: {
    ...rulesOption,
    trail: {
      value: 'DISTANCE',
      kind: 'text',
      summary: 'let every stop follow the best price: 1.5% or 200; only closer',
    },
    heartbeat: { value: 'FILE', kind: 'text', summary: 'flatten when this file is no longer touched' },
    'max-age': { value: 'DURATION', kind: 'text', summary: 'for how long it may be untouched (default 60s)' },
    exec: { value: 'COMMAND', kind: 'text', summary: 'program that gets every alert; no shell is involved' },
    once: { summary: 'look once, act, and exit: for cron' },
  },
  examples: [
    ['perp guard', 'the rules of guard.toml'],
    ['perp guard --trail 1.5%', 'trailing stops for all positions'],
    ['perp guard --heartbeat ~/bot.alive --max-age 60s', "a dead man's switch"],
    ['perp guard --once --json', 'one look, from cron'],
    ['perp guard --dry-run', 'only say what would be done'],
  ],
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { runGuard } = await import('../../guard/run-guard.ts');
  return runGuard(context, input);
}

import { usageFailure } from '../../../base/failure/failure.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../console/grammar/spec.ts';
import type { Result } from '../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Learn perp and its words in ten minutes',
  description:
    'Explains challenge, floor, breach, stop, R, bracket and carry on the live screen, where they are met, and waits until each step has really happened. It has a simulation of its own; your accounts, simulations and settings are neither used nor changed. Leave it with q; the next perp tour goes on there, and its market stands still until then. Without a terminal of 80 x 24, or with --plain, it is told in lines, with commands in place of keys.',
  options: {
    plain: { summary: 'in lines, for screen readers and pipes' },
    restart: { summary: 'begin again, with a new account' },
  },
  examples: [
    ['perp tour', 'begin, or go on'],
    ['perp tour --plain', 'the same in lines'],
  ],
  changesMore: true,
});

export async function run(console: Console, { plain, restart }: InputOf<typeof command>): Promise<Result> {
  const { dryRun, output } = console.settings;
  if (dryRun) throw usageFailure("The tour can't be combined with --dry-run.", 'Omit --dry-run.');
  if (output !== 'table') throw usageFailure('The tour prints text for people.', 'Omit --json and -o.');
  const { takeTour } = await import('../../screen/tour/take-tour.ts');
  return takeTour(console, { isPlain: plain, isRestarted: restart });
}

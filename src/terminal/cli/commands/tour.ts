import { usageFailure } from '../../../base/failure/failure.ts';
import { defineCommand } from '../../console/console.ts';

export const command = defineCommand({
  summary: 'Learn perp and its words in ten minutes',
  description:
    'Explains challenge, floor, breach, stop, R, bracket and carry on the live screen as they appear, and waits until you have done each step. It runs in a separate simulation; your accounts, simulations and settings are neither used nor changed. Leave with q; the next perp tour continues there, and its market is paused until then. Without a terminal of at least 80 x 24, or with --plain, it prints lines and uses commands instead of keys.',
  options: {
    plain: { summary: 'in lines, for screen readers and pipes' },
    restart: { summary: 'begin again, with a new account' },
  },
  examples: [
    ['perp tour', 'begin or continue'],
    ['perp tour --plain', 'as lines'],
  ],
  changesMore: true,
  async run(console, { plain, restart }) {
    const { dryRun, output } = console.settings;
    if (dryRun) throw usageFailure("The tour can't be combined with --dry-run.", 'Omit --dry-run.');
    if (output !== 'table') throw usageFailure('The tour prints text for people.', 'Omit --json and -o.');
    const { takeTour } = await import('../../screen/tour/take-tour.ts');
    return takeTour(console, { isPlain: plain, isRestarted: restart });
  },
});

import { defineCommand } from '../../console/console.ts';
import { steer, steerArgs, steerOptions } from '../writes/exit-changes.ts';

export const command = defineCommand({
  summary: "Set a position's take-profit",
  description:
    'A moved take-profit keeps its size; a new one is for the whole position. A distance (3%, +150) is measured from the entry, and 2R is twice its loss at the first stops that covered it.',
  args: steerArgs('99000, entry+3%, 3%, 2R'),
  options: steerOptions('that of the existing one, or the position'),
  examples: [
    ['perp target BTC 160000', 'take the profit at this mark'],
    ['perp target BTC 3%', '3% from the entry, on the winning side'],
    ['perp target BTC 2R', 'at twice the risk'],
    ['perp target BTC 2% --size 50%', 'for half of the position'],
    ['perp target BTC none', 'no take-profit'],
  ],
  async run(console, input) {
    return steer(console, input, 'tp');
  },
});

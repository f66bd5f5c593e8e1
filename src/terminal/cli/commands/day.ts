import { defineCommand } from '../../console/console.ts';
import { rulesOption } from '../../console/grammar/spec.ts';

export const command = defineCommand({
  summary: "Show today's limits and the rules you kept or broke",
  description:
    "Before you trade: the room above each floor, the coming carry and daily floor, limits, and the trading hours of the markets that you hold. Afterward: the day's result, and which rules you kept. A day starts at midnight in New York.",
  args: [
    {
      name: 'day',
      kind: 'pastTime',
      optional: true,
      summary: 'today (default), yesterday, or a time in another day (shows only its results)',
    },
  ],
  options: rulesOption,
  examples: [
    ['perp day', "today's results and limits"],
    ['perp day yesterday', 'the rules you kept or broke'],
    ['perp day --json', 'as JSON'],
  ],
  async run(console, input) {
    const { showDay } = await import('../history/show-day.ts');
    return showDay(console, input);
  },
});

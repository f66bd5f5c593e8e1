import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf, rulesOption } from '../../console/grammar/spec.ts';
import type { Result } from '../../console/output/result.ts';

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
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { showDay } = await import('../history/show-day.ts');
  return showDay(console, input);
}

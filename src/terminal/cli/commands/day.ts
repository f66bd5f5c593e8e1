import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf, rulesOption } from '../../console/grammar/spec.ts';
import type { Result } from '../../console/output/result.ts';

export const command = defineCommand({
  summary: "Show today's limits, and the rules you kept or broke",
  description:
    'Before you trade: what may still be lost above each floor, the carry and the new daily floor to come, limits, and when the markets that you hold trade. After: the result of the day, and which rules were kept. A day starts at midnight in New York.',
  args: [
    {
      name: 'day',
      kind: 'pastTime',
      optional: true,
      summary: 'today (default), yesterday, or a time in another day: then only what was kept',
    },
  ],
  options: rulesOption,
  examples: [
    ['perp day', 'the day so far, and what is left of it'],
    ['perp day yesterday', 'what was kept and what was broken'],
    ['perp day --json', 'as JSON'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { showDay } = await import('../history/show-day.ts');
  return showDay(console, input);
}

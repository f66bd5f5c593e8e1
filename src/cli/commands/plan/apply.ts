import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: "Set a position's targets, and how its stop moves, as one plan",
  description:
    'Targets are SHARE@PRICE, in the order in which the price reaches them: 1/3@1R, 25%@105000, rest@3R. They are reduce-only orders and replace those that the position has; its stops stay. Two parts need a running perp guard with a [plans] rule: be moves the stop to the entry after the first target, and rest trail 1% lets it follow the price after the last. Without one they are shown as not active. They never count as cover.',
  args: [
    { name: 'position', kind: 'position', summary: 'position id or market' },
    { name: 'plan', summary: 'such as "1/3@1R 1/3@2R be rest trail 1%", or the name of a saved one' },
  ],
  options: {},
  examples: [
    ['perp plan BTC "50%@1% rest@2%"', 'half at 1% from the entry, the rest at 2%'],
    ['perp plan BTC "1/3@1% 1/3@2% be rest trail 1%"', 'the rest trails; the stop goes to the entry after 1%'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { applyPlan } = await import('../../writes/apply-plan.ts');
  return applyPlan(console, input);
}

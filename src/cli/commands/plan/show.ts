import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Explain a plan: a saved one, one as typed, or that of a position',
  args: [{ name: 'plan', summary: 'name, plan, or position' }],
  examples: [['perp plan show "1/3@1R be rest trail 1%"', 'what each part does']],
});

export async function run(console: Console, { plan: text }: InputOf<typeof command>): Promise<Result> {
  const { savedPlans } = await import('../../../desk/guard/saved-plans.ts');
  const { planInPlace } = await import('../../../desk/guard/plans-in-place.ts');
  const { parseExitPlan } = await import('../../../desk/values/exit-plans.ts');
  const { planWords } = await import('../../preview/plan-words.ts');
  const saved = savedPlans(console.variables);
  const isSaved = Object.hasOwn(saved, text);
  const found = isSaved || /[@\s]/.test(text) ? undefined : await planInPlace(console, text);
  const plan = parseExitPlan(isSaved ? saved[text]! : (found?.plan.text ?? text), 'PLAN');
  const isSeen = found?.plan.unseen === undefined;
  const record = {
    name: isSaved ? text : null,
    position_id: found?.plan.position_id ?? null,
    plan: plan.text,
    needs_guard: plan.breakEven || plan.trail !== undefined,
    active: found === undefined ? null : found.isActive && isSeen,
    confirmed: found === undefined ? null : isSeen,
  };
  return recordOf(record, () => [
    line({ text: plan.text, tone: 'strong' }),
    ...planWords(plan).map((words) => line(words)),
    ...(isSeen ? [] : [line({ text: 'NOT ACTIVE: its targets were not seen. Apply it again.', tone: 'warn' })]),
    ...(found === undefined || found.isActive
      ? []
      : [line({ text: 'NOT ACTIVE: no guard does plans.', tone: 'warn' })]),
  ]);
}

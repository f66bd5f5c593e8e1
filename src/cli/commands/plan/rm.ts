import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: "Remove a saved plan, or what a guard does of a position's plan",
  description: 'The targets of a position stay: they are its orders. perp target POSITION none cancels them.',
  args: [{ name: 'plan', summary: 'name, or position' }],
  examples: [['perp plan rm BTC', 'the stop stays where it is']],
  changesMore: true,
});

export async function run(console: Console, { plan: text }: InputOf<typeof command>): Promise<Result> {
  const { removePlan, savedPlans } = await import('../../../desk/guard/saved-plans.ts');
  const { planInPlace } = await import('../../../desk/guard/plans-in-place.ts');
  const { keepPlan } = await import('../../../desk/guard/plans.ts');
  const { dryRun } = console.settings;
  const isSaved = Object.hasOwn(savedPlans(console.variables), text);
  const says = (name: string | null, position_id: string | null) =>
    recordOf({ name, position_id, removed: !dryRun }, () => [
      line(`${dryRun ? 'Dry run: would remove' : 'Removed'} ${name ?? `the plan of ${position_id}`}`),
    ]);
  if (isSaved) {
    if (!dryRun) removePlan(console.variables, text);
    return says(text, null);
  }
  const found = await planInPlace(console, text);
  if (found === undefined) throw notFoundFailure(`There is no plan of ${text}.`, 'perp plan list shows them.');
  if (!dryRun) keepPlan(found.file, found.plan.position_id, null);
  return says(null, found.plan.position_id);
}

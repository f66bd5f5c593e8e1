import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Save an exit plan under a name',
  args: [
    { name: 'name', summary: 'such as scalp' },
    { name: 'plan', summary: 'such as "1/3@1R 1/3@2R rest trail 1%"' },
  ],
  examples: [['perp plan save scalp "50%@1R be rest trail 0.5%"', 'then: perp plan BTC scalp']],
  changesMore: true,
});

export async function run(console: Console, { name, plan: text }: InputOf<typeof command>): Promise<Result> {
  const { savePlan } = await import('../../../desk/guard/saved-plans.ts');
  const { parseExitPlan } = await import('../../../desk/values/exit-plans.ts');
  if (console.settings.dryRun) {
    const { text: plan } = parseExitPlan(text, 'PLAN');
    return recordOf({ name, plan, before: null }, () => [line(`Dry run: ${name} would be ${plan}`)]);
  }
  const { plan, before } = savePlan(console.variables, name, text);
  return recordOf({ name, plan: plan.text, before }, () => [
    line({ text: name, tone: 'strong' }, `  ${plan.text}`),
    ...(before === null ? [] : [line(`It was ${before}`)]),
  ]);
}

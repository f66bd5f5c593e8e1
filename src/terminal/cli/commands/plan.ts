import { notFoundFailure } from '../../../base/failure/failure.ts';
import { openPositions } from '../../../desk/resolve/holdings.ts';
import { noted } from '../../../desk/session/session.ts';
import { defineCommand } from '../../console/console.ts';
import { line, listOf, recordOf } from '../../console/output/result.ts';

const apply = defineCommand({
  summary: "Set a position's targets and stop moves as one plan",
  description:
    "Targets are SHARE@PRICE, in the order in which the price reaches them: 1/3@1R, 25%@105000, rest@3R. They are reduce-only orders and replace the position's targets; its stops stay. Two parts need a running perp guard with a [plans] rule: be moves the stop to the entry after the first target, and rest trail 1% makes it follow the price after the last. Without a guard, they are shown as not active. They never count as protection.",
  args: [
    { name: 'position', kind: 'position', summary: 'position id or market' },
    { name: 'plan', summary: 'such as "1/3@1R 1/3@2R be rest trail 1%", or the name of a saved one' },
  ],
  options: {},
  examples: [
    ['perp plan BTC "50%@1% rest@2%"', 'half at 1% from the entry, the rest at 2%'],
    ['perp plan BTC "1/3@1% 1/3@2% be rest trail 1%"', 'the rest trails; the stop moves to the entry after 1%'],
  ],
  async run(console, input) {
    const { applyPlan } = await import('../writes/apply-plan.ts');
    return applyPlan(console, input);
  },
});

const show = defineCommand({
  summary: 'Explain an exit plan: saved, typed, or of a position',
  args: [{ name: 'plan', summary: 'name, plan, or position' }],
  examples: [['perp plan show "1/3@1R be rest trail 1%"', 'what each part does']],
  async run(console, { plan: text }) {
    const { savedPlans } = await import('../../../desk/guard/plans.ts');
    const { planInPlace, planWords } = await import('../writes/apply-plan.ts');
    const { parseExitPlan } = await import('../../../desk/values/exit-plans.ts');
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
      isSeen ? [] : line({ text: 'NOT ACTIVE: its targets never appeared. Apply it again.', tone: 'warn' }),
      found === undefined || found.isActive ? [] : line({ text: 'NOT ACTIVE: no guard runs plans.', tone: 'warn' }),
    ]);
  },
});

const list = defineCommand({
  summary: 'List saved plans and those a guard is running',
  examples: [['perp plan list', 'the account in use']],
  async run(console) {
    const { savedPlans } = await import('../../../desk/guard/plans.ts');
    const { plansInPlace } = await import('../writes/apply-plan.ts');
    const { plans: kept, isActive } = await plansInPlace(console);
    const open = await noted(console, 'The open positions', openPositions(console), undefined);
    const isOpen = (id: string) => open === undefined || open.some((position) => position.id === id);
    const plans = kept.filter(({ position_id }) => isOpen(position_id));
    const rows: Row[] = [
      ...Object.entries(savedPlans(console.variables)).map(([name, plan]) => ({
        ...{ name, plan },
        ...{ position_id: null, symbol: null, active: null, confirmed: null },
      })),
      ...plans.map(({ position_id, symbol, text, unseen }) => ({
        name: null,
        position_id,
        symbol,
        plan: text,
        active: isActive && unseen === undefined,
        confirmed: unseen === undefined,
      })),
    ];
    return listOf(rows, {
      fields: ['name', 'position_id', 'symbol', 'plan', 'active', 'confirmed'],
      columns: [
        { header: 'NAME', cell: ({ name }) => name ?? '' },
        { header: 'POSITION', cell: ({ symbol }) => symbol ?? '' },
        { header: 'PLAN', cell: ({ plan }) => plan },
        {
          header: 'GUARD',
          cell: ({ active, confirmed }) =>
            active === null
              ? ''
              : active
                ? 'active'
                : { text: confirmed ? 'NOT ACTIVE' : 'NOT ACTIVE: its targets never appeared', tone: 'warn' },
        },
        { header: 'ID', cell: ({ position_id: id }) => id ?? '', keep: 1 },
      ],
      empty: 'No plans. perp plan set NAME "1/3@1R rest@2R" saves one.',
    });
  },
});

interface Row {
  readonly name: string | null;
  readonly position_id: string | null;
  readonly symbol: string | null;
  readonly plan: string;
  /** For a plan that needs a guard: whether one runs. */
  readonly active: boolean | null;
  /** Whether its targets were seen, if the outcome of placing them was unknown. */
  readonly confirmed: boolean | null;
}

const set = defineCommand({
  summary: 'Save an exit plan under a name',
  args: [
    { name: 'name', summary: 'such as scalp' },
    { name: 'plan', summary: 'such as "1/3@1R 1/3@2R rest trail 1%"' },
  ],
  examples: [['perp plan set scalp "50%@1R be rest trail 0.5%"', 'then: perp plan BTC scalp']],
  changesMore: true,
  async run(console, { name, plan: text }) {
    const { savePlan } = await import('../../../desk/guard/plans.ts');
    const { parseExitPlan } = await import('../../../desk/values/exit-plans.ts');
    if (console.settings.dryRun) {
      const { text: plan } = parseExitPlan(text, 'PLAN');
      return recordOf({ name, plan, before: null }, () => [line(`Dry run: ${name} would be ${plan}`)]);
    }
    const { plan, before } = savePlan(console.variables, name, text);
    return recordOf({ name, plan: plan.text, before }, () => [
      line({ text: name, tone: 'strong' }, `  ${plan.text}`),
      before === null ? [] : line(`It was ${before}`),
    ]);
  },
});

const rm = defineCommand({
  summary: "Remove a saved plan, or a position's plan from its guard",
  description: "The position's targets are orders and stay; cancel them with perp target POSITION none.",
  args: [{ name: 'plan', summary: 'name, or position' }],
  examples: [['perp plan rm BTC', 'the stop stays where it is']],
  changesMore: true,
  async run(console, { plan: text }) {
    const { keepPlan, removePlan, savedPlans } = await import('../../../desk/guard/plans.ts');
    const { planInPlace } = await import('../writes/apply-plan.ts');
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
  },
});

export const commands = { apply, show, list, set, rm };

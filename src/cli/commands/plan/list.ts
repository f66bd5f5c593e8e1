import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'List saved plans, and those that a guard does',
  examples: [['perp plan list', 'the account in use']],
});

interface Row {
  readonly name: string | null;
  readonly position_id: string | null;
  readonly symbol: string | null;
  readonly plan: string;
  /** Of a plan that a guard has to do: whether one does. */
  readonly active: boolean | null;
  /** Whether its targets were seen, if the outcome of placing them was unknown. */
  readonly confirmed: boolean | null;
}

export async function run(console: Console): Promise<Result> {
  const { savedPlans } = await import('../../../desk/guard/saved-plans.ts');
  const { plansInPlace } = await import('../../../desk/guard/plans-in-place.ts');
  const { plans, isActive } = await plansInPlace(console);
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
              : { text: confirmed ? 'NOT ACTIVE' : 'NOT ACTIVE: its targets were not seen', tone: 'warn' },
      },
      { header: 'ID', cell: ({ position_id: id }) => id ?? '', keep: 1 },
    ],
    empty: 'No plans. perp plan save NAME "1/3@1R rest@2R" saves one.',
  });
}

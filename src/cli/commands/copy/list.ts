import { allGroups } from '../../../desk/resolve/copy-group.ts';
import type { Context } from '../../context/context.ts';
import { defineCommand } from '../../grammar/spec.ts';
import { listOf, type Result } from '../../output/result.ts';
import { copyColumns, copyFields } from '../../views/copy-view.ts';

export const command = defineCommand({
  summary: 'List copy groups, including disabled ones',
  examples: [['perp copy', 'all of them']],
});

export async function run(context: Context): Promise<Result> {
  return listOf(await allGroups(context), { fields: copyFields, columns: copyColumns, empty: 'No copy groups.' });
}

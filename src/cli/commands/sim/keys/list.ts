import type { Console } from '../../../../console/console.ts';
import { defineCommand } from '../../../../console/grammar/spec.ts';
import { fieldsOf } from '../../../../console/output/csv.ts';
import { type Column, listOf, type Result } from '../../../../console/output/result.ts';
import { SimulationKey } from '../../../../contract/simulation.ts';
import { dateTime } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'List issued API keys and sessions',
  examples: [['perp sim keys', 'without the secrets']],
  simulationOnly: true,
});

const columns: readonly Column<SimulationKey>[] = [
  { header: 'NAME', cell: (key) => key.name },
  { header: 'KIND', cell: (key) => key.kind, keep: 2 },
  { header: 'FOR', cell: (key) => (key.environment === 'live' ? 'main' : 'sandbox') },
  { header: 'SCOPE', cell: (key) => key.scope },
  { header: 'CREATED', cell: (key) => dateTime(key.created_at), keep: 3 },
  { header: 'EXPIRES', cell: (key) => (key.expires_at === null ? '' : dateTime(key.expires_at)), keep: 1 },
  {
    header: 'REVOKED',
    cell: (key) => (key.revoked_at === null ? '' : { text: dateTime(key.revoked_at), tone: 'warn' }),
    keep: 4,
  },
  { header: 'ID', cell: (key) => key.id, keep: 0 },
];

export async function run(console: Console): Promise<Result> {
  const { data } = await console.call('simListKeys', {});
  return listOf(data, {
    fields: fieldsOf(SimulationKey),
    columns,
    empty: 'No keys yet; create one with perp sim keys create.',
  });
}

import type { Console } from '../../../../console/console.ts';
import { defineCommand } from '../../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../../console/output/result.ts';
import { dateTime } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'List the keys of bots',
  examples: [['perp gate key', 'without the secrets, which are not kept']],
});

interface Row {
  readonly id: string;
  readonly bot: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly is_valid: boolean;
}

const columns: readonly Column<Row>[] = [
  { header: 'BOT', cell: ({ bot }) => bot },
  {
    header: 'STATE',
    cell: ({ is_valid: valid, revoked_at: revoked }) =>
      valid ? { text: 'valid', tone: 'good' } : { text: revoked === null ? 'expired' : 'revoked', tone: 'warn' },
  },
  { header: 'CREATED', cell: ({ created_at: at }) => dateTime(at), keep: 3 },
  { header: 'EXPIRES', cell: ({ expires_at: at }) => dateTime(at), keep: 1 },
  { header: 'REVOKED', cell: ({ revoked_at: at }) => (at === null ? '' : dateTime(at)), keep: 4 },
  { header: 'ID', cell: ({ id }) => id, keep: 0 },
];

export async function run({ variables, machine }: Console): Promise<Result> {
  const { BotsFile, gateFolder, isValid } = await import('../../../../gate/bots-file.ts');
  const rows = new BotsFile(gateFolder(variables))
    .keys()
    .map(({ hash: _, environment: __, ...key }): Row => ({ ...key, is_valid: isValid(key, machine.now()) }))
    .reverse();
  return listOf(rows, {
    fields: ['id', 'bot', 'created_at', 'expires_at', 'revoked_at', 'is_valid'],
    columns,
    empty: 'No keys yet; perp gate key add BOT makes one.',
  });
}

import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { blank, line, listOf, type Result, recordOf } from '../../../console/output/result.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';
import { dateTime, marketName, usd } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Show what was signed: all mandates, or one',
  args: [{ name: 'bot', optional: true, summary: 'the name of a bot' }],
  examples: [
    ['perp mandate', 'every mandate that was signed'],
    ['perp mandate show scalper', 'the terms of one'],
  ],
});

export async function run(console: Console, { bot }: InputOf<typeof command>): Promise<Result> {
  const { readSigned, signedNames } = await import('../../../desk/mandate/signed.ts');
  const { wordsOf } = await import('../../../desk/mandate/terms.ts');
  const { termsBlock, termsRecord } = await import('../../../console/views/mandate-view.ts');
  const { variables } = console;
  if (bot === undefined) {
    const signed = signedNames(variables).map((name) => readSigned(variables, name)!);
    return listOf(
      signed.map(({ mandate: { name, until, largestPositionUsd, accounts, markets }, signedAt, hash }) => ({
        bot: name,
        signed_at: signedAt,
        until,
        largest_position_usd: largestPositionUsd,
        accounts,
        markets,
        hash,
      })),
      {
        fields: ['bot', 'signed_at', 'until', 'largest_position_usd', 'accounts', 'markets', 'hash'],
        columns: [
          { header: 'BOT', cell: (row) => row.bot },
          { header: 'SIGNED', cell: (row) => dateTime(row.signed_at) },
          {
            header: 'UNTIL',
            cell: ({ until }) => {
              const text = wordsOf('until', until);
              return until <= console.machine.now() ? { text: `${text}, over`, tone: 'bad' } : text;
            },
          },
          { header: 'LARGEST POSITION', cell: (row) => `${usd(row.largest_position_usd)} USD`, align: 'right' },
          { header: 'MARKETS', cell: ({ markets }) => markets.map((id) => marketName(id)).join(', '), keep: 1 },
        ],
        empty: 'No mandate is signed. perp mandate new BOT writes one.',
      },
    );
  }
  const signed = readSigned(variables, bot);
  if (signed === undefined)
    throw notFoundFailure(`No mandate is signed for ${bot}.`, 'perp mandate lists those that are.');
  const { mandate, signedAt, hash } = signed;
  const record = { bot, signed_at: signedAt, hash, ...termsRecord(mandate) };
  return recordOf(record, () => [
    termsBlock(mandate),
    blank,
    line({ text: `signed ${dateTime(signedAt)}, ${hash.slice(0, 12)}`, tone: 'faint' }),
  ]);
}

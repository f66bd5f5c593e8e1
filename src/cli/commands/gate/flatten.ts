import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Column, line, type Result, recordOf, tableOf } from '../../../console/output/result.ts';
import { exitCodes } from '../../../ground/failure/failure.ts';

type Row = Awaited<ReturnType<typeof import('../../../gate/control.ts').askGate<'flatten'>>>[number];

export const command = defineCommand({
  summary: 'Stop a bot, or all, cancel its orders and close its positions',
  description:
    "Everything in the accounts of the bot's mandate is ended, whoever opened it. It does not wait for what bots have under way; what arrives late is ended, too. The bot stays stopped until perp gate resume. Without a running gate, use perp flatten.",
  args: [{ name: 'bot', kind: 'word', optional: true, summary: 'only this bot (default: all)' }],
  examples: [
    ['perp gate flatten', 'all bots'],
    ['perp gate flatten scalper', 'the accounts of one of them'],
  ],
  changesMore: true,
});

const columns: readonly Column<Row>[] = [
  { header: 'ACCOUNT', cell: ({ account_id: id }) => id },
  { header: 'CANCELED', cell: ({ canceled }) => String(canceled), align: 'right' },
  { header: 'CLOSED', cell: ({ closed }) => String(closed), align: 'right' },
  {
    header: '',
    cell: ({ is_flat: isFlat, failures }) =>
      isFlat ? { text: 'flat', tone: 'good' } : { text: failures[0] ?? 'not known to be flat', tone: 'bad' },
  },
];

export async function run(console: Console, { bot }: InputOf<typeof command>): Promise<Result> {
  const { gateFolder } = await import('../../../gate/bots-file.ts');
  const { askGate } = await import('../../../gate/control.ts');
  const { variables, settings } = console;
  const folder = gateFolder(variables);
  const who = bot ?? 'every bot';
  const { destination } = await askGate(folder, 'status');
  await console.confirm(`Stop ${who}, and end everything in its accounts on ${destination}?`);
  if (settings.dryRun) return recordOf({ bot: bot ?? null }, () => [line(`Dry run: would flatten ${who}.`)]);
  const accounts = await askGate(folder, 'flatten', bot);
  const isFlat = accounts.every(({ is_flat: flat }) => flat);
  const record = { bot: bot ?? null, destination, accounts };
  return recordOf(record, () => [tableOf(accounts, columns)], isFlat ? exitCodes.done : exitCodes.incomplete);
}

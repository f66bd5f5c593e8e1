import type { Context } from '../../context/context.ts';
import { stateFolder, type Variables } from '../../files/folders.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { journalFolder, settleKeptWrite, unsettledWrites } from '../../intents/journals.ts';
import { fields, line, type Result, recordOf } from '../../output/result.ts';
import { allAccounts } from '../../resolve/account.ts';
import { writeConfig } from '../../settings/config-file.ts';
import { counted, usd } from '../../text/format.ts';
import { requireYes } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Begin a simulation anew: everything traded in it is gone, API keys stay',
  description: 'Off a terminal this needs --yes. It is refused while the simulation is being served.',
  options: {
    seed: { value: 'N', kind: 'count', maximum: 999_999_999, summary: 'the same seed gives the same prices' },
    plan: {
      value: 'PLAN',
      choices: ['select', 'prime', 'none'],
      summary: 'challenge rules of the accounts (default select)',
    },
    balance: {
      value: 'USD',
      kind: 'amount',
      maximum: 1_000_000_000,
      summary: 'what each account begins with (default 100000)',
    },
    accounts: { value: 'N', kind: 'count', maximum: 100, summary: 'how many accounts (default 1)' },
  },
  examples: [
    ['perp sim reset', 'after a question'],
    ['perp sim reset --plan prime --balance 50000 --accounts 3 --yes', 'for copy trading'],
    ['perp sim reset --state friday --books friday.jsonl.gz --clock manual --yes', 'on a recording'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { settings, variables } = context;
  const { state, books, clock, speed } = settings.simulation;
  const { seed, plan, balance: startingBalance, accounts } = input;
  const name = state ?? 'default';
  const wanted = { state: name, books, clock, speed, seed, plan, startingBalance, accounts };
  if (settings.dryRun)
    return recordOf({ reset: wanted }, () => [line(`Dry run: the simulation ${name} stays as it is.`)]);
  const question = `Begin the simulation ${name} anew? Everything traded in it is gone.`;
  requireYes(context, question);
  await context.confirm(question);
  const { resetState } = await import('../../../service/entry.ts');
  const onSetAside = (file: string) => context.note(`The damaged state is kept as ${file}.`);
  const simulation = await resetState({ stateDir: stateFolder(variables), ...wanted, onSetAside });
  simulation.close();
  forgetWrites(variables, name);
  if (settings.account !== undefined) writeConfig(variables, 'sim.account', null);
  const made = await allAccounts(context);
  const { data: status } = await context.call('simStatus', {});
  return recordOf(status, () => [
    line({ text: `Simulation ${name}`, tone: 'strong' }, ' begins anew.'),
    fields(
      ['seed', String(status.seed)],
      ['prices', `${status.source}, ${counted(status.markets, 'market')}`],
      ...made.map((account) => ['account', `${account.id}  ${usd(account.balance)} USD`] as const),
    ),
  ]);
}

/** Writes to what is no more have nothing left to settle; sent again, they would be new ones. */
function forgetWrites(variables: Variables, state: string): void {
  for (const kept of unsettledWrites(journalFolder(variables)).writes) {
    if (kept.note.environment === 'sim' && kept.note.state === state) settleKeptWrite(kept);
  }
}

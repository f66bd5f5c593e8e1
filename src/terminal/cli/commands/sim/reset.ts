import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../../../base/files/folders.ts';
import { counted, usd } from '../../../../base/text/format.ts';
import { intentFolder, settleKeptWrite, unsettledWrites } from '../../../../desk/intents/intent-files.ts';
import { destinationName } from '../../../../desk/intents/note.ts';
import { guardFolder } from '../../../../desk/lock/trading-lock.ts';
import { storeAnnounced } from '../../../../desk/reading/endings.ts';
import { allAccounts } from '../../../../desk/resolve/account.ts';
import { type Console, defineCommand } from '../../../console/console.ts';
import { newSimulationOptions } from '../../../console/grammar/option-groups.ts';
import { fields, line, recordOf } from '../../../console/output/result.ts';
import { writeConfig } from '../../../console/settings/config-file.ts';
import { runningSimulation, statesIn } from '../../../console/settings/in-use.ts';
import { withDestination } from '../../../console/where.ts';
import { requireYes } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Reset a simulation: delete everything but its API keys',
  description: "Without a terminal, this needs --yes. A simulation can't be reset while it is being served.",
  options: newSimulationOptions,
  examples: [
    ['perp sim reset', 'ask, then reset'],
    ['perp sim reset --plan prime --balance 50000 --accounts 3 --yes', 'for copy trading'],
    ['perp sim reset --state friday --books friday.jsonl.gz --clock manual --yes', 'on a recording'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { settings, variables } = console;
    const { plain: name, books, clock, speed } = settings.simulation;
    const { seed, plan, balance: startingBalance, accounts } = input;
    const wanted = { state: name, books, clock, speed, seed, plan, startingBalance, accounts };
    if (settings.dryRun)
      return recordOf({ reset: wanted }, () => [line(`Dry run: the simulation ${name} is unchanged.`)]);
    // From here on, the simulation is the one to reset, regardless of its books.
    Object.assign(settings.simulation, { state: name, books: undefined, clock: undefined, speed: undefined });
    const question = `Reset ${await nameOf(console, name)}? All its orders, positions and history will be deleted.`;
    requireYes(console, question);
    await console.person.confirm(question);
    await console.reopen();
    const { resetState } = await import('../../../../service/public.ts');
    const onSetAside = (file: string) => console.note(`The damaged state was saved as ${file}.`);
    const { beginning } = console.outside;
    const simulation = await resetState({ stateDir: stateFolder(variables), ...wanted, beginning, onSetAside });
    simulation.close();
    forgetWrites(variables, name);
    storeAnnounced(variables, name, undefined);
    forgetGuards(variables, name);
    const ofProfile = settings.profile === undefined ? {} : { [`profiles.${settings.profile}.account`]: null };
    if (settings.account !== undefined) writeConfig(variables, { 'sim.account': null, ...ofProfile });
    const made = await allAccounts(console);
    const { data: status } = await console.call('simStatus', {});
    const done = recordOf(status, () => [
      line({ text: `Simulation ${name}`, tone: 'strong' }, ' was reset.'),
      fields(
        ['seed', String(status.seed)],
        ['prices', `${status.source}, ${counted(status.markets, 'market')}`],
        ...made.map((account) => ['account', `${account.id}  ${usd(account.balance)} USD`] as const),
      ),
    ]);
    return withDestination(console, undefined, done);
  },
});

/** As the simulation names itself, for the question or a refusal; a new or damaged one has only its state's name. */
async function nameOf(console: Console, state: string): Promise<string> {
  const known = { environment: 'sim', state } as const;
  try {
    const isServed = (await runningSimulation(stateFolder(console.variables), state)) !== undefined;
    // Without a question, a simulation that may be damaged is not opened just for its name.
    const isShown = isServed || (!console.settings.yes && statesIn(console.variables).includes(state));
    if (!isShown) return destinationName(known);
    return destinationName((await console.access()).destination);
  } catch {
    return destinationName(known);
  }
}

/**
 * Removes pending writes to the deleted state: there is nothing left to settle, and resending them would create new
 * orders.
 */
function forgetWrites(variables: Variables, state: string): void {
  for (const kept of unsettledWrites(intentFolder(variables)).writes) {
    if (kept.note.environment === 'sim' && kept.note.state === state) settleKeptWrite(kept);
  }
}

/** Removes guard files and locks of the deleted state. A running guard writes its file again. */
function forgetGuards(variables: Variables, state: string): void {
  const folder = guardFolder(variables, { environment: 'sim', state });
  rmSync(join(folder, 'locks'), { recursive: true, force: true });
  for (const file of globSync('*.state', { cwd: folder })) rmSync(join(folder, file), { force: true });
}

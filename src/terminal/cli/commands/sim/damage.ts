import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, usageFailure } from '../../../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../../../base/files/folders.ts';
import { counted, dateTime, usd } from '../../../../base/text/format.ts';
import { intentFolder, settleKeptWrite, unsettledWrites } from '../../../../desk/intents/intent-files.ts';
import { destinationName } from '../../../../desk/intents/note.ts';
import { guardFolder } from '../../../../desk/lock/trading-lock.ts';
import { storeAnnounced } from '../../../../desk/reading/endings.ts';
import { allAccounts } from '../../../../desk/resolve/account.ts';
import { type Console, defineCommand } from '../../../console/console.ts';
import { newSimulationOptions } from '../../../console/grammar/option-groups.ts';
import { type Blocks, fields, line, type Result, recordOf } from '../../../console/output/result.ts';
import { writeConfig } from '../../../console/settings/config-file.ts';
import { runningSimulation, statesIn } from '../../../console/settings/in-use.ts';
import { withDestination } from '../../../console/where.ts';
import { requireYes } from '../../writes/write.ts';

const reset = defineCommand({
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

type StateCheck = import('../../../../service/simulation/repair.ts').StateCheck;
type Repaired = import('../../../../service/simulation/repair.ts').Repaired;
type Repair = Repaired['repair'];

const check = defineCommand({
  summary: 'Check a simulation for damage, back it up, and repair it',
  description:
    'Checks every page and row, each balance against its ledger, and each position against its fills. An undamaged state is backed up to NAME.DATE.backup: one a day, for seven days and at most 1 GB. A damaged state is changed only by --rebuild or --restore, which keep the damaged file under another name. Exits 7 if the state is damaged.',
  options: {
    rebuild: { summary: 'repair by replaying the command log, which loses nothing' },
    restore: { summary: 'repair by restoring the newest undamaged backup' },
  },
  examples: [
    ['perp sim check', 'check the simulation in use'],
    ['perp sim check --state friday --json', 'for scripts'],
    ['perp sim check --rebuild', 'rebuild a damaged state from its command log'],
  ],
  simulationOnly: true,
  async run(console, input) {
    if (input.rebuild && input.restore)
      throw usageFailure("--rebuild and --restore can't be combined.", 'Choose one of them.');
    const folder = stateFolder(console.variables);
    const state = console.settings.simulation.plain;
    if (input.rebuild || input.restore) return repair(console, folder, state, input.rebuild ? 'rebuild' : 'restore');
    const { checkState } = await import('../../../../service/simulation/repair.ts');
    const found = await console.person.during('Checking', async () =>
      checkState(folder, state, !console.settings.dryRun),
    );
    const { problem } = found;
    if (problem !== null && problem.kind !== 'corrupt') throw problem;
    // An undamaged one can describe itself.
    if (problem === null && !console.settings.dryRun) await console.access();
    const exit = problem === null ? exitCodes.done : exitCodes.unavailable;
    return recordOf(recordOfCheck(found), () => (problem === null ? soundBlocks(found) : damageBlocks(found)), exit);
  },
});

async function repair(console: Console, folder: string, state: string, kind: Repair['kind']): Promise<Result> {
  if (console.settings.dryRun)
    throw usageFailure(
      "A repair sends nothing, so it can't be combined with --dry-run.",
      'perp sim check shows what each repair would do.',
    );
  const question =
    kind === 'rebuild'
      ? `Rebuild the simulation ${state} from its command log? The damaged file is kept under another name.`
      : `Restore the newest backup of the simulation ${state}? Everything after the backup is lost; the damaged file is kept under another name.`;
  requireYes(console, question);
  await console.person.confirm(question);
  const { repairState } = await import('../../../../service/simulation/repair.ts');
  const done = await console.person.during('Repairing', () => repairState(folder, state, kind));
  await console.access();
  const record = { state, repaired: recordOfRepair(done.repair), set_aside: done.setAside };
  const result = recordOf(record, () => [
    line({ text: `Simulation ${state}`, tone: 'strong' }, ' is repaired.'),
    fields(
      done.repair.kind === 'rebuild'
        ? ['replayed', counted(done.repair.commands, 'command')]
        : ['as of', dateTime(done.repair.madeAt)],
      ['damaged file', done.setAside],
    ),
  ]);
  return withDestination(console, undefined, result);
}

function recordOfCheck(found: StateCheck) {
  const { state, file, format, sizeBytes, examination, problem, backup, repairs } = found;
  return {
    state,
    file,
    format,
    size_bytes: sizeBytes,
    sound: problem === null,
    rows: examination?.rows ?? null,
    commands: examination?.log.commands ?? null,
    message: problem?.message ?? null,
    faults: examination?.faults ?? [],
    backup,
    backup_problem: found.backupProblem,
    repairs: repairs.map(recordOfRepair),
    rebuild_problem: found.rebuildProblem,
  };
}

function recordOfRepair(repair: Repair) {
  return repair.kind === 'rebuild'
    ? { kind: repair.kind, commands: repair.commands }
    : { kind: repair.kind, backup: repair.backup, made_at: repair.madeAt, lost_commands: repair.lostCommands };
}

function soundBlocks({ state, examination, backup, backupProblem }: StateCheck): Blocks {
  return [
    line({ text: `Simulation ${state}`, tone: 'strong' }, ' is undamaged.'),
    fields(
      ['checked', counted(examination!.rows, 'row')],
      ['command log', counted(examination!.log.commands, 'command')],
      ['backup', backup ?? undefined],
    ),
    backupProblem === null ? [] : line({ text: backupProblem, tone: 'warn' }),
  ];
}

function damageBlocks({ state, file, problem, examination, repairs, rebuildProblem }: StateCheck): Blocks {
  const faults = examination?.faults ?? [];
  const listed = faults.map(({ table, row, what }) => line(`  ${row === null ? table : `${table} ${row}`}: ${what}`));
  return [
    line({ text: `Simulation ${state} is damaged.`, tone: 'bad' }, ` ${file}`),
    ...(listed.length > 0 ? listed : [line(`  ${problem!.message}`)]),
    rebuildProblem === null ? [] : line(`--rebuild can't repair it: ${rebuildProblem}`),
    ...(repairs.length > 0
      ? repairs.map((repair) => line({ text: repairText(state, repair), tone: 'strong' }))
      : [line(`There is no undamaged backup either. perp sim reset${ofState(state)} starts over.`)]),
  ];
}

function ofState(state: string): string {
  return state === 'default' ? '' : ` --state ${state}`;
}

function repairText(state: string, repair: Repair): string {
  const where = ofState(state);
  return repair.kind === 'rebuild'
    ? `perp sim check --rebuild${where} replays the ${counted(repair.commands, 'command')} of its command log; nothing is lost.`
    : `perp sim check --restore${where} restores the backup of ${dateTime(repair.madeAt)}; ${lostText(repair.lostCommands)}`;
}

function lostText(commands: number | null): string {
  if (commands === null) return 'everything since then will be lost.';
  return commands === 0 ? 'no command came after it.' : `${counted(commands, 'command')} after it will be lost.`;
}

export const words = { reset, check };

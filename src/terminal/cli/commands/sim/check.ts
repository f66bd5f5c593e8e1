import { exitCodes, usageFailure } from '../../../../base/failure/failure.ts';
import { stateFolder } from '../../../../base/files/folders.ts';
import { counted, dateTime } from '../../../../base/text/format.ts';
import { type Console, defineCommand } from '../../../console/console.ts';
import { type Block, fields, line, type Result, recordOf } from '../../../console/output/result.ts';
import { withDestination } from '../../../console/where.ts';
import { requireYes } from '../../writes/write.ts';

type StateCheck = import('../../../../service/simulation/repair.ts').StateCheck;
type Repaired = import('../../../../service/simulation/repair.ts').Repaired;
type Repair = Repaired['repair'];

export const command = defineCommand({
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

function soundBlocks({ state, examination, backup, backupProblem }: StateCheck): Block[] {
  return [
    line({ text: `Simulation ${state}`, tone: 'strong' }, ' is undamaged.'),
    fields(
      ['checked', counted(examination!.rows, 'row')],
      ['command log', counted(examination!.log.commands, 'command')],
      ['backup', backup ?? undefined],
    ),
    ...(backupProblem === null ? [] : [line({ text: backupProblem, tone: 'warn' })]),
  ];
}

function damageBlocks({ state, file, problem, examination, repairs, rebuildProblem }: StateCheck): Block[] {
  const faults = examination?.faults ?? [];
  const listed = faults.map(({ table, row, what }) => line(`  ${row === null ? table : `${table} ${row}`}: ${what}`));
  return [
    line({ text: `Simulation ${state} is damaged.`, tone: 'bad' }, ` ${file}`),
    ...(listed.length > 0 ? listed : [line(`  ${problem!.message}`)]),
    ...(rebuildProblem === null ? [] : [line(`--rebuild can't repair it: ${rebuildProblem}`)]),
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

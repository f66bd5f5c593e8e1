import type { Context } from '../../context/context.ts';
import { exitCodes } from '../../failure/exit-codes.ts';
import { usageFailure } from '../../failure/failure.ts';
import { stateFolder } from '../../files/folders.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Block, fields, line, type Result, recordOf } from '../../output/result.ts';
import { counted, dateTime } from '../../text/format.ts';
import { requireYes } from '../../writes/write.ts';

type Entry = typeof import('../../../service/entry.ts');
type StateCheck = Awaited<ReturnType<Entry['checkState']>>;
type Repaired = Awaited<ReturnType<Entry['repairState']>>;
type Repair = Repaired['repair'];

export const command = defineCommand({
  summary: 'Check everything in a simulation, back up a sound one, and repair a damaged one',
  description:
    'Checks every page and row, each balance against its ledger, and each position against its fills. A sound state is copied to NAME.checked.backup; a damaged one is left alone unless told otherwise, and then set aside. Exit status 7 when it is damaged.',
  options: {
    rebuild: { summary: 'of a damaged one: play its journal again, which loses nothing' },
    restore: { summary: 'of a damaged one: go back to its newest sound backup' },
  },
  examples: [
    ['perp sim check', 'of the simulation in use'],
    ['perp sim check --state friday --json', 'for scripts'],
    ['perp sim check --rebuild', 'a damaged state, from its journal'],
  ],
  simulationOnly: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  if (input.rebuild && input.restore)
    throw usageFailure('--rebuild and --restore are two different repairs.', 'Choose one of them.');
  const folder = stateFolder(context.variables);
  const state = context.settings.simulation.state ?? 'default';
  if (input.rebuild || input.restore) return repair(context, folder, state, input.rebuild ? 'rebuild' : 'restore');
  const { checkState } = await import('../../../service/entry.ts');
  const found = await context.during('Checking', () => checkState(folder, state, !context.settings.dryRun));
  const { problem } = found;
  if (problem !== null && problem.kind !== 'corrupt') throw problem;
  const exit = problem === null ? exitCodes.done : exitCodes.unavailable;
  return recordOf(recordOfCheck(found), () => (problem === null ? soundBlocks(found) : damageBlocks(found)), exit);
}

async function repair(context: Context, folder: string, state: string, kind: Repair['kind']): Promise<Result> {
  if (context.settings.dryRun)
    throw usageFailure(
      'A repair sends nothing, so there is no --dry-run of it.',
      'perp sim check tells what it would do.',
    );
  const question =
    kind === 'rebuild'
      ? `Play the journal of the simulation ${state} again? The damaged file is set aside.`
      : `Go back to the newest backup of the simulation ${state}? What came after it is lost; the damaged file is set aside.`;
  requireYes(context, question);
  await context.confirm(question);
  const { repairState } = await import('../../../service/entry.ts');
  const done = await context.during('Repairing', () => repairState(folder, state, kind));
  return recordOf({ state, repaired: recordOfRepair(done.repair), set_aside: done.setAside }, () =>
    repairedBlocks(state, done),
  );
}

function recordOfCheck({ state, file, format, sizeBytes, examination, problem, backup, repairs }: StateCheck) {
  return {
    state,
    file,
    format,
    size_bytes: sizeBytes,
    sound: problem === null,
    rows: examination?.rows ?? null,
    commands: examination?.journal.commands ?? null,
    message: problem?.message ?? null,
    faults: examination?.faults ?? [],
    backup,
    repairs: repairs.map(recordOfRepair),
  };
}

function recordOfRepair(repair: Repair) {
  return repair.kind === 'rebuild'
    ? { kind: repair.kind, commands: repair.commands }
    : { kind: repair.kind, backup: repair.backup, made_at: repair.madeAt };
}

function soundBlocks({ state, examination, backup }: StateCheck): Block[] {
  return [
    line({ text: `Simulation ${state}`, tone: 'strong' }, ' is sound.'),
    fields(
      ['checked', counted(examination!.rows, 'row')],
      ['journal', counted(examination!.journal.commands, 'command')],
      ['backup', backup ?? undefined],
    ),
  ];
}

function damageBlocks({ state, file, problem, examination, repairs }: StateCheck): Block[] {
  const faults = examination?.faults ?? [];
  const told = faults.map(({ table, row, what }) => line(`  ${row === null ? table : `${table} ${row}`}: ${what}`));
  return [
    line({ text: `Simulation ${state} is damaged.`, tone: 'bad' }, ` ${file}`),
    ...(told.length > 0 ? told : [line(`  ${problem!.message}`)]),
    ...(repairs.length > 0
      ? repairs.map((repair) => line({ text: repairText(state, repair), tone: 'strong' }))
      : [line('There is no backup of it, and its journal cannot be played again. perp sim reset starts over.')]),
  ];
}

function repairText(state: string, repair: Repair): string {
  const where = state === 'default' ? '' : ` --state ${state}`;
  return repair.kind === 'rebuild'
    ? `perp sim check --rebuild${where} plays the ${counted(repair.commands, 'command')} of its journal again; nothing is lost.`
    : `perp sim check --restore${where} goes back to the backup of ${dateTime(repair.madeAt)}.`;
}

function repairedBlocks(state: string, { repair, setAside }: Repaired): Block[] {
  return [
    line({ text: `Simulation ${state}`, tone: 'strong' }, ' is in order again.'),
    fields(
      repair.kind === 'rebuild' ? ['played', counted(repair.commands, 'command')] : ['as of', dateTime(repair.madeAt)],
      ['damaged', setAside],
    ),
  ];
}

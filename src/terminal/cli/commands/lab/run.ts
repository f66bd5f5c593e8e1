import { exitCodes, Failure } from '../../../../base/failure/failure.ts';
import { stateFolder } from '../../../../base/files/folders.ts';
import { counted, quantity, stretch } from '../../../../base/text/format.ts';
import { defineCommand } from '../../../console/console.ts';
import { blank, fields, line, type Result, recordOf } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Run a strategy many times and save every trial to a file',
  description:
    'A trial is one run of a strategy with given parameters on given markets, under a challenge plan. --set gives parameters their values: all combinations are tried, or a random --sample of them. Trials run in processes without files and network, so a strategy sees nothing later than its clock. Repeat the command to run only missing trials. --timeout is for one trial (default 60). See docs/lab.md.',
  args: [{ name: 'strategy', kind: 'file', summary: 'a file that exports a strategy: .ts, .js or .mjs' }],
  options: {
    out: { value: 'FILE', kind: 'file', required: true, summary: 'the trials file to create or extend' },
    set: { value: 'NAME=VALUES', repeat: true, summary: 'values of a parameter: fast=5..50:5, slow=20,50, mode=a,b' },
    sample: { value: 'N', kind: 'count', maximum: 1_000_000, summary: 'try N random points of --set' },
    seed: { value: 'N', kind: 'count', maximum: 999_999_999, summary: 'seed of --sample (default 1)' },
    walk: { value: 'IN/OUT', summary: 'walk forward: choose the best in IN, test it in the following OUT: 5d/1d' },
    objective: {
      value: 'NAME',
      choices: ['return', 'sharpe', 'return-per-drawdown', 'profit-factor'],
      summary: 'figure that ranks trials (default return)',
    },
    seeds: { value: 'LIST', summary: 'seeds of synthetic markets, or of random numbers on a tape: 1..20 or 1,5,9' },
    dates: { value: 'DAYS', summary: 'each of these UTC days separately: 2026-03-02, or FIRST..LAST' },
    from: {
      value: 'TIME',
      summary: 'start: a time; on a tape also a bookmark or 14:00 (default: its start, or 2026-01-05)',
    },
    to: { value: 'TIME', summary: 'end (default: that of the tape, or one day after the start)' },
    for: { value: 'DURATION', kind: 'duration', summary: 'length, in place of --to: 6h' },
    plan: { value: 'NAMES', summary: 'challenge plans, each tried: select,prime,none (default select)' },
    balance: { value: 'USD', kind: 'amount', maximum: 1e9, summary: 'starting balance (default 100,000)' },
    think: { value: 'TIME', summary: "time per decision on the market's clock: 50ms, or real for the measured time" },
    jobs: {
      short: 'j',
      value: 'N',
      kind: 'count',
      maximum: 256,
      summary: 'trials at a time (default: one for each core)',
    },
    shard: { value: 'I/N', summary: 'run only part I of N, for several machines; see perp lab merge' },
    criteria: {
      value: 'FILE',
      kind: 'file',
      summary: 'criteria of a good result, sealed before the first trial: lines such as sharpe >= 1.5',
    },
    prove: {
      value: 'N',
      summary:
        'number of trials to test for look-ahead and repeatability, or none (default: 3, and up to 20 in a tenth of the time)',
    },
    memory: { value: 'MB', kind: 'count', maximum: 65_536, summary: 'memory that a trial may use (default 512)' },
  },
  examples: [
    ['perp lab run cross.ts --set fast=5..50:5 --books day.jsonl.gz --out trials.sqlite', 'a grid'],
    [
      'perp lab run cross.ts --set fast=5..50 --sample 200 --seeds 1..20 --out trials.sqlite',
      'random points, 20 markets',
    ],
    ['perp lab run cross.ts --set fast=5..50:5 --walk 5d/1d --for 30d --out walk.sqlite', 'walk forward'],
    ['perp lab run cross.ts --books mon.jsonl.gz,tue.jsonl.gz --plan select,prime --out t.sqlite', 'tapes and plans'],
    ['perp lab run cross.ts --set fast=5..50 --sample 1000 --shard 2/8 --out part2.sqlite', 'one of eight machines'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { runLab } = await import('../../../../programs/lab/lab.ts');
    const { scoreText } = await import('../../../../programs/lab/returns.ts');
    const { settings, signal } = console;
    const { plan, for: forMs, memory: memoryMb, ...given } = input;
    const objective = input.objective ?? 'return';
    const scored = (score: number) => scoreText(objective, score);
    const began = performance.now();
    let toldAt = 0;
    const outcome = await console.person.during('Loading', (say) =>
      runLab({
        ...given,
        ...{ forMs, memoryMb, signal },
        plans: plan?.split(','),
        books: settings.simulation.books?.split(','),
        // A setting for service answers doesn't apply to trials.
        timeoutMs: settings.waitMs,
        stateDir: stateFolder(console.variables),
        isDryRun: settings.dryRun,
        onNote: (text) => console.note(text),
        onProgress(progress) {
          const text = progressText(progress, scored);
          say(text);
          const elapsedMs = performance.now() - began;
          if (console.io.stderrIsTerminal || elapsedMs - toldAt < toldEveryMs) return;
          console.note(text);
          toldAt = elapsedMs;
        },
      }),
    );
    const { networkWall } = await import('../../../../programs/lab/workers/walls.ts');
    return resultOf(outcome, { objective, scored, wall: networkWall().kind, file: input.out, signal });
  },
});

const toldEveryMs = 10_000;

type Outcome = Awaited<ReturnType<typeof import('../../../../programs/lab/lab.ts').runLab>>;
type NetworkWall = import('../../../../programs/lab/workers/walls.ts').NetworkWall;
type Scored = (score: number) => string;
type Progress = Parameters<Parameters<typeof import('../../../../programs/lab/lab.ts').runLab>[0]['onProgress']>[0];

interface Asked {
  readonly objective: string;
  readonly scored: Scored;
  readonly wall: NetworkWall;
  readonly file: string;
  readonly signal: AbortSignal;
}

/** `12 of 200 trials, 3 failed, 40s left, best return 1.2% (fast=5 slow=20)`. */
function progressText({ done, failed, total, elapsedMs, best, unwritten }: Progress, scored: Scored): string {
  const left = done === 0 ? undefined : (elapsedMs / done) * (total - done);
  const parts = [
    `${quantity(done)} of ${counted(total, 'trial')}`,
    ...(failed > 0 ? [`${quantity(failed)} failed`] : []),
    ...(left === undefined || done === total ? [] : [`about ${stretch(Math.ceil(left / 1000) * 1000)} left`]),
    ...(best === null ? [] : [`best ${scored(best.score)}${pointText(best.spec.parameters)}`]),
    ...(unwritten === null ? [] : [`NOT KEPT YET: ${unwritten.count} (${unwritten.problem})`]),
  ];
  return parts.join(', ');
}

/** ` (fast=5 slow=20)`; nothing without parameters. */
function pointText(parameters: Readonly<Record<string, unknown>>): string {
  const point = Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`);
  return point.length === 0 ? '' : ` (${point.join(' ')})`;
}

function resultOf(outcome: Outcome, { objective, scored, wall, file, signal }: Asked): Result {
  const { sweep, strategy, strategyHash, total, shard, known, ran, failed, lost } = outcome;
  const { problems, broken, best, walked, hash } = outcome;
  const scores = walked.filter((score) => score !== null);
  const walkedScore = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const record = {
    ...{ file, sweep, strategy, strategy_hash: strategyHash, shard: `${shard.number}/${shard.of}` },
    ...{ trials: total, known, ran, failed, lost, whole: outcome.isWhole, hash, trials_in_file: outcome.trialsInFile },
    objective,
    best: best === null ? null : { id: best.id, parameters: best.spec.parameters, score: best.score },
    out_of_sample: walked.length === 0 ? null : { windows: walked.length, mean_score: walkedScore },
    proofs: outcome.proofs,
    network_wall: wall,
    ...{ problems, broken, elapsed_ms: Math.round(outcome.elapsedMs), cpu_ms: outcome.cpuMs },
  };
  const tooFew = outcome.proofs.filter(({ status }) => status === 'too few positions');
  const tried = outcome.proofs.filter(({ status }) => status !== 'failed').length - tooFew.length;
  const isDry = hash === null;
  const isMissing = !outcome.isWhole && !isDry;
  if (lost > 0)
    throw new Failure({
      code: 'not_written',
      message: `${outcome.unwritten} ${counted(lost, 'trial')} that ran could not be saved; ${quantity(outcome.trialsInFile)} are in the file.`,
      hint: 'Free some space and run the same command again; it runs only missing trials.',
      details: { lost, trials_in_file: outcome.trialsInFile },
    });
  const blocks = () => [
    line({ text: file, tone: 'strong' }, shard.of > 1 ? `  shard ${shard.number} of ${shard.of}` : ''),
    fields(
      ['trials', isDry ? `${quantity(total)} would run` : `${quantity(known + ran)} of ${quantity(total)}`],
      ['ran now', isDry ? undefined : `${quantity(ran)}${known > 0 ? `; ${quantity(known)} were already there` : ''}`],
      ['failed', failed === 0 ? undefined : { text: quantity(failed), tone: 'warn' as const }],
      ...problems.map(
        ({ kind, message, count }) => [kind, `${message}${count > 1 ? ` (and ${count - 1} more)` : ''}`] as const,
      ),
      ['best trial', best === null ? undefined : `${scored(best.score)}${pointText(best.spec.parameters)}`],
      [
        'out of sample',
        walkedScore === null ? undefined : `${scored(walkedScore)}, mean of ${counted(scores.length, 'window')}`,
      ],
      ['left out', broken.length === 0 ? undefined : { text: counted(broken.length, 'tape'), tone: 'bad' as const }],
      ...outcome.proofs
        .filter(({ status }) => !['clean', 'too few positions'].includes(status))
        .map(({ sentence }) => ['found', { text: sentence, tone: 'bad' as const }] as const),
      ['not judged', tooFew.length === 0 ? undefined : { text: tooFew[0]!.sentence, tone: 'warn' as const }],
      ['proofs', tried === 0 ? undefined : `${quantity(tried)} of ${counted(outcome.trialsInFile, 'trial')}`],
      ['network', wall === 'realm' ? 'only the realm keeps strategies off the network here' : undefined],
      ['time', isDry ? undefined : stretch(Math.round(outcome.elapsedMs / 100) * 100)],
      ['hash', hash ?? undefined],
    ),
    isDry ? [] : line({ text: `perp lab show ${file} evaluates the results.`, tone: 'faint' as const }),
    isMissing ? [blank, line({ text: 'Some trials did not run. Run the command again.', tone: 'warn' as const })] : [],
  ];
  const exit = signal.aborted
    ? exitCodes.interrupted
    : isMissing || broken.length > 0
      ? exitCodes.incomplete
      : exitCodes.done;
  return recordOf(record, blocks, exit);
}

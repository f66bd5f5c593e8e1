import { exitCodes, Failure, usageFailure } from '../../../../base/failure/failure.ts';
import { venueNames } from '../../../../base/terms/venues.ts';
import { counted, quantity, shareText, shellSafe, stretch } from '../../../../base/text/format.ts';
import { defineCommand } from '../../../console/console.ts';
import { outOption } from '../../../console/grammar/option-groups.ts';
import { type Cell, fields, line, type Result, recordOf } from '../../../console/output/result.ts';
import { liveOptions } from '../../../console/settings/venues.ts';

const mebibyte = 2 ** 20;
/** How often to print progress where a line can't be redrawn. */
const toldEveryMs = 60_000;

export const command = defineCommand({
  summary: 'Record live markets to a tape for later practice',
  description:
    'Runs for --for, or until Ctrl-C. If the file exists, recording resumes, with a gap for the missed time. A new part starts every hour and at --part-size: FILE.part2.jsonl.gz and so on. Data is on disk within half a minute.',
  args: [{ name: 'markets', kind: 'market', repeat: true, summary: 'ids, coins or symbols' }],
  options: {
    out: outOption('FILE', 'the tape; compressed if it ends in .gz'),
    for: { value: 'DURATION', kind: 'duration', summary: 'duration, such as 8h (default: until Ctrl-C)' },
    venue: {
      value: 'VENUE',
      choices: venueNames,
      repeat: true,
      summary: 'venue (default binance)',
    },
    'part-size': {
      value: 'MIB',
      kind: 'amount',
      maximum: 4096,
      summary: 'size of a part in MiB before compression (default 64)',
    },
  },
  examples: [
    ['perp sim record BTC ETH --for 8h -o day.jsonl.gz', 'eight hours of two markets'],
    ['perp sim record xyz:GOLD --venue hyperliquid -o gold.jsonl.gz', 'until Ctrl-C'],
    ['perp sim serve --books day.jsonl.gz --speed 10', 'practice on the tape'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { settings, signal, variables } = console;
    if (settings.dryRun) throw usageFailure("perp sim record can't be combined with --dry-run.", 'Omit --dry-run.');
    if (!/\.jsonl(\.gz)?$/.test(input.out))
      throw usageFailure('-o must end in .jsonl or .jsonl.gz.', 'For example: -o day.jsonl.gz');
    const { recordLive } = await import('../../../../service/live/recording.ts');
    let toldAt = 0;
    const end = await console.person.during('Recording', (say) =>
      recordLive({
        live: liveOptions(variables, input.venue.length > 0 ? input.venue : undefined),
        tape: input.out,
        markets: input.markets,
        forMs: input.for ?? null,
        partBytes: input.partSize === undefined ? undefined : Math.max(1, Math.round(input.partSize * mebibyte)),
        signal,
        onProgress: (progress) => {
          const text = progressText(progress, input.for);
          say(text);
          const isDue = !console.io.stderrIsTerminal && progress.elapsedMs - toldAt >= toldEveryMs;
          if (isDue) console.note(text);
          if (isDue) toldAt = progress.elapsedMs;
        },
      }),
    );
    const { reason } = signal;
    const isInterrupted = signal.aborted && !(reason instanceof Failure && reason.facts.code === 'terminated');
    return resultOf(end, isInterrupted);
  },
});

type Progress = import('../../../../service/live/recording.ts').RecordProgress;

type End = Awaited<ReturnType<typeof import('../../../../service/live/recording.ts').recordLive>>;

/** Its outcome: nothing recorded is a failure, a market without data an incomplete recording. */
function resultOf({ tape, feeds, elapsedMs, wanted, recorded }: End, isInterrupted: boolean): Result {
  const gaps = feeds.flatMap(({ markets }) => markets).reduce((sum, market) => sum + market.gaps, 0);
  const record = {
    ...{ file: tape.tape, duration_ms: elapsedMs, markets: wanted, lines: tape.lines, parts: tape.part, gaps },
    problem: tape.problem,
    recorded: recorded.map(({ marketId, events, known, problem }) => ({ market_id: marketId, events, known, problem })),
  };
  const missing = recorded.filter(({ events }) => events === 0);
  if (missing.length === recorded.length && tape.problem === null)
    throw new Failure({
      code: 'nothing_recorded',
      message: `Nothing was recorded in ${stretch(elapsedMs)}: ${missing.map(absenceText).join('; ')}.`,
      hint: 'perp doctor tests each venue.',
      details: record,
    });
  const blocks = () => [
    line({ text: tape.tape, tone: 'strong' }, `  ${stretch(elapsedMs)} of ${counted(wanted, 'market')}`),
    fields(
      ['lines', quantity(tape.lines)],
      ['parts', String(tape.part)],
      ['gaps', gaps === 0 ? 'none' : { text: String(gaps), tone: 'warn' }],
      ...recorded.map((market) => [shellSafe(market.marketId), knownCell(market)] as const),
      ['problem', tape.problem === null ? undefined : { text: tape.problem, tone: 'bad' }],
    ),
  ];
  if (tape.problem !== null) return recordOf(record, blocks, exitCodes.unavailable);
  if (missing.length > 0) return recordOf(record, blocks, exitCodes.incomplete);
  return recordOf(record, blocks, isInterrupted ? exitCodes.interrupted : exitCodes.done);
}

type Recorded = End['recorded'][number];

function knownCell(market: Recorded): Cell {
  if (market.events === 0) return { text: `nothing recorded: ${market.problem ?? noData}`, tone: 'bad' };
  const end = market.problem === null ? '' : `, but not at the end: ${market.problem}`;
  const text = `known ${shareText(market.known)} of the time${end}`;
  return end === '' ? text : { text, tone: 'warn' };
}

function absenceText({ marketId, problem }: Recorded): string {
  return `${shellSafe(marketId)}: ${(problem ?? noData).replace(/\.$/, '')}`;
}

const noData = 'no data has arrived';

/** `2 of 2 live, 12m 4s of 8h, 1204 lines in 1 part, 12 messages/s`, and any problems. */
function progressText({ elapsedMs, live, wanted, tape, feeds }: Progress, forMs: number | undefined): string {
  const rate = feeds.reduce((sum, { framesPerSecond }) => sum + framesPerSecond, 0);
  const inGap = feeds.flatMap(({ markets }) => markets).filter(({ gap }) => gap !== null);
  const parts = [
    `${live} of ${wanted} live`,
    `${stretch(elapsedMs)}${forMs === undefined ? '' : ` of ${stretch(forMs)}`}`,
    `${quantity(tape.lines)} lines in ${counted(tape.part, 'part')}`,
    `${rate} messages/s`,
    ...(inGap.length === 0
      ? []
      : [`in a gap: ${inGap.map(({ marketId, gap }) => `${shellSafe(marketId)} (${gap!.reason})`).join(', ')}`]),
    ...(tape.problem === null ? [] : [`NOT RECORDING: ${tape.problem}`]),
  ];
  return `Recording: ${parts.join(', ')}`;
}

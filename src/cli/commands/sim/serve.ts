import type { Context } from '../../context/context.ts';
import { exitCodes } from '../../failure/exit-codes.ts';
import { Failure, usageFailure } from '../../failure/failure.ts';
import { sourceStack } from '../../failure/source-lines.ts';
import { stateFolder } from '../../files/folders.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { fields, line, type Result, recordOf } from '../../output/result.ts';
import { liveOptions, venueChoices } from '../../settings/venues.ts';
import { plainLines } from '../../text/plain-text.ts';
import { quoted } from '../../text/quoted.ts';

export const command = defineCommand({
  summary: 'Put the simulation on HTTP, for any client; the command line then uses it, too',
  description: 'Runs until Ctrl-C, on this machine only. perp sim keys create issues API keys for other clients.',
  options: {
    port: { value: 'PORT', kind: 'port', summary: 'of the live host (default 7400)' },
    'sandbox-port': { value: 'PORT', kind: 'port', summary: 'of the sandbox host (default 7401)' },
    venue: {
      value: 'VENUE',
      choices: venueChoices,
      repeat: true,
      summary: 'with --books live: whose markets (default binance); may be repeated',
    },
    from: { value: 'PLACE', summary: 'of a recording: begin at a bookmark, or a time such as 14:00 (UTC)' },
    blind: { summary: 'of a recording: tell nothing beyond the clock, not even where it ends' },
    'rate-limit': { value: 'N|off', summary: 'requests a minute from one address (default 300)' },
  },
  examples: [
    ['perp sim serve', 'on ports 7400 and 7401'],
    ['perp sim serve --state friday --books friday.jsonl.gz --clock manual', 'a recording, moved by perp sim advance'],
    ['perp sim serve --books live', "a desk on today's market, every move of it kept on a tape"],
    ['perp sim serve --books day.jsonl.gz --speed 10 --from 14:00 --blind', 'practice on a recorded day'],
    ['perp sim serve --rate-limit off --debug', 'every request in view'],
  ],
  simulationOnly: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { settings, signal, io } = context;
  if (settings.dryRun)
    throw usageFailure('perp sim serve sends nothing, so there is no --dry-run of it.', 'Leave it out.');
  const { serve } = await import('../../../service/entry.ts');
  if (input.venue.length > 0 && settings.simulation.books !== 'live')
    throw usageFailure('--venue is of live markets.', 'Add --books live, or leave it out.');
  const say = (text: string) => io.err(`${plainLines(text)}\n`);
  const serving = await serve({
    stateDir: stateFolder(context.variables),
    ...settings.simulation,
    live: liveOptions(context.variables, input.venue.length > 0 ? input.venue : undefined),
    from: input.from,
    blind: input.blind || undefined,
    port: input.port,
    sandboxPort: input.sandboxPort,
    rateLimit: rateLimit(input.rateLimit),
    probesLocks: true,
    ...(settings.debug
      ? {
          log: ({ environment, method, path, status, durationMs, requestId }) =>
            say(`${environment} ${method} ${path} ${status} ${durationMs.toFixed(1)} ms ${requestId}`),
        }
      : {}),
    onTrouble: (error) => say(error.message),
    onBug: (error, requestId) => say(bugText(error, requestId)),
  });
  const { state, baseUrl, sandboxUrl, pid } = serving;
  const record = { state, base_url: baseUrl, sandbox_url: sandboxUrl, pid };
  try {
    await context.show(
      recordOf(record, () => [
        line({ text: `Simulation ${state}`, tone: 'strong' }, ' is being served.'),
        fields(
          ['live', baseUrl],
          ['sandbox', sandboxUrl],
          ['prices', pricesOf(serving.simulation.facts)],
          ['documents', `${baseUrl}/openapi.json`],
          ['keys', 'perp sim keys create'],
        ),
        line({ text: 'Ctrl-C stops it.', tone: 'faint' }),
      ]),
    );
    await aborted(signal);
  } finally {
    await serving.stop();
  }
  context.note('Stopped.');
  const { reason } = signal;
  const asked = reason instanceof Failure && reason.facts.code === 'terminated';
  return { kind: 'text', text: '', exit: asked ? exitCodes.done : exitCodes.interrupted };
}

/** Where prices come from, and where they are kept. */
function pricesOf({ source, books, blind }: { source: { name: string }; books?: string; blind?: unknown }): string {
  if (books === undefined) return source.name;
  return `${source.name}${blind === undefined ? '' : ', blind'}, ${books}`;
}

/** A damaged file is no bug, and its message says all. */
function bugText(error: unknown, requestId: string): string {
  if (!(error instanceof Error)) return `A bug in perp, request ${requestId}: ${String(error)}`;
  return error.name === 'StoreError' ? error.message : `A bug in perp, request ${requestId}: ${sourceStack(error)}`;
}

function rateLimit(text: string | undefined): number | 'off' | undefined {
  if (text === undefined || text === 'off') return text;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageFailure(`--rate-limit is ${quoted(text)}.`, 'Write requests a minute, such as 300, or off.');
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

import { usageFailure } from '../../../../base/failure/failure.ts';
import { stateFolder } from '../../../../base/files/folders.ts';
import { plainLines, quoted } from '../../../../base/text/plain-text.ts';
import { destinationName, pricesInWords } from '../../../../desk/intents/note.ts';
import { type Console, defineCommand } from '../../../console/console.ts';
import { servingOptions } from '../../../console/grammar/option-groups.ts';
import { fields, line, type Result, recordOf, stoppedBy } from '../../../console/output/result.ts';
import { problemReporter, rateLimitGiven, weatherGiven } from '../../../console/settings/serving.ts';
import { plainSimulation } from '../../../console/settings/settings.ts';
import { checkVenue, liveOptions, venueOption } from '../../../console/settings/venues.ts';

type Serving = Awaited<ReturnType<typeof import('../../../../service/serve.ts').serve>>;

export const command = defineCommand({
  summary: 'Serve the simulation over HTTP for any client',
  description:
    'Runs until Ctrl-C and listens only on this machine. perp sim key add issues API keys for other clients.',
  options: {
    port: { value: 'PORT', kind: 'port', summary: 'port of the main address (default 7400)' },
    'sandbox-port': { value: 'PORT', kind: 'port', summary: 'port of the sandbox address (default 7401)' },
    venue: venueOption,
    ...servingOptions,
    blind: { summary: 'hide everything after the current time of a recording, including its end' },
    use: { summary: 'put it in use while it runs, for commands on a terminal; without this, asks on a terminal' },
    'allow-origin': {
      value: 'ORIGIN',
      repeat: true,
      summary: 'let web pages of this origin use the API and the streams, such as https://app.example.com',
    },
  },
  examples: [
    ['perp sim serve', 'on ports 7400 and 7401'],
    [
      'perp sim serve --state friday --books friday.jsonl.gz --clock manual',
      'a recording, advanced by perp sim advance',
    ],
    ['perp sim serve --books live', "trade today's market and record it"],
    ['perp sim serve --books day.jsonl.gz --speed 10 --from 14:00 --blind', 'practice on a recorded day'],
    ['perp sim serve --rate-limit off --debug', 'log every request'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const { settings, signal, io } = console;
    if (settings.dryRun) throw usageFailure("perp sim serve can't be combined with --dry-run.", 'Omit --dry-run.');
    const { serve } = await import('../../../../service/serve.ts');
    const { originOf } = await import('../../../../wire/hosting/origins.ts');
    const allowedOrigins = input.allowOrigin.map((text) => originGiven(text, originOf));
    checkVenue(input.venue, settings.simulation.books);
    const { state, books, clock, speed } = settings.simulation;
    const say = (text: string) => io.err(`${plainLines(text)}\n`);
    const serving = await serve({
      stateDir: stateFolder(console.variables),
      state,
      books,
      clock,
      speed,
      beginning: console.outside.beginning,
      live: liveOptions(console.variables, input.venue.length > 0 ? input.venue : undefined),
      from: input.from,
      blind: input.blind || undefined,
      asNow: input.asNow || undefined,
      weather: await weatherGiven(input.weather),
      port: input.port,
      sandboxPort: input.sandboxPort,
      rateLimit: rateLimitGiven(input.rateLimit),
      allowedOrigins,
      probesLocks: true,
      ...(settings.debug
        ? {
            log: ({ environment, method, path, status, durationMs, requestId }) =>
              say(`${environment} ${method} ${path} ${status} ${durationMs.toFixed(1)} ms ${requestId}`),
          }
        : {}),
      ...problemReporter(say),
    });
    try {
      await console.show(servedRecord(serving, await offerUse(console, serving, input.use)));
      for (const { problem } of serving.simulation.facts.live?.status().feeds ?? [])
        if (problem !== null) console.note(`${problem}.`);
      await aborted(signal);
    } finally {
      await serving.stop();
    }
    console.note('Stopped.');
    return stoppedBy(signal);
  },
});

/** Selects the simulation with --use, or after a question on a terminal; then says what commands mean. */
async function offerUse(console: Console, serving: Serving, use: boolean): Promise<Use> {
  const { variables, person, settings } = console;
  const { state } = serving;
  const elsewhere = await plainSimulation(variables, true);
  const isChosen = !['perp sim use', 'perp sim serve', 'default'].includes(elsewhere.plainFrom);
  if (elsewhere.plain === state && !use) return { isInUse: true, reach: undefined };
  const reach = `perp --state ${state} ..., or perp sim use ${state}`;
  if (isChosen) {
    if (use) console.note(`${elsewhere.plainFrom} names ${elsewhere.plain}, which takes precedence.`);
    return { isInUse: false, reach };
  }
  const question = `Use ${state} while it runs? Commands on a terminal will then use it instead of ${elsewhere.plain}.`;
  const isWanted = use || (person.isInteractive && (settings.yes || (await console.outside.prompts.confirm(question))));
  if (isWanted) serving.putInUse();
  return { isInUse: isWanted, reach: isWanted ? 'commands on a terminal use it while it runs' : reach };
}

interface Use {
  isInUse: boolean;
  /** How commands reach it, unless they do so by default. */
  reach: string | undefined;
}

function servedRecord(serving: Serving, { isInUse, reach }: Use): Result {
  const { state, baseUrl, sandboxUrl, pid, source, firstTime } = serving;
  const name = destinationName({ environment: 'sim', state, prices: pricesInWords(source, firstTime) });
  const record = { state, base_url: baseUrl, sandbox_url: sandboxUrl, pid, in_use: isInUse };
  return recordOf({ ...record, computed: { destination: name } }, () => [
    line({ text: name, tone: 'strong' }, ' is being served.'),
    fields(
      ['address', baseUrl],
      ['sandbox', sandboxUrl],
      ['use', reach],
      ['prices', pricesOf(serving.simulation.facts)],
      ['documents', `${baseUrl}/openapi.json`],
      ['keys', 'perp sim key add'],
    ),
    line({ text: 'Ctrl-C stops it.', tone: 'faint' }),
  ]);
}

/** The source of prices, and the file they are recorded to. */
function pricesOf({ source, books, blind }: { source: { name: string }; books?: string; blind?: unknown }): string {
  if (books === undefined) return source.name;
  return `${source.name}${blind === undefined ? '' : ', blind'}, ${books}`;
}

function originGiven(text: string, originOf: (text: string) => string | null): string {
  const origin = originOf(text);
  if (origin !== null) return origin;
  throw usageFailure(
    `--allow-origin is ${quoted(text)}, not the origin of a page.`,
    'Give scheme and host, and any unusual port: https://app.example.com, http://localhost:3000.',
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

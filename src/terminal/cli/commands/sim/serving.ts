import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type ExitCode, usageFailure } from '../../../../base/failure/failure.ts';
import { stateFolder } from '../../../../base/files/folders.ts';
import { counted, stretch, timeOfDay, usd } from '../../../../base/text/format.ts';
import { jsonText, plainLines, quoted } from '../../../../base/text/plain-text.ts';
import { destinationName, pricesInWords } from '../../../../desk/intents/note.ts';
import { type Console, defineCommand, type InputOf } from '../../../console/console.ts';
import { newSimulationOptions, servingOptions } from '../../../console/grammar/option-groups.ts';
import { fields, line, type Result, recordOf, stoppedBy } from '../../../console/output/result.ts';
import { prefixGiven, problemReporter, rateLimitGiven, weatherGiven } from '../../../console/settings/serving.ts';
import { plainSimulation, wantsJsonErrors } from '../../../console/settings/settings.ts';
import { checkVenue, liveOptions, venueOption } from '../../../console/settings/venues.ts';
import { survivalInWords } from '../../../console/views/weather-view.ts';
import type { ProgramResult } from '../../running/run-program.ts';

type Tally = import('../../../../service/present/run-tally.ts').Tally;

const run = defineCommand({
  summary: 'Run any program against a simulation of its service',
  description:
    'Serves a simulation as long as the program runs. The program gets a key and the addresses in variables ' +
    '(PERP_API_KEY, PERP_BASE_URL, ...). Name its built-in hosts with --as: for this program only, they then mean the ' +
    'simulation, with certificates for this run only. Standard output belongs to the program, and perp exits with its ' +
    'status. Without --state, the simulation is new, and deleted at the end.',
  args: [{ name: 'command', kind: 'word', repeat: true, summary: 'the program and its arguments, after --' }],
  options: {
    as: {
      value: 'HOST[:PORT]',
      repeat: true,
      summary: 'a host name built into the program, such as api.example.com (port 443)',
    },
    sandbox: { summary: "serve it the sandbox instead of live: key, hosts and the sandbox's variables" },
    'key-variable': { value: 'NAME', repeat: true, summary: 'another variable that gets the key' },
    'url-variable': { value: 'NAME', repeat: true, summary: 'another variable that gets the base URL' },
    preset: {
      value: 'NAME',
      choices: ['observed', 'default'],
      summary: 'policy of its accounts: all observed behaviors of the live service, or none (perp sim policy)',
    },
    prefix: { value: 'PREFIX', summary: 'prefix of the key, for a program that expects one (default sim_live_)' },
    network: {
      value: 'KIND',
      choices: ['own', 'shared'],
      summary: 'own: only this program has these hosts (Linux); shared: by HTTPS_PROXY (default own where possible)',
    },
    ...servingOptions,
    venue: venueOption,
    ...newSimulationOptions,
  },
  examples: [
    ['perp sim run -- python bot.py', 'a program that reads PERP_BASE_URL and PERP_API_KEY'],
    ['perp sim run --as api.example.com --key-variable BOT_KEY -- python bot.py', 'one with a built-in host'],
    [
      'perp sim run --books day.jsonl.gz --as-now --as api.example.com -- ./bot',
      'on a recorded day, as if it were now',
    ],
    ['perp sim run --state friday --plan prime -- node bot.js', 'keep the simulation: perp --state friday pnl'],
  ],
  simulationOnly: true,
  async run(console, input): Promise<Result> {
    const { settings, variables } = console;
    if (settings.dryRun) throw usageFailure("perp sim run can't be combined with --dry-run.", 'Omit --dry-run.');
    const { simulation } = settings;
    checkVenue(input.venue, simulation.books);
    const { seed, plan, balance: startingBalance, accounts } = input;
    const state = simulation.plainFrom === '--state' ? simulation.plain : undefined;
    if (state !== undefined) refuseOptionsOfNew(console, state, { seed, plan, balance: startingBalance, accounts });
    const environment = input.sandbox ? 'test' : 'live';
    const { runProgram } = await import('../../running/run-program.ts');
    const { presetAccounts } = await import('../../../../service/public.ts');
    const { beginTally } = await import('../../../../service/present/run-tally.ts');
    const say = (text: string) => console.io.err(`perp: ${plainLines(text)}\n`);
    const note = settings.quiet ? () => {} : say;
    const { result, tally, weather } = await runProgram(
      {
        command: input.command,
        environment,
        hosts: hostsGiven(input),
        keyPrefix: input.prefix === undefined ? undefined : prefixGiven(input.prefix),
        keyVariables: input.keyVariable.map((name) => variableGiven('--key-variable', name)),
        urlVariables: input.urlVariable.map((name) => variableGiven('--url-variable', name)),
        network: input.network,
        state: state === undefined ? undefined : { name: state, folder: stateFolder(variables) },
        variables,
        note,
      },
      {
        recordingsDir: join(stateFolder(variables), 'recordings'),
        books: simulation.books,
        clock: simulation.clock,
        speed: simulation.speed,
        asNow: input.asNow || undefined,
        weather: await weatherGiven(input.weather),
        from: input.from,
        seed,
        plan,
        startingBalance,
        accounts,
        beginning: console.outside.beginning,
        live: liveOptions(variables, input.venue.length > 0 ? input.venue : undefined),
        rateLimit: rateLimitGiven(input.rateLimit),
        probesLocks: state !== undefined,
        ...problemReporter(say),
      },
      async ({ simulation: opened }) => {
        if (input.preset !== undefined) presetAccounts(opened, environment, input.preset);
        const tallied = beginTally(opened, environment);
        return (ended) => ({ result: ended, tally: tallied(), weather: opened.weather?.survival.report() });
      },
    );
    if (wantsJsonErrors(settings))
      console.io.err(`${jsonText({ ...recordOfRun(result, tally, state), ...(weather && { weather }) })}\n`);
    else {
      if (weather !== undefined) for (const told of survivalInWords(weather)) note(told);
      note(inWords(result, tally, state));
    }
    // The program's own status, which may be any.
    return { kind: 'text', text: '', exit: result.exit as ExitCode };
  },
});

function recordOfRun(result: ProgramResult, tally: Tally, state: string | undefined) {
  const { exit, signal, requests, refused, firstRequestAt, startedAt } = result;
  return {
    exit,
    signal,
    first_request_ms: firstRequestAt === undefined ? null : firstRequestAt - startedAt,
    requests,
    refused,
    ...tally,
    state: state ?? null,
  };
}

/** One line: the program's result, and where it is recorded. */
function inWords(result: ProgramResult, tally: Tally, state: string | undefined): string {
  const { requests, refused, firstRequestAt, startedAt } = result;
  const reached =
    firstRequestAt === undefined
      ? 'no request arrived'
      : `${counted(requests, 'request')}, the first after ${stretch(Math.max(1, firstRequestAt - startedAt))}${refusedInWords(refused)}`;
  const rejected = tally.rejected === 0 ? '' : ` (${tally.rejected} rejected)`;
  const several = tally.accounts.length > 1;
  const equity = tally.accounts.map((account) => `${several ? `${account.account_id} ` : ''}${equityOf(account)}`);
  const kept = state === undefined ? 'journal not kept (--state NAME keeps it)' : `journal in --state ${state}`;
  return `${reached}; ${counted(tally.orders, 'order')}${rejected}, ${counted(tally.fills, 'fill')}, equity ${equity.join(', ')}; ${kept}.`;
}

/** The number of reasons shown; a faulty program has one or two. */
const mostReasons = 5;

/** `, refused: 5 x 403 Origin, 404 not_found`. */
function refusedInWords(refused: ProgramResult['refused']): string {
  const named = refused.slice(0, mostReasons).map(({ status, reason, count }) => {
    const times = count === 1 ? '' : `${count} x `;
    return `${times}${status} ${plainLines(reason)}`;
  });
  const more = refused.length > mostReasons ? ', and more' : '';
  return named.length === 0 ? '' : `, refused: ${named.join(', ')}${more}`;
}

function equityOf({ equity, breach, status }: Tally['accounts'][number]): string {
  const value = equity === null ? 'not known' : `${usd(equity)} USD`;
  if (breach === null) return `${value}, ${status === 'passed' ? 'passed' : 'no breach'}`;
  const at = breach.at === null ? '' : ` at ${timeOfDay(breach.at)}`;
  return `${value}, breach: ${breach.rule_id ?? 'unknown'}${at}`;
}

/** Options that only a new simulation takes. */
function refuseOptionsOfNew(console: Console, state: string, options: Record<string, unknown>): void {
  const given = Object.entries(options).find(([, value]) => value !== undefined);
  const isThere =
    statSync(join(stateFolder(console.variables), `${state}.db`), { throwIfNoEntry: false }) !== undefined;
  if (given === undefined || !isThere) return;
  throw usageFailure(
    `The simulation ${state} exists, and its ${given[0]} can't change.`,
    `Omit --${given[0]}, name another --state, or reset it: perp sim reset --state ${state}.`,
  );
}

function hostsGiven({ as, network }: Pick<InputOf<typeof run>, 'as' | 'network'>) {
  if (network !== undefined && as.length === 0)
    throw usageFailure(
      `--network ${network} needs hosts, but --as names none.`,
      'Name the hosts that are built into the program, as in --as api.example.com, or omit --network.',
    );
  return as.map(hostGiven);
}

function hostGiven(text: string): { name: string; port: number } {
  const [name = '', port = '443', ...rest] = text.toLowerCase().split(':');
  const isName = name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) && name.length <= 253;
  const isOwn = /^[\d.]+$/.test(name) || name === 'localhost';
  const isPort = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535;
  if (isName && !isOwn && isPort && rest.length === 0) return { name, port: Number(port) };
  throw usageFailure(
    `--as is ${quoted(text)}, not a host name.`,
    'Write the name as in the program, without scheme and path: --as api.example.com',
  );
}

function variableGiven(option: string, name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw usageFailure(`${option} is ${quoted(name)}, not the name of a variable.`, `Write it as ${option} BOT_KEY.`);
}

type Serving = Awaited<ReturnType<typeof import('../../../../service/serve.ts').serve>>;

const serve = defineCommand({
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
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await serving.stop();
    }
    console.note('Stopped.');
    return stoppedBy(signal);
  },
});

/** Selects the simulation with --use, or after a question on a terminal; then says how commands reach it, if not by default. */
async function offerUse(console: Console, serving: Serving, use: boolean) {
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

function servedRecord(serving: Serving, { isInUse, reach }: Awaited<ReturnType<typeof offerUse>>): Result {
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

export const words = { run, serve };

import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { defaultState, isStateName } from '../../../base/terms/state-names.ts';
import { counted, dateTime, quantity, stretch } from '../../../base/text/format.ts';
import { withPlace } from '../../../base/text/place-options.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { allAccounts } from '../../../desk/resolve/account.ts';
import { resolveTime } from '../../../desk/resolve/time.ts';
import type { RequestOf } from '../../../wire/contract/operations.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { AdvanceRequest, SimulationStatus } from '../../../wire/contract/simulation.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { weatherOption } from '../../console/grammar/option-groups.ts';
import { type Block, fields, line, type Result, recordOf, tableOf, wouldUse } from '../../console/output/result.ts';
import { runningSimulation, statesIn, useByHand } from '../../console/settings/in-use.ts';
import { weatherGiven } from '../../console/settings/serving.ts';
import { plainSimulation } from '../../console/settings/settings.ts';
import { accountBlocks } from '../../console/views/account-view.ts';
import { endingCell, endingText } from '../../console/views/ending-view.ts';
import { endedText, hasEnded } from '../../console/views/market-view.ts';
import { fillColumns } from '../../console/views/order-view.ts';
import { survivalInWords } from '../../console/views/weather-view.ts';
import { withDestination } from '../../console/where.ts';
import { dryRunOf, write } from '../writes/write.ts';

const status = defineCommand({
  summary: "Show the simulation's clock, prices and open orders",
  examples: [['perp sim status', 'the simulation in use']],
  simulationOnly: true,
  async run(console) {
    const { data } = await console.call('simStatus', {});
    const served = await runningSimulation(stateFolder(console.variables), data.state);
    const speed = data.speed === 1 ? '' : `, ${quantity(data.speed)}x speed`;
    const halted = [...(data.trading_halt.platform ? ['the platform'] : []), ...data.trading_halt.categories];
    const here = (text: string) => withPlace(text, console.settings);
    return recordOf(data, () => [
      line(
        { text: `Simulation ${data.state}`, tone: 'strong' },
        served === undefined ? '  in this process' : `  served at ${served.baseUrl}`,
      ),
      fields(
        ['prices', `${data.source}${data.blind ? ', blind' : ''}, ${counted(data.markets, 'market')}`],
        ['books', data.books ?? undefined],
        ['clock', data.clock === 'manual' ? here('manual; perp sim advance advances it') : `real${speed}`],
        ['time', dateTime(data.time)],
        [
          'recording',
          data.first_time === null || data.last_time === null
            ? undefined
            : `${dateTime(data.first_time)} to ${dateTime(data.last_time)}`,
        ],
        hasEnded(data) ? ['ended', { text: here(`the recording is over, so ${endedText}`), tone: 'warn' }] : undefined,
        ['seed', String(data.seed)],
        ['accounts', String(data.accounts)],
        ...data.ended_accounts.map((ending) => [ending.name, endingCell(ending, endingText(ending))] as const),
        [
          'open',
          `${counted(data.open_positions, 'position')}, ${counted(data.working_orders, 'order')}, ${data.running_strategies} strategies`,
        ],
        ['halted', halted.length === 0 ? undefined : { text: halted.join(', '), tone: 'warn' }],
      ),
    ]);
  },
});

const use = defineCommand({
  summary: 'Set the simulation that commands use without --state',
  description:
    'A command uses the simulation of --state, else of PERP_STATE, else of sim.state in the config, else the one in use, else default. A simulation chosen here stays in use, in scripts, too, until you choose another; perp sim use default ends it. perp sim serve --use puts its simulation in use while it runs, but only for commands on a terminal. The latest choice wins. Without NAME, shows the one in use.',
  args: [{ name: 'name', kind: 'state', optional: true, summary: 'simulation to use' }],
  options: { weather: weatherOption },
  examples: [
    ['perp sim use', 'which one commands use, and why'],
    ['perp sim use default', 'back to the default one'],
    ['perp sim use default --weather 7', 'simulate a bad day of a real service, until --weather off'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { settings, variables, outside } = console;
    const weather = await weatherGiven(input.weather);
    const name = input.name ?? (weather === undefined ? undefined : settings.simulation.plain);
    if (name === undefined) return shown(settings.simulation.plain, settings.simulation.plainFrom);
    if (!isStateName(name) || (name !== defaultState && !statesIn(variables).includes(name))) {
      const others = [...new Set([defaultState, ...statesIn(variables)])].join(', ');
      throw notFoundFailure(`There is no simulation ${quoted(name)}.`, `Simulations: ${others}.`);
    }
    if (settings.dryRun) return recordOf({ state: name }, () => [wouldUse(name)]);
    if (weather !== undefined) await setWeather(console, name, weather);
    useByHand(variables, name, outside.now());
    const { plain, plainFrom } = await plainSimulation(variables, console.person.isInteractive);
    if (plain !== name) console.note(`${plainFrom} names ${plain}, which takes precedence.`);
    return recordOf({ state: name }, () => [line({ text: name, tone: 'strong' }, ' is in use.')]);
  },
});

/** The state keeps its weather, for commands and for the service. */
async function setWeather(
  { variables, outside }: Console,
  state: string,
  weather: NonNullable<Awaited<ReturnType<typeof weatherGiven>>>,
): Promise<void> {
  const stateDir = stateFolder(variables);
  if ((await runningSimulation(stateDir, state)) !== undefined)
    throw usageFailure(
      `The simulation ${state} is being served, so its weather can't change now.`,
      'Stop it, or serve it with --weather.',
    );
  const { openSimulation } = await import('../../../service/public.ts');
  (await openSimulation({ stateDir, state, weather, beginning: outside.beginning })).close();
}

function shown(state: string, from: string): Result {
  return recordOf({ state, from }, () => [
    line({ text: state, tone: 'strong' }, from === 'default' ? '  no others are in use' : `  by ${from}`),
  ]);
}

const fund = defineCommand({
  summary: 'Create the funded successor of a passed account',
  args: [{ name: 'account', kind: 'account', summary: 'the passed account' }],
  examples: [['perp sim fund acc_1', 'after it passed its challenge']],
  simulationOnly: true,
  async run(console, input) {
    const request = { body: { account_id: input.account } };
    return write(console, 'simFund', request, {
      question: `Create the funded successor of ${input.account}?`,
      done: ({ data }) => recordOf(data, () => accountBlocks(data)),
    });
  },
});

const weather = defineCommand({
  summary: "Show a served simulation's weather and how clients coped",
  description:
    'Counts since perp sim serve started. perp sim serve --weather SEED turns weather on; perp sim run --weather SEED reports it at the end.',
  examples: [
    ['perp sim weather', 'the weather so far, and how clients reacted'],
    ['perp sim weather --jq .writes.doubled', 'for a script'],
  ],
  simulationOnly: true,
  async run(console) {
    const { data } = await console.call('simWeather', {});
    const { profile, ...report } = data;
    const parts = Object.entries(profile).map(([name, value]) => `${name} ${value}`);
    return recordOf(data, () => [
      line(`weather: ${parts.join(', ')}`),
      ...survivalInWords(report).map((told) => line(told)),
    ]);
  },
});

const pause = defineCommand({
  summary: 'Stop the clock until perp sim resume',
  examples: [['perp sim pause', 'pause the market']],
  simulationOnly: true,
  async run(console) {
    return setClock(console, { running: false }, ({ time }) =>
      line(
        { text: `Paused at ${dateTime(time)}.`, tone: 'strong' },
        withPlace(' Use perp sim resume to continue, or perp sim advance to step.', console.settings),
      ),
    );
  },
});

const resume = defineCommand({
  summary: 'Restart the clock; with --speed, N times as fast',
  examples: [
    ['perp sim resume', 'in real time'],
    ['perp sim resume --speed 10', 'ten times as fast'],
  ],
  simulationOnly: true,
  async run(console) {
    const { speed } = console.settings.simulation;
    // Here --speed applies to the running clock, not to a state being opened.
    console.settings.simulation.speed = undefined;
    return setClock(console, { running: true, speed: speed ?? 1 }, ({ time, speed: now }) =>
      line({ text: `Resumed at ${dateTime(time)}${now === 1 ? '' : `, ${quantity(now)}x speed`}.`, tone: 'strong' }),
    );
  },
});

async function setClock(
  console: Console,
  body: RequestOf<'simSetClock'>['body'],
  says: (status: SimulationStatus) => Block,
): Promise<Result> {
  if (console.settings.dryRun) return dryRunOf(console, 'simSetClock', { body });
  const { data } = await console.call('simSetClock', { body });
  const result = recordOf(data, () => [says(data)]);
  return withDestination(console, undefined, result);
}

const advance = defineCommand({
  summary: 'Advance the manual clock and play everything in between',
  args: [{ name: 'duration', kind: 'duration', optional: true, summary: 'how far, such as 30s or 5m' }],
  options: {
    to: { value: 'TIME', kind: 'time', summary: 'advance to this time' },
    end: { summary: 'advance to the end of the recording' },
  },
  examples: [
    ['perp sim advance 30s --state friday', 'half a minute'],
    ['perp sim advance --to 2024-08-08T00:05Z', 'to a given time'],
    ['perp sim advance --end', 'to the end of the recording'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const given = [input.duration !== undefined, input.to !== undefined, input.end].filter((is) => is);
    if (given.length !== 1)
      throw usageFailure('Give exactly one of DURATION, --to and --end.', 'For example: perp sim advance 30s');
    const body: AdvanceRequest = input.end
      ? { end: true }
      : input.to !== undefined
        ? { to: await resolveTime(console, input.to) }
        : { duration_ms: input.duration };
    if (console.settings.dryRun) return dryRunOf(console, 'simAdvance', { body });
    const { data } = await console.person.during('Playing', () => console.call('simAdvance', { body }));
    const fills = console.settings.output === 'table' ? await fillsBetween(console, data.from, data.to) : [];
    const ended = console.settings.output === 'table' ? await endOf(console) : undefined;
    const result = recordOf(data, () => [
      line(`${dateTime(data.from)} to ${dateTime(data.to)} (${stretch(data.to - data.from)})`),
      fills.length === 0
        ? []
        : [
            line(`${counted(fills.length, 'fill')}${fills.length === maxFills ? ', or more' : ''}:`),
            tableOf(fills, fillColumns),
          ],
      ended === undefined
        ? []
        : line({
            text: `The recording ended at ${dateTime(ended)}: ${withPlace(endedText, console.settings)}.`,
            tone: 'warn',
          }),
    ]);
    return withDestination(console, undefined, result);
  },
});

/** When the recording ended, Unix ms; undefined while it plays, or if that can't be read. */
async function endOf(console: Console): Promise<number | undefined> {
  try {
    const { data } = await console.call('simStatus', {});
    return hasEnded(data) ? (data.last_time ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

const maxFills = 20;

/**
 * The latest fills of the user's accounts during the advance, oldest first. The clock has advanced even if they can't
 * be read.
 */
async function fillsBetween(console: Console, from: number, to: number): Promise<Order[]> {
  const found: Order[] = [];
  try {
    for (const { id } of await allAccounts(console)) {
      const { data } = await console.call('listFills', { query: { account_id: id, limit: maxFills } });
      found.push(...data.filter(({ settled_at: at = 0 }) => at > from && at <= to));
    }
  } catch (error) {
    console.note(`Some fills can't be shown: ${factsOf(error).message}`);
  }
  return found.sort((one, other) => (one.settled_at ?? 0) - (other.settled_at ?? 0)).slice(-maxFills);
}

export const commands = { status, use, fund, weather, pause, resume, advance };

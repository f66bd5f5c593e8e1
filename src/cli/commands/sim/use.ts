import type { Console } from '../../../console/console.ts';
import { weatherOption } from '../../../console/grammar/option-groups.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { runningSimulation } from '../../../console/open-access.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { statesIn, useByHand } from '../../../console/settings/in-use.ts';
import { weatherGiven } from '../../../console/settings/serving.ts';
import { plainSimulation } from '../../../console/settings/settings.ts';
import { notFoundFailure, usageFailure } from '../../../ground/failure/failure.ts';
import { stateFolder } from '../../../ground/files/folders.ts';
import { quoted } from '../../../ground/text/plain-text.ts';
import { defaultState, isStateName } from '../../../terms/state-names.ts';

export const command = defineCommand({
  summary: 'Put a simulation in use: commands without --state then mean it',
  description:
    'A command means the simulation of --state, else of PERP_STATE, else of sim.state in the config, else the one in use, else default. What is put in use here stays in use, in scripts, too, until something else is: perp sim use default ends it. perp sim serve --use puts its simulation in use while it runs, but only for commands on a terminal. The latest of the two counts. Without NAME, shows the simulation that commands mean now.',
  args: [{ name: 'name', kind: 'state', optional: true, summary: 'simulation to use' }],
  options: { weather: weatherOption },
  examples: [
    ['perp sim use', 'which one commands mean, and why'],
    ['perp sim use default', 'back to the default one'],
    ['perp sim use default --weather 7', 'as on a bad day of a real service, until --weather off'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { settings, variables, outside } = console;
  const weather = await weatherGiven(input.weather);
  const name = input.name ?? (weather === undefined ? undefined : settings.simulation.plain);
  if (name === undefined) return shown(settings.simulation.plain, settings.simulation.plainFrom);
  if (!isStateName(name) || (name !== defaultState && !statesIn(variables).includes(name))) {
    const others = [...new Set([defaultState, ...statesIn(variables)])].join(', ');
    throw notFoundFailure(`There is no simulation ${quoted(name)}.`, `Simulations: ${others}.`);
  }
  if (settings.dryRun) return recordOf({ state: name }, () => [line(`Dry run: ${name} would be put in use.`)]);
  if (weather !== undefined) await setWeather(console, name, weather);
  useByHand(variables, name, outside.now());
  const { plain, plainFrom } = await plainSimulation(variables, console.isInteractive);
  if (plain !== name) console.note(`${plainFrom} names ${plain}, which comes first.`);
  return recordOf({ state: name }, () => [line({ text: name, tone: 'strong' }, ' is in use.')]);
}

/** The state keeps its weather, for commands and for whoever serves it. */
async function setWeather(
  { variables, outside }: Console,
  state: string,
  weather: NonNullable<Awaited<ReturnType<typeof weatherGiven>>>,
): Promise<void> {
  const stateDir = stateFolder(variables);
  if ((await runningSimulation(stateDir, state)) !== undefined)
    throw usageFailure(
      `The simulation ${state} is being served, and its weather can't change while it runs.`,
      'Stop it, or serve it with --weather.',
    );
  const { openSimulation } = await import('../../../service/public.ts');
  const simulation = await openSimulation({ stateDir, state, weather, beginning: outside.beginning });
  simulation.close();
}

function shown(state: string, from: string): Result {
  return recordOf({ state, from }, () => [
    line({ text: state, tone: 'strong' }, from === 'default' ? '  nothing else is in use' : `  by ${from}`),
  ]);
}

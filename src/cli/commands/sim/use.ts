import { notFoundFailure } from '../../../ground/failure/failure.ts';
import { quoted } from '../../../ground/text/plain-text.ts';
import { defaultState, isStateName } from '../../../terms/state-names.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { statesIn, useByHand } from '../../settings/in-use.ts';
import { plainSimulation } from '../../settings/settings.ts';

export const command = defineCommand({
  summary: 'Put a simulation in use: commands without --state then mean it',
  description:
    'A command means the simulation of --state, else of PERP_STATE, else of sim.state in the config, else the one in use, else default. What is put in use here stays in use, in scripts, too, until something else is: perp sim use default ends it. perp sim serve --use puts its simulation in use while it runs, but only for commands on a terminal. The latest of the two counts. Without NAME, shows the simulation that commands mean now.',
  args: [{ name: 'name', kind: 'state', optional: true, summary: 'simulation to use' }],
  examples: [
    ['perp sim use', 'which one commands mean, and why'],
    ['perp sim use default', 'back to the default one'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, { name }: InputOf<typeof command>): Promise<Result> {
  const { settings, variables, outside } = console;
  if (name === undefined) return shown(settings.simulation.plain, settings.simulation.plainFrom);
  if (!isStateName(name) || (name !== defaultState && !statesIn(variables).includes(name))) {
    const others = [...new Set([defaultState, ...statesIn(variables)])].join(', ');
    throw notFoundFailure(`There is no simulation ${quoted(name)}.`, `Simulations: ${others}.`);
  }
  if (settings.dryRun) return recordOf({ state: name }, () => [line(`Dry run: ${name} would be put in use.`)]);
  useByHand(variables, name, outside.now());
  const { plain, plainFrom } = await plainSimulation(variables, console.isInteractive);
  if (plain !== name) console.note(`${plainFrom} names ${plain}, which comes first.`);
  return recordOf({ state: name }, () => [line({ text: name, tone: 'strong' }, ' is in use.')]);
}

function shown(state: string, from: string): Result {
  return recordOf({ state, from }, () => [
    line({ text: state, tone: 'strong' }, from === 'default' ? '  nothing else is in use' : `  by ${from}`),
  ]);
}

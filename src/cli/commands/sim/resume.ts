import { dateTime, quantity } from '../../../ground/text/format.ts';
import type { Context } from '../../context/context.ts';
import { withDestination } from '../../context/where.ts';
import { defineCommand } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { dryRunResult } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Restart the clock; with --speed, N times as fast',
  examples: [
    ['perp sim resume', 'in real time'],
    ['perp sim resume --speed 10', 'ten times as fast'],
  ],
  operations: [],
  simulationOnly: true,
});

export async function run(context: Context): Promise<Result> {
  const { speed } = context.settings.simulation;
  const body = { running: true, speed: speed ?? 1 };
  // Here --speed applies to the running clock, not to a state being opened.
  context.settings.simulation.speed = undefined;
  if (context.settings.dryRun) {
    const { client } = await context.connection();
    return dryRunResult([client.intend('simSetClock', { body })]);
  }
  const { data } = await context.call('simSetClock', { body });
  const pace = data.speed === 1 ? '' : `, ${quantity(data.speed)}x speed`;
  return withDestination(
    context,
    undefined,
    recordOf(data, () => [line({ text: `Resumed at ${dateTime(data.time)}${pace}.`, tone: 'strong' })]),
  );
}

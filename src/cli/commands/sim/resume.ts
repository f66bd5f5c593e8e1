import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { withDestination } from '../../../console/where.ts';
import { dateTime, quantity } from '../../../ground/text/format.ts';
import { dryRunResult } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Restart the clock; with --speed, N times as fast',
  examples: [
    ['perp sim resume', 'in real time'],
    ['perp sim resume --speed 10', 'ten times as fast'],
  ],
  simulationOnly: true,
});

export async function run(console: Console): Promise<Result> {
  const { speed } = console.settings.simulation;
  const body = { running: true, speed: speed ?? 1 };
  // Here --speed applies to the running clock, not to a state being opened.
  console.settings.simulation.speed = undefined;
  if (console.settings.dryRun) {
    const { client } = await console.access();
    return dryRunResult([client.intend('simSetClock', { body })]);
  }
  const { data } = await console.call('simSetClock', { body });
  const pace = data.speed === 1 ? '' : `, ${quantity(data.speed)}x speed`;
  return withDestination(
    console,
    undefined,
    recordOf(data, () => [line({ text: `Resumed at ${dateTime(data.time)}${pace}.`, tone: 'strong' })]),
  );
}

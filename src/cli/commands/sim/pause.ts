import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { withDestination } from '../../../console/where.ts';
import { dateTime } from '../../../ground/text/format.ts';
import { inThisPlace } from '../../../ground/text/here.ts';
import { dryRunResult } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Stop the clock until perp sim resume',
  examples: [['perp sim pause', 'pause the market']],
  simulationOnly: true,
});

export async function run(console: Console): Promise<Result> {
  const body = { running: false };
  if (console.settings.dryRun) {
    const { client } = await console.access();
    return dryRunResult([client.intend('simSetClock', { body })]);
  }
  const { data } = await console.call('simSetClock', { body });
  return withDestination(
    console,
    undefined,
    recordOf(data, () => [
      line(
        { text: `Paused at ${dateTime(data.time)}.`, tone: 'strong' },
        inThisPlace(' Use perp sim resume to continue, or perp sim advance to step.', console.settings),
      ),
    ]),
  );
}

import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { runningSimulation } from '../../../console/open-access.ts';
import { fields, line, type Result, recordOf } from '../../../console/output/result.ts';
import { endingCell, endingText } from '../../../console/views/ending-view.ts';
import { endedText, hasEnded } from '../../../console/views/market-view.ts';
import { stateFolder } from '../../../ground/files/folders.ts';
import { counted, dateTime, quantity } from '../../../ground/text/format.ts';
import { inThisPlace } from '../../../ground/text/here.ts';

export const command = defineCommand({
  summary: "Show the simulation's clock, prices and open orders",
  examples: [['perp sim status', 'the simulation in use']],
  simulationOnly: true,
});

export async function run(console: Console): Promise<Result> {
  const { data } = await console.call('simStatus', {});
  const served = await runningSimulation(stateFolder(console.variables), data.state);
  const speed = data.speed === 1 ? '' : `, ${quantity(data.speed)}x speed`;
  const halted = [...(data.trading_halt.platform ? ['the platform'] : []), ...data.trading_halt.categories];
  const here = (text: string) => inThisPlace(text, console.settings);
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
}

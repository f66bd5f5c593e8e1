import { usageFailure } from '../../../../base/failure/failure.ts';
import { factsOf } from '../../../../base/failure/report.ts';
import { counted, dateTime, stretch } from '../../../../base/text/format.ts';
import { withPlace } from '../../../../base/text/place-options.ts';
import { allAccounts } from '../../../../desk/resolve/account.ts';
import { resolveTime } from '../../../../desk/resolve/time.ts';
import type { Order } from '../../../../wire/contract/orders.ts';
import type { AdvanceRequest } from '../../../../wire/contract/simulation.ts';
import { type Console, defineCommand } from '../../../console/console.ts';
import { type Block, line, recordOf, tableOf } from '../../../console/output/result.ts';
import { endedText, hasEnded } from '../../../console/views/market-view.ts';
import { fillColumns } from '../../../console/views/order-view.ts';
import { withDestination } from '../../../console/where.ts';
import { dryRunOf } from '../../writes/write.ts';

export const command = defineCommand({
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
    const result = recordOf(data, (): Block[] => [
      line(`${dateTime(data.from)} to ${dateTime(data.to)} (${stretch(data.to - data.from)})`),
      ...(fills.length === 0
        ? []
        : [
            line(`${counted(fills.length, 'fill')}${fills.length === maxFills ? ', or more' : ''}:`),
            tableOf(fills, fillColumns),
          ]),
      ...(ended === undefined
        ? []
        : [
            line({
              text: `The recording ended at ${dateTime(ended)}: ${withPlace(endedText, console.settings)}.`,
              tone: 'warn',
            }),
          ]),
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

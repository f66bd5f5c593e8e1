import { identify } from '../../../desk/history/identify.ts';
import { journaled } from '../../../desk/history/journaled.ts';
import { readHistory } from '../../../desk/history/read-history.ts';
import { resolvePosition } from '../../../desk/resolve/position.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';
import { signedUsd } from '../../../ground/text/format.ts';
import { moneyToNumber } from '../../../terms/decimal.ts';
import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { tripBlocks, tripRecord } from '../../history/journal-view.ts';
import { fields, type Result, recordOf } from '../../output/result.ts';

export const command = defineCommand({
  summary: 'Show one round trip: prices, costs, R, excursions, note and tags',
  args: [{ name: 'position', kind: 'position', summary: 'id, or the market of an open one' }],
  examples: [
    ['perp journal show pos_000000005', 'a closed position'],
    ['perp journal show BTC --json', 'the open one, for a program'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  return showTrip(context, input);
}

interface Input {
  position: string;
}

/** Runs `perp journal show`. */
export async function showTrip(context: Context, input: Input): Promise<Result> {
  const position = await resolvePosition(context, input.position);
  const history = await context.during('Reading fills', () => readHistory(context, position.account_id));
  const { entryOf, riskOf } = await journaled(context, history);
  const ofMoment = history.trips.filter(
    ({ marketId, openedAt }) => marketId === position.market_id && openedAt === position.opened_at,
  );
  const ids = await identify(context, position.account_id, history.trips, ofMoment);
  const trip = ofMoment.find((one) => ids.get(one) === position.id);
  if (trip === undefined)
    throw notFoundFailure(`The fills of position ${position.id} are not in the history.`, 'perp journal lists trips.');
  const { readExcursions } = await import('../../../desk/history/read-excursions.ts');
  const excursions = (await readExcursions(context, [trip], history.to)).get(trip)!;
  const record = {
    ...tripRecord(trip, position.id, entryOf(trip), riskOf(trip)),
    largest_run_against: moneyToNumber(excursions.against),
    largest_run_in_favor: moneyToNumber(excursions.favor),
  };
  return recordOf(record, () => [
    ...tripBlocks(record),
    fields(
      ['max adverse', signedUsd(record.largest_run_against)],
      ['max favorable', signedUsd(record.largest_run_in_favor)],
    ),
  ]);
}

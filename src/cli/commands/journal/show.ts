import { moneyToNumber } from '../../../terms/decimal.ts';
import type { Context } from '../../context/context.ts';
import { notFoundFailure } from '../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { identify } from '../../history/identify.ts';
import { tripBlocks, tripRecord } from '../../history/journal-view.ts';
import { journaled } from '../../history/journaled.ts';
import { readHistory } from '../../history/read-history.ts';
import { fields, type Result, recordOf } from '../../output/result.ts';
import { resolvePosition } from '../../resolve/position.ts';
import { signedUsd } from '../../text/format.ts';

export const command = defineCommand({
  summary: 'Show one round trip: prices, costs, R, how far it ran, note and tags',
  args: [{ name: 'position', kind: 'position', summary: 'id, or the market of an open one' }],
  examples: [
    ['perp journal show pos_000000005', 'a closed position'],
    ['perp journal show BTC --json', 'the open one, for a program'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
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
  const { readExcursions } = await import('../../history/read-excursions.ts');
  const excursions = (await readExcursions(context, [trip], history.to)).get(trip)!;
  const record = {
    ...tripRecord(trip, position.id, entryOf(trip), riskOf(trip)),
    largest_run_against: moneyToNumber(excursions.against),
    largest_run_in_favor: moneyToNumber(excursions.favor),
  };
  return recordOf(record, () => [
    ...tripBlocks(record),
    fields(
      ['ran against', signedUsd(record.largest_run_against)],
      ['ran in favor', signedUsd(record.largest_run_in_favor)],
    ),
  ]);
}

import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { fields, type Result, recordOf } from '../../../console/output/result.ts';
import { identify, journaled, tripRecord } from '../../../desk/history/journaled.ts';
import { readHistory } from '../../../desk/history/read-history.ts';
import { resolvePosition } from '../../../desk/resolve/holdings.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';
import { signedUsd } from '../../../ground/text/format.ts';
import { moneyToNumber } from '../../../terms/decimal.ts';
import { tripBlocks } from '../../history/journal-view.ts';

export const command = defineCommand({
  summary: 'Show one round trip: prices, costs, R, excursions, note and tags',
  args: [{ name: 'position', kind: 'position', summary: 'id, or the market of an open one' }],
  examples: [
    ['perp journal show pos_000000005', 'a closed position'],
    ['perp journal show BTC --json', 'the open one, for a program'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return showTrip(console, input);
}

interface Input {
  position: string;
}

/** Runs `perp journal show`. */
export async function showTrip(console: Console, input: Input): Promise<Result> {
  const position = await resolvePosition(console, input.position);
  const history = await console.during('Reading fills', () => readHistory(console, position.account_id));
  const { notesOf, riskOf } = await journaled(console, history);
  const ofMoment = history.trips.filter(
    ({ marketId, openedAt }) => marketId === position.market_id && openedAt === position.opened_at,
  );
  const ids = await identify(console, position.account_id, history.trips, ofMoment);
  const trip = ofMoment.find((one) => ids.get(one) === position.id);
  if (trip === undefined)
    throw notFoundFailure(`The fills of position ${position.id} are not in the history.`, 'perp journal lists trips.');
  const { readExcursions } = await import('../../../desk/history/read-excursions.ts');
  const excursions = (await readExcursions(console, [trip], history.to)).get(trip)!;
  const record = {
    ...tripRecord(trip, position.id, notesOf(trip), riskOf(trip)),
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

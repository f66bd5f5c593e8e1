import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: 'Set the risk of a round trip, for its R multiple',
  description: 'Needed only if the first order had no stop-loss, or if you intended a different risk.',
  args: [
    { name: 'position', kind: 'position', summary: 'id, or the market of an open one' },
    { name: 'usd', kind: 'amount', optional: true, summary: 'amount at risk' },
  ],
  options: { remove: { summary: 'remove the risk you set' } },
  examples: [
    ['perp journal risk BTC 250', 'of the open position'],
    ['perp journal risk pos_000000005 --remove', 'use the stop of its order'],
  ],
  changesMore: true,
});

export async function run(console: Console, { position, usd, remove }: InputOf<typeof command>): Promise<Result> {
  if (remove === (usd !== undefined))
    throw usageFailure(remove ? '--remove takes no USD.' : 'USD is missing.', 'perp journal risk POSITION USD');
  if (usd === 0) throw usageFailure('The risk must be above zero.', 'Use --remove to remove it.');
  const { setRisk } = await import('../../history/edit-notes.ts');
  return setRisk(console, position, usd ?? null);
}

import type { KeptWrite } from '../../desk/intents/journals.ts';
import { repetitionFailure, unsettledSentence } from '../../desk/intents/repetition.ts';
import type { Context } from '../context/context.ts';
import type { Result } from '../output/result.ts';
import { settledRecord } from './settled-view.ts';
import { Settler } from './settlement.ts';

/**
 * Offers to settle an earlier write instead of repeating it. With --yes there is no prompt and the repetition is
 * refused.
 */
export async function settleInstead(context: Context, earlier: KeptWrite): Promise<Result> {
  if (context.settings.yes) throw repetitionFailure(earlier.note);
  await context.confirm(`${unsettledSentence(earlier.note)} Settle it instead of sending a new one?`);
  const settler = new Settler(context);
  try {
    return settledRecord(await settler.settle(earlier));
  } finally {
    await settler.close();
  }
}

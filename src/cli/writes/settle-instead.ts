import type { Context } from '../context/context.ts';
import type { KeptWrite } from '../intents/journals.ts';
import { repetitionFailure, unsettledSentence } from '../intents/repetition.ts';
import type { Result } from '../output/result.ts';
import { settledRecord } from './settled-view.ts';
import { Settler } from './settlement.ts';

/** Asks whether to settle a write instead of repeating it, and does so; with --yes nobody is asked, and it is refused. */
export async function settleInstead(context: Context, earlier: KeptWrite): Promise<Result> {
  if (context.settings.yes) throw repetitionFailure(earlier.note);
  await context.confirm(`${unsettledSentence(earlier.note)} Settle that one, and send nothing new?`);
  const settler = new Settler(context);
  try {
    return settledRecord(await settler.settle(earlier));
  } finally {
    await settler.close();
  }
}

import { type Acting, actingText } from '../../../desk/account/acting.ts';
import { type Block, line } from '../output/result.ts';

/** What acts in an account by itself, in a line each. */
export function actingBlocks(acting: readonly Acting[]): Block[] {
  return acting.map((one) => line({ text: actingText(one), tone: 'warn' }));
}

import type { Context } from '../context/context.ts';
import { journalFolder, unsettledWrites } from '../intents/journals.ts';
import { counted } from '../text/format.ts';
import { isUnderWay } from '../writes/settlement.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const check = 'pending writes';

/** Every write that was sent has a known outcome. */
export function checkPending({ variables, outside }: Context): Finding[] {
  const { writes, damages } = unsettledWrites(journalFolder(variables));
  const open = writes.filter(({ note }) => !isUnderWay(note, outside.now()));
  const damaged = damages.map(({ file, reason }) => fail(check, `${file}: ${reason}.`, 'perp pending list'));
  if (open.length > 0) {
    const what = `The outcome of ${counted(open.length, 'write')} is not known.`;
    return [warn(check, what, 'perp pending resume'), ...damaged];
  }
  return damaged.length > 0 ? damaged : [ok(check, 'none')];
}

import type { CopyTradingConfiguration } from '../../wire/contract/copy.ts';
import { attempt, noted, rowsOf, type Session } from '../session/session.ts';

/** The groups in which accounts are copied; none where the host has no copying, or not for this credential. */
export async function copiesNow(session: Session): Promise<readonly CopyTradingConfiguration[]> {
  try {
    const { data } = await attempt(session, 'listCopyTradingConfigurations', {});
    return rowsOf(data.map((group) => ({ id: group?.config_id, ...group })));
  } catch (error) {
    const { status } = error as { status?: unknown };
    if (status === 403 || status === 404 || status === 405) return [];
    throw error;
  }
}

/** The same of this command; the lines of a batch read them at most once a second. */
export function recentCopies(session: Session): Promise<readonly CopyTradingConfiguration[]> {
  return session.memory.recent('copies', () => noted(session, 'Copying', copiesNow(session), []).catch(() => []));
}

import { notFoundFailure } from '../../base/failure/failure.ts';
import { quantity, word } from '../../base/text/format.ts';
import { quoted } from '../../base/text/plain-text.ts';
import type { CopyTradingConfiguration } from '../../wire/contract/copy.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import type { Session } from '../session/session.ts';
import { remember } from './remembered.ts';

/** All copy groups, read once per run. */
export function allGroups(session: Session): Promise<CopyTradingConfiguration[]> {
  return session.memory.once('groups', async () => {
    const { data } = await session.call('listCopyTradingConfigurations', {});
    remember(
      session,
      'group',
      data.map((group) => [group.config_id, `${group.source_account_id} to ${followersOf(group)}`] as const),
    );
    return data;
  });
}

/** Finds a copy group by its id. */
export async function resolveGroup(session: Session, id: string): Promise<CopyTradingConfiguration> {
  const groups = await allGroups(session);
  const group = groups.find(({ config_id }) => config_id === id);
  if (group !== undefined) return group;
  const near = nearest(
    id,
    groups.map(({ config_id }) => config_id),
  );
  throw notFoundFailure(
    `There is no copy group ${quoted(id)}.`,
    near === undefined ? 'perp copy lists them.' : `Did you mean ${near}?`,
  );
}

/** `acc_2 x1.5`. */
export function followersOf(group: { targets: readonly { account_id: string; multiplier_bps: number }[] }): string {
  return group.targets
    .map(({ account_id: id, multiplier_bps: bps }) => `${word(id)} x${quantity(bps / 10_000)}`)
    .join(', ');
}

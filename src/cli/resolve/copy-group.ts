import type { CopyTradingConfiguration } from '../../contract/copy.ts';
import { nearest } from '../../contract/nearest.ts';
import { notFoundFailure } from '../../ground/failure/failure.ts';
import { quoted } from '../../ground/text/quoted.ts';
import { remember } from '../completion/remember.ts';
import type { Context } from '../context/context.ts';
import { followersOf } from '../views/copy-view.ts';

/** All copy groups, read once per run. */
export function allGroups(context: Context): Promise<CopyTradingConfiguration[]> {
  return context.once('groups', async () => {
    const { data } = await context.call('listCopyTradingConfigurations', {});
    remember(
      context,
      'group',
      data.map((group) => [group.config_id, `${group.source_account_id} to ${followersOf(group)}`] as const),
    );
    return data;
  });
}

/** Finds a copy group by its id. */
export async function resolveGroup(context: Context, id: string): Promise<CopyTradingConfiguration> {
  const groups = await allGroups(context);
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

import type { CopyGroup } from '../../exchange/engine/model.ts';
import type { CopyTradingConfiguration } from '../../wire/contract/copy.ts';
import { ownAccountId, ownCopyGroup } from './lookup.ts';
import { doneWithoutRejection, found, type Handler } from './operations.ts';

/**
 * GET /v1/copy-trading (API 4.7): lead and followers always have the same owner, so every group is fully accessible.
 */
export const listCopyTradingConfigurations: Handler<'listCopyTradingConfigurations'> = ({ principal }, turn) =>
  found(turn.store.copyGroups(principal.owner, principal.environment).map(presentCopyGroup));

/** POST /v1/copy-trading (API 4.7): all or nothing. */
export const saveCopyTradingConfigurations: Handler<'saveCopyTradingConfigurations'> = (call, turn) => {
  const { principal, body } = call;
  const { owner, environment } = principal;
  for (const { config_id, source_account_id, targets } of body.groups) {
    if (config_id !== undefined) ownCopyGroup(turn, principal, config_id);
    for (const id of [source_account_id, ...targets.map(({ account_id }) => account_id)])
      ownAccountId(turn, principal, id);
  }
  for (const id of body.deleted_config_ids) ownCopyGroup(turn, principal, id);
  const { configIds } = doneWithoutRejection(
    turn.execute({
      kind: 'save_copy_groups',
      owner,
      environment,
      groups: body.groups.map((group) => ({
        configId: group.config_id ?? null,
        enabled: group.enabled,
        sourceAccountId: group.source_account_id,
        targets: group.targets.map(({ account_id, multiplier_bps }) => ({
          accountId: account_id,
          multiplierBps: multiplier_bps,
        })),
      })),
      deletedConfigIds: body.deleted_config_ids,
    }),
  );
  return found({ ok: true, config_ids: configIds });
};

/** POST /v1/copy-trading/{config_id}/disable (API 4.7). */
export const disableCopyTradingConfiguration: Handler<'disableCopyTradingConfiguration'> = (call, turn) => {
  const { owner, environment } = call.principal;
  const { id: configId } = ownCopyGroup(turn, call.principal, call.path.config_id);
  doneWithoutRejection(turn.execute({ kind: 'disable_copy_group', owner, environment, configId }));
  return found({ ok: true, config_ids: [configId] });
};

/** A copy-trading group in wire form (contract: CopyTradingConfiguration). */
function presentCopyGroup(group: CopyGroup): CopyTradingConfiguration {
  return {
    config_id: group.id,
    enabled: group.enabled,
    source_account_id: group.sourceAccountId,
    targets: group.targets.map(({ accountId, multiplierBps }) => ({
      account_id: accountId,
      multiplier_bps: multiplierBps,
    })),
    policy_version: group.policyVersion,
    updated_at: group.updatedAt,
    stopped_at: group.stoppedAt ?? undefined,
    stop_reason: group.stopReason ?? undefined,
    stopped_completed_at: group.stoppedCompletedAt ?? undefined,
    stop_cleanup_pending: group.stopCleanupPending,
  };
}

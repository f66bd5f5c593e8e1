import type { CopyTradingConfiguration } from '../../contract/copy.ts';
import type { CopyGroup } from '../../engine/model.ts';

/** A copy-trading group in wire form (contract: CopyTradingConfiguration). */
export function presentCopyGroup(group: CopyGroup): CopyTradingConfiguration {
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

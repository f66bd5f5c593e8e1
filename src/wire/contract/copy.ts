import { ErrorEnvelope, type ValidationIssue } from './errors.ts';
import { type FieldRule, get, listed, operationsOf, post, response } from './operation.ts';
import { array, boolean, closed, integer, object, optional, type Sent, string } from './schema.ts';
import { instant } from './terms.ts';

/** A group to create (without config_id) or replace. An enabled group needs at least one follower. */
export const CopyTradingGroupInput = closed(
  {
    config_id: optional(string('Omit to create a group.')),
    enabled: boolean('An enabled group needs at least one follower.'),
    source_account_id: string('The lead account.'),
    targets: array(
      closed({
        account_id: string('A follower.'),
        multiplier_bps: integer('10000 copies at the ratio of the starting balances.', {
          minimum: 1000,
          maximum: 20000,
        }),
      }),
      undefined,
      { maxItems: 20 },
    ),
  },
  { when: { enabled: true }, require: { targets: { minItems: 1 } } },
);
export type CopyTradingGroupInput = Sent<typeof CopyTradingGroupInput>;

/** A lead and its followers (API 2.8). */
export const CopyTradingConfiguration = object({
  config_id: string(),
  enabled: boolean(),
  source_account_id: string('The lead account.'),
  targets: array(object({ account_id: string('A follower.'), multiplier_bps: integer() })),
  policy_version: integer('Rises with every change.'),
  updated_at: instant,
  stopped_at: optional(instant),
  stop_reason: optional(string()),
  stopped_completed_at: optional(instant),
  stop_cleanup_pending: optional(boolean()),
});
export type CopyTradingConfiguration = Sent<typeof CopyTradingConfiguration>;

/** The answer to a change of groups: the ids of the saved groups, in the order sent. */
export const CopyTradingWriteResponse = object({
  data: object({ ok: boolean(), config_ids: optional(array(string(), 'Ids of the saved groups, in the order sent.')) }),
});
export type CopyTradingWriteResponse = Sent<typeof CopyTradingWriteResponse>;

/** Groups to save and ids to delete, committed together. Other groups are unchanged. */
export const SaveCopyTradingRequest = closed({
  groups: array(CopyTradingGroupInput, undefined, { maxItems: 20 }),
  deleted_config_ids: array(string(), undefined, { maxItems: 20 }),
});
export type SaveCopyTradingRequest = Sent<typeof SaveCopyTradingRequest>;

/** A request that saves a group twice, or saves and deletes it, is ambiguous and refused. */
const groupsNamedOnce: FieldRule = ({ groups, deleted_config_ids: deleted }) => {
  if (!Array.isArray(groups)) return [];
  const seen = new Set<unknown>();
  const isDeleted = new Set<unknown>(Array.isArray(deleted) ? deleted : []);
  return groups.flatMap((group: { config_id?: unknown } | null, at): ValidationIssue[] => {
    const id = group?.config_id;
    if (typeof id !== 'string') return [];
    const field = `groups[${at}].config_id`;
    if (isDeleted.has(id)) return [{ field, issue: 'names a group that this request also deletes' }];
    if (seen.has(id)) return [{ field, issue: 'names a group twice' }];
    seen.add(id);
    return [];
  });
};

const rejected = response('Rejected', ErrorEnvelope);

/** Copy-trading operations. */
export const copyOperations = operationsOf({
  /** GET /v1/copy-trading (API 4.7). */
  listCopyTradingConfigurations: get(
    '/v1/copy-trading',
    'All copy-trading groups, including stopped ones.',
    listed(CopyTradingConfiguration),
    { refuses: [403] },
  ),
  /** POST /v1/copy-trading (API 4.7). */
  saveCopyTradingConfigurations: post(
    '/v1/copy-trading',
    'Create, change and delete copy-trading groups, all or nothing.',
    CopyTradingWriteResponse,
    {
      body: SaveCopyTradingRequest,
      bodyRule: groupsNamedOnce,
      refuses: [404],
      others: { 422: rejected },
    },
  ),
  /** POST /v1/copy-trading/{config_id}/disable (API 4.7). */
  disableCopyTradingConfiguration: post(
    '/v1/copy-trading/{config_id}/disable',
    'Stop copying in a group and cancel unfilled orders; filled positions stay open.',
    CopyTradingWriteResponse,
    { others: { 422: rejected } },
  ),
});

import type { Verdict } from '../../desk/mandate/exposed.ts';
import type { Term } from '../../desk/mandate/mandate.ts';
import { termKey } from '../../desk/mandate/terms.ts';
import { sentIssue } from '../../wire/contract/errors.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import { Failure } from '../../wire/hosting/failure.ts';

/** What refuses besides the terms of a mandate: a person who stopped the bot, or decides; a guard's lock. */
const others = ['stopped', 'approval', 'locked'] as const;

/** Why a write is refused. */
export type Refusal = Omit<Extract<Verdict, { isAllowed: false }>, 'isAllowed' | 'term'> & {
  readonly term: Term | (typeof others)[number];
};

/**
 * The refusal of a mandate, in the shape that the API has for it: a rule, a sentence, and what would be allowed. An
 * operation that no rule can refuse is forbidden.
 */
export function rejection(operation: Operation, { term, why, would }: Refusal, clientOrderId: unknown): Failure {
  const ruleId = `mandate-${ruleName(term)}`;
  const message = would === undefined ? why : `${why} Allowed: ${would.text}.`;
  const facts = {
    ruleId,
    ...(typeof clientOrderId === 'string' && { clientOrderId }),
  };
  const schema = operation.responses[422]?.schema;
  if (schema === undefined) return new Failure('forbidden', message, { ...facts, details: [sentIssue('no')] });
  const isTrade = schema.properties?.error?.properties?.rule_id !== undefined;
  if (!isTrade)
    return new Failure('rule_violation', message, {
      ...facts,
      details: [{ field: 'mandate', issue: why }, sentIssue('no')],
    });
  const details = {
    sent: 'no',
    ...(would !== undefined && { allowed: would.text }),
    ...(would?.size !== undefined && { allowed_size: would.size }),
  };
  return new Failure('rule_violation', message, { ...facts, details });
}

/** What refuses, as files and records call it. */
export function ruleName(term: Refusal['term']): string {
  return isOther(term) ? term : termKey(term);
}

function isOther(term: Refusal['term']): term is (typeof others)[number] {
  return (others as readonly string[]).includes(term);
}

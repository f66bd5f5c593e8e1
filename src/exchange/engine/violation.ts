import type { Refused } from './commands.ts';

/** A rule that an order breaks: its id, and the facts in wire names and numbers (simulation 6.2). */
export interface Violation {
  readonly ruleId: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
  /** A cooldown only requires waiting, so it leaves no rejected record. */
  readonly code: 'rule_violation' | 'cooldown';
}

/** A broken trading rule, with its id and its facts in wire units. */
export function violation(ruleId: string, message: string, details: Record<string, unknown> = {}): Violation {
  return { ruleId, message, details, code: 'rule_violation' };
}

/** The refusal of a command that leaves no record: amendment, margin, batch. */
export function refusal(broken: Violation): Refused {
  return { ok: false, code: broken.code, message: broken.message, ruleId: broken.ruleId, details: broken.details };
}

/** The refusal of a command that names a missing record. */
export function notFound(what: string, id: string): Refused {
  return { ok: false, code: 'not_found', message: `There is no ${what} ${JSON.stringify(id)}.` };
}

/** The refusal of a command that does not fit the current state. */
export function conflict(message: string): Refused {
  return { ok: false, code: 'conflict', message };
}

/** A request that contradicts itself, by wire field. */
export function invalidRequest(issues: { field: string; issue: string }[]): Refused {
  const message = issues.map(({ field, issue }) => `${field}: ${issue}`).join('; ');
  return { ok: false, code: 'invalid_request', message, details: { issues } };
}

/** The refusal of a change to an order that copy trading placed. */
export function copyManaged(): Refused {
  return { ok: false, code: 'copy_managed', message: 'Copy trading manages this order.' };
}

import { largestNumber } from '../contract/validate.ts';
import { assert } from '../terms/invariants.ts';
import type { Answer } from './operations.ts';

/**
 * Makes sure that JSON can carry an answer. Throws if a number is missing, which is a bug: NaN and infinities would
 * silently become null. States of older versions may have numbers from before there were bounds; they are shown as the
 * bound.
 */
export function soundAnswer(answer: Answer): Answer {
  const field = bound(answer.body);
  assert(field === null, 'answer-numbers', `body${field}`);
  return answer;
}

/** Bounds every number in a value; returns the path of the first that is not a number. */
function bound(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    // A loop over the names of a long list takes several times as long.
    for (let at = 0; at < value.length; at++) {
      const found = boundMember(value as unknown as Record<string, unknown>, at as unknown as string);
      if (found !== null) return `.${at}${found}`;
    }
    return null;
  }
  const members = value as Record<string, unknown>;
  for (const name in members) {
    const found = boundMember(members, name);
    if (found !== null) return `.${name}${found}`;
  }
  return null;
}

function boundMember(members: Record<string, unknown>, name: string): string | null {
  const member = members[name];
  if (typeof member === 'string') return null;
  const found = bound(member);
  if (found === null && typeof member === 'number' && Math.abs(member) > largestNumber)
    members[name] = Math.sign(member) * largestNumber;
  return found;
}

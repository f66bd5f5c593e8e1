import { hash, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../../base/failure/failure.ts';
import { hideSecret } from '../../../base/text/plain-text.ts';

/** The way out of a login that can't be finished. */
export const startOver = 'Run perp login to start over.';

/** Whether an answer (a code or a refusal) belongs to the login with this state. Compares in constant time. */
export function isAnswerTo(query: URLSearchParams, state: string): boolean {
  const given = only(query, 'state');
  return given !== undefined && isSame(given, state);
}

/**
 * The code in the browser's answer. The state is compared first and in constant time, so nothing from elsewhere is even
 * read. Throws a Failure if the answer belongs to another login, is a refusal, or contains no code.
 */
export function codeOf(query: URLSearchParams, state: string): string {
  if (!isAnswerTo(query, state))
    throw new Failure({
      code: 'state_mismatch',
      message: 'The answer belongs to another login (its state differs), so it was not used.',
      hint: 'If it came from an older browser window, close it and run perp login again. Otherwise, a web page tried to log you in.',
    });
  const error = only(query, 'error');
  if (error === 'access_denied')
    throw new Failure({
      code: 'access_denied',
      message: 'The login was denied in the browser. No access was granted.',
    });
  if (error !== undefined) throw refused(error, only(query, 'error_description'));
  const code = only(query, 'code');
  if (code === undefined || !isCode(code)) throw refused('no code', undefined);
  hideSecret(code);
  return code;
}

/**
 * The code in pasted text: the full address at which the browser ended up, its query, or the code alone. Undefined if
 * it is none of these. Throws as {@link codeOf}; a code alone has no state, and works only with the verifier of this
 * login.
 */
export function pastedCode(pasted: string, state: string): string | undefined {
  const text = pasted.trim();
  const query = /^https?:\/\//i.test(text)
    ? URL.parse(text)?.searchParams
    : isQuery(text)
      ? new URLSearchParams(text)
      : undefined;
  if (query !== undefined) return query.has('code') || query.has('error') ? codeOf(query, state) : undefined;
  if (!isCode(text) || text.includes('://')) return undefined;
  hideSecret(text);
  return text;
}

function isQuery(text: string): boolean {
  return /^\??([\w.-]+=[^&\s]*)(&[\w.-]+=[^&\s]*)+$/.test(text);
}

function isCode(text: string): boolean {
  return /^[\x21-\x7e]{4,2048}$/.test(text);
}

/** A parameter that occurs exactly once: readers disagree about duplicates. */
function only(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

/** Digests have equal length, so the comparison takes constant time. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

function refused(error: string, description: string | undefined): Failure {
  const said = [error, description].filter((part) => part !== undefined).join(': ');
  return new Failure({
    code: 'login_refused',
    message: `The approval page did not grant the login (${said.slice(0, 200)}).`,
    hint: startOver,
  });
}

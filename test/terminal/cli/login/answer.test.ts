import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Failure } from '../../../../src/base/failure/failure.ts';
import { codeOf, pastedCode } from '../../../../src/terminal/cli/login/receiver.ts';

const state = 'c3RhdGUgb2YgdGhpcyBsb2dpbg';
const code = 'SplxlOBeZQQYbYS6WxSbIA';

const failsWith = (expected: string) => (error: Failure) => {
  assert.equal(error.facts?.code, expected);
  assert.equal(error.facts.exit, 4);
  return true;
};

describe("the browser's answer", () => {
  it('contains the code of this login', () => {
    assert.equal(codeOf(new URLSearchParams({ code, state }), state), code);
  });

  const refused: [query: string, code: string][] = [
    [`code=${code}&state=another`, 'state_mismatch'],
    [`code=${code}&state=${state}x`, 'state_mismatch'],
    [`code=${code}&state=${state.slice(1)}`, 'state_mismatch'],
    [`code=${code}&state=`, 'state_mismatch'],
    [`code=${code}`, 'state_mismatch'],
    [`code=${code}&state=${state}&state=${state}`, 'state_mismatch'],
    // An answer for another login is not accepted as a refusal either.
    ['error=access_denied&state=another', 'state_mismatch'],
    [`error=access_denied&state=${state}`, 'access_denied'],
    [`error=access_denied&code=${code}&state=${state}`, 'access_denied'],
    [`error=server_error&error_description=Later&state=${state}`, 'login_refused'],
    [`state=${state}`, 'login_refused'],
    [`code=&state=${state}`, 'login_refused'],
    [`code=${code}&code=${code}&state=${state}`, 'login_refused'],
    [`code=${'c'.repeat(3000)}&state=${state}`, 'login_refused'],
    [`code=a%0d%0ab%20c&state=${state}`, 'login_refused'],
  ];
  for (const [query, expected] of refused) {
    it(`is ${expected} for ${query.slice(0, 70)}`, () => {
      assert.throws(() => codeOf(new URLSearchParams(query), state), failsWith(expected));
    });
  }
});

describe('pasted text', () => {
  const callback = `http://127.0.0.1:41234/callback?code=${code}&state=${state}`;
  const taken: [what: string, pasted: string][] = [
    ['the whole address', callback],
    ['the address with spaces around it', `  ${callback}\r\n`],
    ['its query', `?code=${code}&state=${state}`],
    ['its query without the question mark', `code=${code}&state=${state}`],
    ['the code alone', code],
    ['the code and a line break', `${code}\n`],
  ];
  for (const [what, pasted] of taken) {
    it(`may be ${what}`, () => assert.equal(pastedCode(pasted, state), code));
  }

  const asked: [what: string, pasted: string][] = [
    ['nothing', ''],
    ['the address of the approval page', `https://example.com/cli/authorize?code_challenge=x&state=${state}`],
    ['an address without a code', 'http://127.0.0.1:41234/callback'],
    ['other text', 'it does not load'],
    ['an invalid address', 'http://['],
  ];
  for (const [what, pasted] of asked) {
    it(`is requested again if it is ${what}`, () => assert.equal(pastedCode(pasted, state), undefined));
  }

  it('is rejected if its state belongs to another login', () => {
    assert.throws(() => pastedCode(callback.replace(state, 'x'.repeat(26)), state), failsWith('state_mismatch'));
  });

  it('may be a refusal', () => {
    const denied = `http://127.0.0.1:41234/callback?error=access_denied&state=${state}`;
    assert.throws(() => pastedCode(denied, state), failsWith('access_denied'));
  });
});

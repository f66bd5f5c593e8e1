import assert from 'node:assert/strict';
import { it } from 'node:test';
import { challengeOf, newPkce, newState } from '../../../../src/terminal/cli/login/log-in.ts';

it('derives the challenge of RFC 7636, appendix B', () => {
  assert.equal(
    challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

it('generates verifiers and states of 256 random bits, different each time', () => {
  const made = Array.from({ length: 200 }, () => [newPkce().verifier, newState()]).flat();
  assert.equal(new Set(made).size, made.length);
  for (const text of made) {
    assert.match(text, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(Buffer.from(text, 'base64url').length, 32);
  }
});

it('sends the page the challenge of the verifier that it keeps', () => {
  const { verifier, challenge } = newPkce();
  assert.equal(challenge, challengeOf(verifier));
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { withoutCredentials } from '../../../src/base/text/plain-text.ts';
import { BuiltRun, buildPerp } from '../../terminal/cli/built-perp.ts';

before(buildPerp);

async function perp(argv: readonly string[], PERP_API_KEY: string): Promise<{ exit: number | null; printed: string }> {
  const { exit, out, err } = await new BuiltRun(argv, { ...process.env, PERP_API_KEY, PERP_ENV: 'sim' }).ended;
  return { exit, printed: out + err };
}

const misplaced: [key: string, ...places: ((key: string) => string[])[]][] = [
  [
    'sim_live_0123456789abcdef',
    (key) => [key],
    (key) => [`--${key}`],
    (key) => ['order', 'place', 'BTC', 'buy', key],
    (key) => ['config', 'get', key, '--json'],
  ],
  ['hunter2-and-more', (key) => [`--${key}`]],
  ['eight888', (key) => ['order', 'place', 'BTC', 'buy', key]],
];
for (const [key, ...places] of misplaced) {
  for (const argv of places.map((place) => place(key))) {
    test(`perp ${argv.join(' ')} does not echo PERP_API_KEY`, async () => {
      const { exit, printed } = await perp(argv, key);
      assert.equal(exit, 2, printed);
      assert.match(printed, /\[hidden\]/);
      assert.ok(!printed.includes(key), printed);
    });
  }
}

test('anything that looks like a credential is masked in output', () => {
  // No text that another test file of this process hides as its credential.
  const table = [
    ['SIZE is "sim_live_zyxwvu987654321".', 'SIZE is "sim_live_[hidden]".'],
    ['Unknown flag --sim_test_zyxwvu987654321.', 'Unknown flag --sim_test_[hidden].'],
    ['perp_live_session_zyxwvu987654321?', 'perp_live_session_[hidden]?'],
    ['perp_session_zyxwvu987654321', 'perp_session_[hidden]'],
    ['another prefix than sim_live_ or sim_test_', 'another prefix than sim_live_ or sim_test_'],
    ['ord_000000012 of acc_000000001', 'ord_000000012 of acc_000000001'],
  ] as const;
  for (const [text, masked] of table) assert.equal(withoutCredentials(text), masked);
});

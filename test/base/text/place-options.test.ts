import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, withPlace } from '../../../src/base/text/place-options.ts';
import { Desk } from '../../terminal/cli/practice.ts';

test('a command in a sentence gets the options that chose the place and the account', () => {
  const next = 'Next: perp sim reset starts over; perp accounts use acc_2 continues. perp stop BTC 1%, perp login.';
  const table: [given: Parameters<typeof placeOf>[0], text: string][] = [
    [{}, next],
    [
      { state: 'friday', account: 'Challenge 1' },
      "Next: perp --state friday sim reset starts over; perp --state friday accounts use acc_2 continues. perp --state friday --account 'Challenge 1' stop BTC 1%, perp login.",
    ],
    [
      { env: 'live', apiKeyFile: '/k' },
      'Next: perp --env live --api-key-file /k sim reset starts over; perp --env live --api-key-file /k accounts use acc_2 continues. perp --env live --api-key-file /k stop BTC 1%, perp login.',
    ],
  ];
  for (const [given, text] of table) assert.equal(withPlace(next, placeOf(given)), text);
  assert.equal(
    withPlace('perp cancel-all, perp plan BTC "1%:1"', placeOf({ profile: 'prop' })),
    'perp --profile prop cancel-all, perp --profile prop plan BTC "1%:1"',
  );
  const named = 'perp sim status --state lv shows it.';
  assert.equal(withPlace(named, placeOf({ state: 'lv' })), named, 'it says where itself');
});

test('what a note or a hint of another simulation suggests goes to that simulation', async () => {
  using desk = new Desk();
  const there = ['--state', 'friday'];
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '1%', ...there);
  const added = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', ...there]);
  const [, suggested = ''] = /has no stop; (perp .*) makes the stop-loss cover all of it/.exec(added.err) ?? [];
  assert.match(suggested, /^perp --state friday stop BTC /);
  assert.equal((await desk.perp(suggested.split(' ').slice(1))).exit, 0);
  const [held] = await desk.json('positions', ...there);
  assert.equal(held.computed.uncovered_size, 0, 'typed back, it does what it said');
  const unknown = await desk.perp(['order', 'cancel', 'ord_zzz', '--json', ...there]);
  assert.equal(unknown.error.hint, 'perp --state friday order --ended shows yours.');
});
